/* A driver whose every variant gives its own code, and whose context functions check that each argument came through
 * in its own place. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(default)

#define CODED(name, code, parameters)                                                                                  \
    CUresult name parameters                                                                                           \
    {                                                                                                                  \
        return (CUresult)(code);                                                                                       \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
CODED(cuMemAlloc, 1001, (CUdeviceptr_v1 * p, unsigned int n))
CODED(cuMemAlloc_v2, 1002, (CUdeviceptr * p, size_t n))
CODED(cuMemFree, 1003, (CUdeviceptr_v1 p))
CODED(cuMemFree_v2, 1004, (CUdeviceptr p))
CODED(cuMemAllocPitch, 1005, (CUdeviceptr_v1 * p, unsigned int *pitch, unsigned int w, unsigned int h, unsigned int e))
CODED(cuMemAllocPitch_v2, 1006, (CUdeviceptr * p, size_t *pitch, size_t w, size_t h, unsigned int e))
CODED(cuMemAllocHost, 1007, (void **p, unsigned int n))
CODED(cuMemAllocHost_v2, 1008, (void **p, size_t n))
CODED(cuMemAllocAsync, 1009, (CUdeviceptr * p, size_t n, CUstream s))
CODED(cuMemAllocAsync_ptsz, 1010, (CUdeviceptr * p, size_t n, CUstream s))
CODED(cuMemFreeAsync, 1011, (CUdeviceptr p, CUstream s))
CODED(cuMemFreeAsync_ptsz, 1012, (CUdeviceptr p, CUstream s))
CODED(cuMemAllocFromPoolAsync, 1013, (CUdeviceptr * p, size_t n, CUmemoryPool pool, CUstream s))
CODED(cuMemAllocFromPoolAsync_ptsz, 1014, (CUdeviceptr * p, size_t n, CUmemoryPool pool, CUstream s))
CODED(cuCtxDestroy, 1015, (CUcontext c))
CODED(cuCtxDestroy_v2, 1016, (CUcontext c))
CODED(cuDevicePrimaryCtxRelease, 1017, (CUdevice d))
CODED(cuDevicePrimaryCtxRelease_v2, 1018, (CUdevice d))
CODED(cuDevicePrimaryCtxReset, 1019, (CUdevice d))
CODED(cuDevicePrimaryCtxReset_v2, 1020, (CUdevice d))

CUresult cuInit(unsigned int flags)
{
    return CUDA_SUCCESS;
}

static CUresult verdict(const char *name, int right)
{
    printf("%s: %s\n", name, right ? "arguments whole" : "ARGUMENTS DAMAGED");
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    *context = (CUcontext)0x1111;
    return verdict("cuCtxCreate", flags == 0xa1 && device == 0xb1);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    *context = (CUcontext)0x2222;
    return verdict("cuCtxCreate_v2", flags == 0xa2 && device == 0xb2);
}

CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *params, int count, unsigned int flags, CUdevice device)
{
    *context = (CUcontext)0x3333;
    return verdict("cuCtxCreate_v3", params == (void *)0xc3 && count == 0xd3 && flags == 0xa3 && device == 0xb3);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
    *context = (CUcontext)0x4444;
    return verdict("cuCtxCreate_v4", params == (void *)0xc4 && flags == 0xa4 && device == 0xb4);
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    *function = NULL;
    if (strcmp(symbol, "cuCtxCreate") == 0)
        *function = version >= 13000   ? (void *)cuCtxCreate_v4
                    : version >= 11040 ? (void *)cuCtxCreate_v3
                                       : (void *)cuCtxCreate_v2;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
