/* The driver functions that the snippets use, as pointers: how they were come by is the carrier's business. */
#ifndef GMT_TESTS_DRIVER_FUNCTIONS_H
#define GMT_TESTS_DRIVER_FUNCTIONS_H

#define __CUDA_API_VERSION_INTERNAL /* cuda.h then declares every exported name under itself */
#include <cuda.h>

#define TWIN CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM

/* X(exported name, name and version and flags that lead to it through cuGetProcAddress, parameters). Version 0: that of
 * the carrier, whichever it is. */
#define DRIVER_FUNCTIONS(X)                                                                                            \
    X(cuInit, cuInit, 0, 0, (unsigned int))                                                                            \
    X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 0, 0, (CUmemoryPool *, CUdevice))                          \
    X(cuCtxSetCurrent, cuCtxSetCurrent, 0, 0, (CUcontext))                                                             \
    X(cuCtxCreate, cuCtxCreate, 3010, 0, (CUcontext *, unsigned int, CUdevice))                                        \
    X(cuCtxCreate_v2, cuCtxCreate, 4000, 0, (CUcontext *, unsigned int, CUdevice))                                     \
    X(cuCtxCreate_v3, cuCtxCreate, 12000, 0, (CUcontext *, CUexecAffinityParam *, int, unsigned int, CUdevice))        \
    X(cuCtxCreate_v4, cuCtxCreate, 13000, 0, (CUcontext *, CUctxCreateParams *, unsigned int, CUdevice))               \
    X(cuCtxAttach, cuCtxAttach, 0, 0, (CUcontext *, unsigned int))                                                     \
    X(cuCtxDetach, cuCtxDetach, 0, 0, (CUcontext))                                                                     \
    X(cuCtxDestroy, cuCtxDestroy, 3020, 0, (CUcontext))                                                                \
    X(cuCtxDestroy_v2, cuCtxDestroy, 0, 0, (CUcontext))                                                                \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 0, 0, (CUcontext *, CUdevice))                               \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, 7000, 0, (CUdevice))                                       \
    X(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease, 0, 0, (CUdevice))                                       \
    X(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset, 7000, 0, (CUdevice))                                           \
    X(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset, 0, 0, (CUdevice))                                           \
    X(cuMemAlloc, cuMemAlloc, 3010, 0, (CUdeviceptr_v1 *, unsigned int))                                               \
    X(cuMemAlloc_v2, cuMemAlloc, 0, 0, (CUdeviceptr *, size_t))                                                        \
    X(cuMemAllocPitch, cuMemAllocPitch, 3010, 0,                                                                       \
      (CUdeviceptr_v1 *, unsigned int *, unsigned int, unsigned int, unsigned int))                                    \
    X(cuMemAllocPitch_v2, cuMemAllocPitch, 0, 0, (CUdeviceptr *, size_t *, size_t, size_t, unsigned int))              \
    X(cuMemAllocManaged, cuMemAllocManaged, 0, 0, (CUdeviceptr *, size_t, unsigned int))                               \
    X(cuMemAllocHost, cuMemAllocHost, 3010, 0, (void **, unsigned int))                                                \
    X(cuMemAllocHost_v2, cuMemAllocHost, 0, 0, (void **, size_t))                                                      \
    X(cuMemHostAlloc, cuMemHostAlloc, 0, 0, (void **, size_t, unsigned int))                                           \
    X(cuMemAllocAsync, cuMemAllocAsync, 0, 0, (CUdeviceptr *, size_t, CUstream))                                       \
    X(cuMemAllocAsync_ptsz, cuMemAllocAsync, 0, TWIN, (CUdeviceptr *, size_t, CUstream))                               \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 0, 0, (CUdeviceptr *, size_t, CUmemoryPool, CUstream))         \
    X(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync, 0, TWIN, (CUdeviceptr *, size_t, CUmemoryPool, CUstream)) \
    X(cuMemFree, cuMemFree, 3010, 0, (CUdeviceptr_v1))                                                                 \
    X(cuMemFree_v2, cuMemFree, 0, 0, (CUdeviceptr))                                                                    \
    X(cuMemFreeHost, cuMemFreeHost, 0, 0, (void *))                                                                    \
    X(cuMemFreeAsync, cuMemFreeAsync, 0, 0, (CUdeviceptr, CUstream))                                                   \
    X(cuMemFreeAsync_ptsz, cuMemFreeAsync, 0, TWIN, (CUdeviceptr, CUstream))

struct driver_functions {
#define X(exported, symbol, version, flags, parameters) CUresult(*exported) parameters;
    DRIVER_FUNCTIONS(X)
#undef X
};

/* Runs a snippet through these functions. Ends the process when a call gives another result than it must. */
void run_driver_snippet(const struct driver_functions *driver, const char *name);

#endif
