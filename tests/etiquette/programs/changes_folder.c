/* changes_folder FOLDER before|after: changes into the folder before or after its first CUDA call, and leaks. */
#include <string.h>
#include <unistd.h>

#include "program.h"

int main(int argc, char **argv)
{
    CUdeviceptr p;
    int before = argc > 2 && strcmp(argv[2], "before") == 0;
    if (before && chdir(argv[1]) != 0)
        return 2;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    return argc > 1 && !before && chdir(argv[1]) != 0 ? 2 : 0;
}
