/* Leaves text in stdio's buffer and a block on the device. */
#include "program.h"

int main(void)
{
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    for (int i = 0; i < 2000; i++)
        printf("line %d\n", i);
    return 0;
}
