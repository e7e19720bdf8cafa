/* The driver functions that the snippets use, as pointers: how they were come by is the carrier's business. */
#ifndef GMT_TESTS_DRIVER_FUNCTIONS_H
#define GMT_TESTS_DRIVER_FUNCTIONS_H

#include <cuda.h>

/* X(name without variant, exported name, parameters) */
#define DRIVER_FUNCTIONS(X)                                                                                            \
    X(cuInit, cuInit, (unsigned int))                                                                                  \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                                     \
    X(cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext))                                                                   \
    X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr *, size_t))                                                              \
    X(cuMemAllocPitch, cuMemAllocPitch_v2, (CUdeviceptr *, size_t *, size_t, size_t, unsigned int))                    \
    X(cuMemAllocManaged, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned int))                                     \
    X(cuMemAllocHost, cuMemAllocHost_v2, (void **, size_t))                                                            \
    X(cuMemHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned int))                                                 \
    X(cuMemAllocAsync, cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream))                                             \
    X(cuMemFree, cuMemFree_v2, (CUdeviceptr))                                                                          \
    X(cuMemFreeHost, cuMemFreeHost, (void *))                                                                          \
    X(cuMemFreeAsync, cuMemFreeAsync, (CUdeviceptr, CUstream))

struct driver_functions {
#undef cuMemAlloc
#undef cuMemAllocPitch
#undef cuMemAllocHost
#undef cuMemFree
#define X(name, exported, parameters) CUresult(*name) parameters;
    DRIVER_FUNCTIONS(X)
#undef X
};

/* Runs a snippet through these functions. Ends the process when a call gives another result than it must. */
void run_driver_snippet(const struct driver_functions *driver, const char *name);

#endif
