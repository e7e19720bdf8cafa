/* A driver for tests in one file, written from the CUDA documentation and not from the table under test. One device of
 * 8 GiB, no memory behind the addresses, no call into malloc. Variants by macro:
 *   FAKE_WITHOUT_PROC_ADDRESS_V1 / _V2   the driver lacks that function
 *   FAKE_WAIT_FOR_SECOND                 cuMemAlloc_v2 returns only while another thread is inside it, too
 *   FAKE_PREEMPTIBLE                     (link option) its own calls and tables go through the exported symbols */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(default)

#define DEVICE_BYTES ((size_t)8 << 30)
#define SLOTS 65536u
#define FIRST_ADDRESS 0x700000000000ull
#define STRIDE ((uint64_t)1 << 24)
#define FREE_MARK SIZE_MAX

static struct {
    pthread_mutex_t mutex;
    size_t bytes[SLOTS]; /* of the block in the slot, or FREE_MARK */
    uint32_t free_slots[SLOTS];
    uint32_t free_count;
    uint32_t used_slots; /* slots below this were used once */
    size_t used_bytes;
    int initialised;
    int primary_references;
} driver = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void lock(void)
{
    pthread_mutex_lock(&driver.mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&driver.mutex);
}

/* The real driver does not work in a fork child; this one does, so that children have something to be traced. */
__attribute__((constructor)) static void survive_forks(void)
{
    pthread_atfork(lock, unlock, unlock);
}

static __thread CUcontext current;
#define PRIMARY ((CUcontext)0xc0ffee00)
#define CREATED ((CUcontext)0xc0ffee01)

static int is_initialised(void)
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
    return is_initialised() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
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
    lock();
    *free_bytes = DEVICE_BYTES - driver.used_bytes;
    unlock();
    *total_bytes = DEVICE_BYTES;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    if (!is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    __atomic_fetch_add(&driver.primary_references, 1, __ATOMIC_RELAXED);
    *context = PRIMARY;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    (void)device;
    return __atomic_fetch_sub(&driver.primary_references, 1, __ATOMIC_RELAXED) > 0 ? CUDA_SUCCESS
                                                                                   : CUDA_ERROR_INVALID_CONTEXT;
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

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    (void)device;
    current = *context = CREATED;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    (void)context;
    current = NULL;
    return CUDA_SUCCESS;
}

/* A slot for a block, or SLOTS when there is no room. */
static uint32_t take_slot(size_t bytes, int on_device)
{
    uint32_t slot = SLOTS;
    lock();
    if ((!on_device || bytes <= DEVICE_BYTES - driver.used_bytes) && (driver.free_count || driver.used_slots < SLOTS)) {
        slot = driver.free_count ? driver.free_slots[--driver.free_count] : driver.used_slots++;
        driver.bytes[slot] = on_device ? bytes : 0;
        driver.used_bytes += driver.bytes[slot];
    }
    unlock();
    return slot;
}

static CUresult allocate(uint64_t *address, size_t bytes, int on_device)
{
    if (!is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!current)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!address || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t slot = take_slot(bytes, on_device);
    if (slot == SLOTS)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address = FIRST_ADDRESS + slot * STRIDE;
    return CUDA_SUCCESS;
}

static CUresult release(uint64_t address)
{
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    if (address == 0)
        return CUDA_SUCCESS;
    uint64_t slot = (address - FIRST_ADDRESS) / STRIDE;
    lock();
    if (address >= FIRST_ADDRESS && (address - FIRST_ADDRESS) % STRIDE == 0 && slot < driver.used_slots &&
        driver.bytes[slot] != FREE_MARK) {
        driver.used_bytes -= driver.bytes[slot];
        driver.bytes[slot] = FREE_MARK;
        driver.free_slots[driver.free_count++] = (uint32_t)slot;
        result = CUDA_SUCCESS;
    }
    unlock();
    return result;
}

#ifdef FAKE_WAIT_FOR_SECOND
static pthread_cond_t second = PTHREAD_COND_INITIALIZER;
static unsigned arrived;

/* Leaves when the other one has come; the thread that waits for ever is what the test looks for. */
static void wait_for_second(void)
{
    lock();
    arrived++;
    pthread_cond_broadcast(&second);
    while (arrived < 2)
        pthread_cond_wait(&second, &driver.mutex);
    unlock();
}
#endif

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
#ifdef FAKE_WAIT_FOR_SECOND
    wait_for_second();
