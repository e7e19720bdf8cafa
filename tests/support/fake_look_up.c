/* cuGetProcAddress of the tests' own driver: what a name means is written down here by hand. */
#include "fake_driver.h"

#include <stddef.h>
#include <string.h>

#pragma GCC visibility push(default)

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
    {"cuDeviceGetDefaultMemPool", 11020, 0, cuDeviceGetDefaultMemPool},
    {"cuDevicePrimaryCtxRetain", 7000, 0, cuDevicePrimaryCtxRetain},
    {"cuDevicePrimaryCtxRelease", 7000, 0, cuDevicePrimaryCtxRelease},
    {"cuDevicePrimaryCtxRelease", 11000, 0, cuDevicePrimaryCtxRelease_v2},
    {"cuDevicePrimaryCtxReset", 7000, 0, cuDevicePrimaryCtxReset},
    {"cuDevicePrimaryCtxReset", 11000, 0, cuDevicePrimaryCtxReset_v2},
    {"cuCtxCreate", 2000, 0, cuCtxCreate},
    {"cuCtxCreate", 3020, 0, cuCtxCreate_v2},
    {"cuCtxCreate", 11040, 0, cuCtxCreate_v3},
    {"cuCtxCreate", 12050, 0, cuCtxCreate_v4},
    {"cuCtxAttach", 2000, 0, cuCtxAttach},
    {"cuCtxDetach", 2000, 0, cuCtxDetach},
    {"cuCtxDestroy", 2000, 0, cuCtxDestroy},
    {"cuCtxDestroy", 4000, 0, cuCtxDestroy_v2},
    {"cuCtxGetCurrent", 4000, 0, cuCtxGetCurrent},
    {"cuCtxSetCurrent", 4000, 0, cuCtxSetCurrent},
    {"cuCtxGetDevice", 2000, 0, cuCtxGetDevice},
    {"cuMemGetInfo", 3020, 0, cuMemGetInfo_v2},
    {"cuMemAlloc", 2000, 0, cuMemAlloc},
    {"cuMemAlloc", 3020, 0, cuMemAlloc_v2},
    {"cuMemAllocPitch", 2000, 0, cuMemAllocPitch},
    {"cuMemAllocPitch", 3020, 0, cuMemAllocPitch_v2},
    {"cuMemAllocManaged", 6000, 0, cuMemAllocManaged},
    {"cuMemFree", 2000, 0, cuMemFree},
    {"cuMemFree", 3020, 0, cuMemFree_v2},
    {"cuMemHostAlloc", 2020, 0, cuMemHostAlloc},
    {"cuMemAllocHost", 2000, 0, cuMemAllocHost},
    {"cuMemAllocHost", 3020, 0, cuMemAllocHost_v2},
    {"cuMemFreeHost", 2000, 0, cuMemFreeHost},
    {"cuMemAllocAsync", 11020, 0, cuMemAllocAsync},
    {"cuMemAllocAsync", 11020, 1, cuMemAllocAsync_ptsz},
    {"cuMemAllocFromPoolAsync", 11020, 0, cuMemAllocFromPoolAsync},
    {"cuMemAllocFromPoolAsync", 11020, 1, cuMemAllocFromPoolAsync_ptsz},
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
