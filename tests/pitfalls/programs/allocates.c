/* Two blocks, one of them freed: 3000 bytes in one block are left. */
#include "program.h"

int main(void)
{
    CUdeviceptr kept, freed;
    use_device();
    CU(cuMemAlloc(&kept, 3000));
    CU(cuMemAlloc(&freed, 500));
    CU(cuMemFree(freed));
    printf("done\n");
    return 0;
}
