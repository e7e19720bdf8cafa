/* closes_descriptors FILE: as daemons do, closes everything and opens a file of its own, which becomes descriptor 2. */
#include <fcntl.h>
#include <unistd.h>

#include "program.h"

int main(int argc, char **argv)
{
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    for (int i = 2; i < 1024; i++)
        close(i);
    int file = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    dprintf(file, "the program's own text\n");
    if (chdir("/") != 0)
        return 9;
    CU(cuMemAlloc(&p, 500));
    cuMemAlloc(&p, (size_t)100 << 30);
    cuMemFree(77);
    printf("its file is descriptor %d\n", file);
    return 0;
}
