/* A library whose constructor uses CUDA; preloaded behind the tracer it does so before the tracer's constructor. */
#include <cuda.h>

__attribute__((constructor)) static void use_cuda_early(void)
{
    cuInit(0);
}
