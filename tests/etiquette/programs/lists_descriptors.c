/* Prints the descriptors that are open while device memory is held, and what the environment says of preloads. */
#include <fcntl.h>
#include <unistd.h>

#include "program.h"

int main(void)
{
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    cuMemAlloc(&p, (size_t)100 << 30);
    for (int i = 0; i < 1024; i++) {
        if (fcntl(i, F_GETFD) >= 0)
            printf("open: %d\n", i);
    }
    return 0;
}
