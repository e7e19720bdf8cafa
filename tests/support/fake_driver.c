/* A driver for tests, written from the CUDA documentation and not from the table under test. One device of 8 GiB, no
 * memory behind the addresses, no call into malloc. Variants by macro:
 *   FAKE_WITHOUT_PROC_ADDRESS_V1 / _V2   the driver lacks that function
 *   FAKE_WAIT_FOR_SECOND                 cuMemAlloc_v2 returns only while another thread is inside it, too
 *   FAKE_PREEMPTIBLE                     (link option) its own calls and tables go through the exported symbols */
#include "fake_driver.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(default)

#define DEVICE_BYTES ((size_t)8 << 30)
#define SLOTS 65536u
#define FIRST_ADDRESS 0x700000000000ull
#define STRIDE ((uint64_t)1 << 24)
#define FIRST_OLD_ADDRESS 0x10000000ull /* of the entries that know 32 bits only */
#define OLD_STRIDE ((uint64_t)1 << 12)
#define FREE_MARK SIZE_MAX

static struct {
    pthread_mutex_t mutex;
    size_t bytes[SLOTS];  /* of the block in the slot, or FREE_MARK */
    uint8_t owner[SLOTS]; /* number of the block's context */
    uint32_t free_slots[SLOTS];
    uint32_t free_count;
    uint32_t used_slots; /* slots below this were used once */
    size_t used_bytes;
    int initialised;
} driver = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void fake_lock(void)
{
    pthread_mutex_lock(&driver.mutex);
}

void fake_unlock(void)
{
    pthread_mutex_unlock(&driver.mutex);
}

/* The real driver does not work in a fork child; this one does, so that children have something to be traced. */
__attribute__((constructor)) static void survive_forks(void)
{
    pthread_atfork(fake_lock, fake_unlock, fake_unlock);
}

int fake_is_initialised(void)
{
    return __atomic_load_n(&driver.initialised, __ATOMIC_ACQUIRE);
}

CUresult cuInit(unsigned int flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    __atomic_store_n(&driver.initialised, 1, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    *count = 1;
    return fake_is_initialised() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    (void)device;
    strncpy(name, "Fake device", (size_t)bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = DEVICE_BYTES;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 7, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    fake_lock();
    *free_bytes = DEVICE_BYTES - driver.used_bytes;
    fake_unlock();
    *total_bytes = DEVICE_BYTES;
    return CUDA_SUCCESS;
}

/* A slot for a block of a context, or SLOTS when there is no room. */
static uint32_t take_slot(int context, size_t bytes, int on_device)
{
    uint32_t slot = SLOTS;
    fake_lock();
    if ((!on_device || bytes <= DEVICE_BYTES - driver.used_bytes) && (driver.free_count || driver.used_slots < SLOTS)) {
        slot = driver.free_count ? driver.free_slots[--driver.free_count] : driver.used_slots++;
        driver.bytes[slot] = on_device ? bytes : 0;
        driver.owner[slot] = (uint8_t)context;
        driver.used_bytes += driver.bytes[slot];
    }
    fake_unlock();
    return slot;
}

/* Takes a slot for a call with these arguments. */
static CUresult allocate(uint32_t *slot, size_t bytes, int on_device)
{
    int context = fake_context_now();
    if (!fake_is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (context < 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    *slot = take_slot(context, bytes, on_device);
    return *slot == SLOTS ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

static CUresult allocate_new(CUdeviceptr *address, size_t bytes)
{
    uint32_t slot;
    CUresult result = address ? allocate(&slot, bytes, 1) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = FIRST_ADDRESS + slot * STRIDE;
    return result;
}

static CUresult allocate_old(CUdeviceptr_v1 *address, size_t bytes)
{
    uint32_t slot;
    CUresult result = address ? allocate(&slot, bytes, 1) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr_v1)(FIRST_OLD_ADDRESS + slot * OLD_STRIDE);
    return result;
}

/* Lock held. */
static void release_slot(uint32_t slot)
{
    driver.used_bytes -= driver.bytes[slot];
    driver.bytes[slot] = FREE_MARK;
    driver.free_slots[driver.free_count++] = slot;
}

void fake_end_blocks(int context)
{
    for (uint32_t slot = 0; slot < driver.used_slots; slot++) {
        if (driver.bytes[slot] != FREE_MARK && driver.owner[slot] == context)
            release_slot(slot);
    }
}

static CUresult release(uint64_t address)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    uint64_t first = address >= FIRST_ADDRESS ? FIRST_ADDRESS : FIRST_OLD_ADDRESS;
    uint64_t stride = address >= FIRST_ADDRESS ? STRIDE : OLD_STRIDE;
    if (address == 0)
        return CUDA_SUCCESS;
    if (address < first || (address - first) % stride != 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t slot = (address - first) / stride;
    fake_lock();
    if (slot < driver.used_slots && driver.bytes[slot] != FREE_MARK) {
        release_slot((uint32_t)slot);
        result = CUDA_SUCCESS;
    }
    fake_unlock();
    return result;
}

#ifdef FAKE_WAIT_FOR_SECOND
static pthread_cond_t second = PTHREAD_COND_INITIALIZER;
static unsigned arrived;

/* Leaves when the other one has come; the thread that waits for ever is what the test looks for. */
static void wait_for_second(void)
{
    fake_lock();
    arrived++;
    pthread_cond_broadcast(&second);
    while (arrived < 2)
        pthread_cond_wait(&second, &driver.mutex);
    fake_unlock();
}
#endif

CUresult cuMemAlloc(CUdeviceptr_v1 *address, unsigned int bytes)
{
    return allocate_old(address, bytes);
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
#ifdef FAKE_WAIT_FOR_SECOND
    wait_for_second();
#endif
    return allocate_new(address, bytes);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    (void)flags;
    return allocate_new(address, bytes);
}

static size_t pitch_of(size_t width)
{
    return (width + 511) & ~(size_t)511;
}

CUresult cuMemAllocPitch(CUdeviceptr_v1 *address, unsigned int *pitch, unsigned int width, unsigned int height,
                         unsigned int element)
{
    (void)element;
    *pitch = (unsigned int)pitch_of(width);
    return allocate_old(address, (size_t)*pitch * height);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    (void)element;
    *pitch = pitch_of(width);
    return cuMemAllocManaged(address, *pitch * height, 0);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    *pool = (CUmemoryPool)0x9001;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    (void)stream;
    return cuMemAllocManaged(address, bytes, 0);
}

CUresult cuMemAllocAsync_ptsz(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    return cuMemAllocAsync(address, bytes, stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    return pool ? cuMemAllocAsync(address, bytes, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    return cuMemAllocFromPoolAsync(address, bytes, pool, stream);
}

CUresult cuMemFree(CUdeviceptr_v1 address)
{
    return release(address);
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    return release(address);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    (void)stream;
    return release(address);
}

CUresult cuMemFreeAsync_ptsz(CUdeviceptr address, CUstream stream)
{
    return cuMemFreeAsync(address, stream);
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned int flags)
{
    (void)flags;
    uint32_t slot;
    CUresult result = address ? allocate(&slot, bytes, 0) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = (void *)(uintptr_t)(FIRST_ADDRESS + slot * STRIDE);
    return result;
}

CUresult cuMemAllocHost(void **address, unsigned int bytes)
{
    return cuMemHostAlloc(address, bytes, 0);
}

CUresult cuMemAllocHost_v2(void **address, size_t bytes)
{
    return cuMemHostAlloc(address, bytes, 0);
}

CUresult cuMemFreeHost(void *address)
{
    return release((uintptr_t)address);
}