#endif
    uint64_t taken = 0;
    CUresult result = allocate(&taken, bytes, 1);
    if (result == CUDA_SUCCESS)
        *address = taken;
    return result;
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    (void)flags;
    uint64_t taken = 0;
    CUresult result = allocate(&taken, bytes, 1);
    if (result == CUDA_SUCCESS)
        *address = taken;
    return result;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    (void)element;
    *pitch = (width + 511) & ~(size_t)511;
    return cuMemAllocManaged(address, *pitch * height, 0);
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
    uint64_t taken = 0;
    CUresult result = allocate(&taken, bytes, 0);
    if (result == CUDA_SUCCESS)
        *address = (void *)(uintptr_t)taken;
    return result;
}

CUresult cuMemAllocHost_v2(void **address, size_t bytes)
{
    return cuMemHostAlloc(address, bytes, 0);
}

CUresult cuMemFreeHost(void *address)
{
    return release((uintptr_t)address);
}

/* What a name means for a caller of a CUDA version: the newest row that is not newer than the version. */
struct meaning {
    const char *name;
    int version;
    int per_thread;
    void *function;
};

#ifndef FAKE_WITHOUT_PROC_ADDRESS_V1
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags);
#endif
#ifndef FAKE_WITHOUT_PROC_ADDRESS_V2
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status);
#endif

static const struct meaning meanings[] = {
#ifndef FAKE_WITHOUT_PROC_ADDRESS_V1
    {"cuGetProcAddress", 11030, 0, cuGetProcAddress},
#endif
#ifndef FAKE_WITHOUT_PROC_ADDRESS_V2
    {"cuGetProcAddress", 12000, 0, cuGetProcAddress_v2},
#endif
    {"cuInit", 2000, 0, cuInit},
    {"cuDriverGetVersion", 2020, 0, cuDriverGetVersion},
    {"cuDeviceGet", 2000, 0, cuDeviceGet},
    {"cuDeviceGetCount", 2000, 0, cuDeviceGetCount},
    {"cuDevicePrimaryCtxRetain", 7000, 0, cuDevicePrimaryCtxRetain},
    {"cuDevicePrimaryCtxRelease", 11000, 0, cuDevicePrimaryCtxRelease_v2},
    {"cuCtxGetCurrent", 4000, 0, cuCtxGetCurrent},
    {"cuCtxSetCurrent", 4000, 0, cuCtxSetCurrent},
    {"cuCtxGetDevice", 2000, 0, cuCtxGetDevice},
    {"cuMemGetInfo", 3020, 0, cuMemGetInfo_v2},
    {"cuMemAlloc", 3020, 0, cuMemAlloc_v2},
    {"cuMemAllocPitch", 3020, 0, cuMemAllocPitch_v2},
    {"cuMemAllocManaged", 6000, 0, cuMemAllocManaged},
    {"cuMemFree", 3020, 0, cuMemFree_v2},
    {"cuMemHostAlloc", 2020, 0, cuMemHostAlloc},
    {"cuMemAllocHost", 3020, 0, cuMemAllocHost_v2},
    {"cuMemFreeHost", 2000, 0, cuMemFreeHost},
    {"cuMemAllocAsync", 11020, 0, cuMemAllocAsync},
    {"cuMemAllocAsync", 11020, 1, cuMemAllocAsync_ptsz},
    {"cuMemFreeAsync", 11020, 0, cuMemFreeAsync},
    {"cuMemFreeAsync", 11020, 1, cuMemFreeAsync_ptsz},
};

static CUresult find_meaning(const char *symbol, void **function, int version, cuuint64_t flags)
{
    int per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
    void *found = NULL;
    if (!symbol || !function)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct meaning *meaning = &meanings[i];
        if (strcmp(meaning->name, symbol) == 0 && meaning->version <= version && meaning->per_thread <= per_thread)
            found = meaning->function;
    }
    *function = found;
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#ifndef FAKE_WITHOUT_PROC_ADDRESS_V1
CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return find_meaning(symbol, function, version, flags);
}
#endif

#ifndef FAKE_WITHOUT_PROC_ADDRESS_V2
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    CUresult result = find_meaning(symbol, function, version, flags);
    if (status)
        *status = result == CUDA_SUCCESS ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return result;
}
#endif
