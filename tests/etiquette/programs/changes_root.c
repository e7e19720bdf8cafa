/* changes_root FOLDER before|after: makes the folder its root before or after its first CUDA call, and leaks. */
#include <string.h>
#include <unistd.h>

#include "program.h"

static int change(const char *folder)
{
    return chroot(folder) == 0 && chdir("/") == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    CUdeviceptr p;
    int before = argc > 2 && strcmp(argv[2], "before") == 0;
    if (before && change(argv[1]) != 0)
        return 2;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    if (argc > 1 && !before && change(argv[1]) != 0)
        return 2;
    CU(cuMemAlloc(&p, 500));
    printf("done\n");
    return 0;
}
