/* Somebody else's interposer of one driver function: counts, and passes on to the next definer. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <dlfcn.h>

#pragma GCC visibility push(default)
unsigned interposer_count(void);
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
#pragma GCC visibility pop

static unsigned count;

unsigned interposer_count(void)
{
    return count;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    CUresult (*next)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))dlsym(RTLD_NEXT, "cuMemAlloc_v2");
    count++;
    return next ? next(address, bytes) : CUDA_ERROR_NOT_FOUND;
}
