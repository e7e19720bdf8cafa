/* Calls every variant of every function directly, and through dlsym; then context creation as three CUDA versions get
 * it. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>

#define TELL(call) printf("%s %d\n", #call, (int)(call))
#define BOTH(name, prototype, arguments)                                                                               \
    TELL(name arguments);                                                                                              \
    TELL(((CUresult(*) prototype)dlsym(driver, #name))arguments);

static void create_for(int version)
{
    void *found = NULL;
    CUcontext context = NULL;
    cuGetProcAddress_v2("cuCtxCreate", &found, version, 0, NULL);
    if (version >= 13000)
        ((CUresult(*)(CUcontext *, void *, unsigned, CUdevice))found)(&context, (void *)0xc4, 0xa4, 0xb4);
    else if (version >= 11040)
        ((CUresult(*)(CUcontext *, void *, int, unsigned, CUdevice))found)(&context, (void *)0xc3, 0xd3, 0xa3, 0xb3);
    else
        ((CUresult(*)(CUcontext *, unsigned, CUdevice))found)(&context, 0xa2, 0xb2);
    printf("%d: %p\n", version, (void *)context);
}

int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CUdeviceptr p = 0;
    CUdeviceptr_v1 q = 0;
    void *h = NULL;
    size_t pitch = 0;
    unsigned pitch32 = 0;
    CUcontext c = NULL;
    TELL(cuInit(0));
    BOTH(cuMemAlloc, (CUdeviceptr_v1 *, unsigned), (&q, 16))
    BOTH(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&p, 16))
    BOTH(cuMemFree, (CUdeviceptr_v1), (q))
    BOTH(cuMemFree_v2, (CUdeviceptr), (p))
    BOTH(cuMemAllocPitch, (CUdeviceptr_v1 *, unsigned *, unsigned, unsigned, unsigned), (&q, &pitch32, 4, 4, 4))
    BOTH(cuMemAllocPitch_v2, (CUdeviceptr *, size_t *, size_t, size_t, unsigned), (&p, &pitch, 4, 4, 4))
    BOTH(cuMemAllocHost, (void **, unsigned), (&h, 16))
    BOTH(cuMemAllocHost_v2, (void **, size_t), (&h, 16))
    BOTH(cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream), (&p, 16, NULL))
    BOTH(cuMemAllocAsync_ptsz, (CUdeviceptr *, size_t, CUstream), (&p, 16, NULL))
    BOTH(cuMemFreeAsync, (CUdeviceptr, CUstream), (p, NULL))
    BOTH(cuMemFreeAsync_ptsz, (CUdeviceptr, CUstream), (p, NULL))
    BOTH(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream), (&p, 16, NULL, NULL))
    BOTH(cuMemAllocFromPoolAsync_ptsz, (CUdeviceptr *, size_t, CUmemoryPool, CUstream), (&p, 16, NULL, NULL))
    BOTH(cuCtxDestroy, (CUcontext), (c))
    BOTH(cuCtxDestroy_v2, (CUcontext), (c))
    BOTH(cuDevicePrimaryCtxRelease, (CUdevice), (0))
    BOTH(cuDevicePrimaryCtxRelease_v2, (CUdevice), (0))
    BOTH(cuDevicePrimaryCtxReset, (CUdevice), (0))
    BOTH(cuDevicePrimaryCtxReset_v2, (CUdevice), (0))
    BOTH(cuCtxCreate, (CUcontext *, unsigned, CUdevice), (&c, 0xa1, 0xb1))
    BOTH(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&c, 0xa2, 0xb2))
    BOTH(cuCtxCreate_v3, (CUcontext *, CUexecAffinityParam *, int, unsigned, CUdevice),
         (&c, (void *)0xc3, 0xd3, 0xa3, 0xb3))
    BOTH(cuCtxCreate_v4, (CUcontext *, CUctxCreateParams *, unsigned, CUdevice), (&c, (void *)0xc4, 0xa4, 0xb4))
    create_for(11030);
    create_for(12000);
    create_for(13000);
    return 0;
}
