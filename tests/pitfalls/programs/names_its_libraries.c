/* Says which driver and, built WITH_RUNTIME, which runtime it got; leaks 3000 bytes through each. */
#include "program.h"

int cudaMalloc(void **address, size_t bytes);

int main(void)
{
    CUdeviceptr block;
    char name[100] = "";
    Dl_info runtime = {.dli_fname = "none"};
    use_device();
    CU(cuMemAlloc(&block, 3000));
    CU(cuDeviceGetName(name, sizeof name, 0));
#ifdef WITH_RUNTIME
    void *memory;
    dladdr((void *)cudaMalloc, &runtime);
    printf("cudaMalloc: %d\n", cudaMalloc(&memory, 3000));
#endif
    printf("device: %s\nruntime: %s\n", name, runtime.dli_fname);
    return 0;
}
