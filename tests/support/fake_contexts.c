/* Contexts of the tests' own driver: own ones with counted references, and a primary one that a reset ends without
 * taking its references, as a real driver's. */
#include "fake_driver.h"

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#define FIRST_HANDLE 0xc0ffee00u
#define PRIMARY 0

static struct {
    int alive;
    int references;
} contexts[FAKE_CONTEXTS];

static __thread CUcontext current;

static CUcontext handle_of(int context)
{
    return (CUcontext)(uintptr_t)(FIRST_HANDLE + (unsigned)context);
}

/* Number of a context by its handle, dead ones included, or -1. */
static int number_of(CUcontext handle)
{
    uintptr_t number = (uintptr_t)handle - FIRST_HANDLE;
    return number < FAKE_CONTEXTS ? (int)number : -1;
}

int fake_context_now(void)
{
    int context = number_of(current);
    return context >= 0 && __atomic_load_n(&contexts[context].alive, __ATOMIC_ACQUIRE) ? context : -1;
}

/* Lock held. */
static void end(int context)
{
    fake_end_blocks(context);
    __atomic_store_n(&contexts[context].alive, 0, __ATOMIC_RELEASE);
    if (current == handle_of(context) && context != PRIMARY)
        current = NULL;
}

static CUresult leave(CUresult result)
{
    fake_unlock();
    return result;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult create(CUcontext *context)
{
    int number = PRIMARY + 1;
    if (!fake_is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    fake_lock();
    while (number < FAKE_CONTEXTS && contexts[number].alive)
        number++;
    if (number == FAKE_CONTEXTS)
        return leave(CUDA_ERROR_OUT_OF_MEMORY);
    contexts[number].references = 1;
    __atomic_store_n(&contexts[number].alive, 1, __ATOMIC_RELEASE);
    current = *context = handle_of(number);
    return leave(CUDA_SUCCESS);
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    (void)device;
    return create(context);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    (void)device;
    return create(context);
}

CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int count, unsigned int flags, CUdevice device)
{
    (void)params;
    (void)count;
    (void)flags;
    (void)device;
    return create(context);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
    (void)params;
    (void)flags;
    (void)device;
    return create(context);
}

CUresult cuCtxAttach(CUcontext *context, unsigned int flags)
{
    int number = fake_context_now();
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (number < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    fake_lock();
    contexts[number].references++;
    *context = current;
    return leave(CUDA_SUCCESS);
}

/* `last` says that the context ends whatever its references. */
static CUresult give_up(CUcontext context, int last)
{
    int number = number_of(context);
    if (number <= PRIMARY)
        return CUDA_ERROR_INVALID_CONTEXT;
    fake_lock();
    if (!contexts[number].alive)
        return leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (--contexts[number].references == 0 || last)
        end(number);
    return leave(CUDA_SUCCESS);
}

CUresult cuCtxDetach(CUcontext context)
{
    return give_up(context, 0);
}

CUresult cuCtxDestroy(CUcontext context)
{
    return give_up(context, 1);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    return give_up(context, 1);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (!fake_is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    fake_lock();
    contexts[PRIMARY].references++;
    __atomic_store_n(&contexts[PRIMARY].alive, 1, __ATOMIC_RELEASE);
    *context = handle_of(PRIMARY);
    return leave(CUDA_SUCCESS);
}

static CUresult release_primary(CUdevice device)
{
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    fake_lock();
    if (contexts[PRIMARY].references == 0)
        return leave(CUDA_ERROR_INVALID_CONTEXT);
    if (--contexts[PRIMARY].references == 0)
        end(PRIMARY);
    return leave(CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    return release_primary(device);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return release_primary(device);
}

static CUresult reset_primary(CUdevice device)
{
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    fake_lock();
    end(PRIMARY);
    return leave(CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    return reset_primary(device);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    return reset_primary(device);
}
