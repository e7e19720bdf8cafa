/* Somebody else's preload: counts allocations and calls the next definer. */
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>

static unsigned seen;

__attribute__((visibility("default"))) CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    CUresult (*next)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))dlsym(RTLD_NEXT, "cuMemAlloc_v2");
    seen++;
    return next ? next(address, bytes) : CUDA_ERROR_NOT_FOUND;
}

__attribute__((destructor)) static void tell(void)
{
    printf("the interposer saw %u\n", seen);
    fflush(stdout);
}
