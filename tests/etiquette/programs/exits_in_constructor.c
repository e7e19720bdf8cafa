/* A library whose constructor allocates and ends the process. */
#include "program.h"

__attribute__((constructor)) static void begin(void)
{
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    printf("from the constructor\n");
    exit(6);
}
