/* A plug-in that is linked to the driver; the program that loads it is not. */
#include "program.h"

int use_plugin(void);

int use_plugin(void)
{
    CUdeviceptr kept, freed;
    use_device();
    CU(cuMemAlloc(&kept, 3000));
    CU(cuMemAlloc(&freed, 500));
    CU(cuMemFree(freed));
    printf("default scope of the plug-in: %s\n", dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") ? "there" : "missing");
    CUresult (*alloc)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))dlsym(RTLD_DEFAULT, "cuMemAlloc_v2");
    if (alloc)
        CU(alloc(&kept, 70));
    return 0;
}
