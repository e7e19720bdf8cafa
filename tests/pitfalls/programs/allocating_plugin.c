/* A library whose constructor and destructor use the driver, or only malloc when it is not ready. */
#include <cuda.h>
#include <stdlib.h>

__attribute__((constructor)) static void begin(void)
{
    CUdeviceptr p;
    void *volatile heap = malloc(1000);
    if (cuMemAlloc(&p, 128) == CUDA_SUCCESS)
        cuMemFree(p);
    free(heap);
}

__attribute__((destructor)) static void end(void)
{
    CUdeviceptr p;
    if (cuMemAlloc(&p, 128) == CUDA_SUCCESS)
        cuMemFree(p);
}
