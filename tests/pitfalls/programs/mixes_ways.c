/* mixes_ways theirs|ours|both: frees through the hooks what was taken past them, or the other way round, and what each
 * call returns. */
#include <string.h>

#include "program.h"

int main(int argc, char **argv)
{
    CUdeviceptr block = 0, again = 0;
    void *library = dlopen("past_the_hooks.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    CUresult (*take)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))dlsym(library, "take_past");
    CUresult (*give)(CUdeviceptr) = (CUresult(*)(CUdeviceptr))dlsym(library, "give_past");
    use_device();
    if (argc > 1 && strcmp(argv[1], "theirs") == 0) {
        printf("%d", (int)take(&block, 1000));
        printf(" %d", (int)cuMemFree(block));
        printf(" %d\n", (int)cuMemFree(block));
        return 0;
    }
    printf("%d", (int)cuMemAlloc(&block, 3000));
    printf(" %d", (int)give(block));
    printf(" %d", (int)cuMemAlloc(&again, 500));
    printf(" %s\n", again == block ? "the same place" : "another place");
    if (argc > 1 && strcmp(argv[1], "both") == 0)
        printf("%d\n", (int)cuMemFree(again));
    return 0;
}
