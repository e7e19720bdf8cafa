/* Asks a hundred times for more than there is. */
#include "program.h"

int main(void)
{
    CUdeviceptr p;
    use_device();
    for (int i = 0; i < 100; i++)
        if (cuMemAlloc(&p, (size_t)100 << 30) != CUDA_ERROR_OUT_OF_MEMORY)
            return 1;
    return 0;
}
