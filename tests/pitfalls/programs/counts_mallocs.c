/* Driver calls, good and bad, between two readings of the preload's counter. */
#include "program.h"

unsigned malloc_watch_count(void) __attribute__((weak));

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    unsigned before = malloc_watch_count();
    CUdeviceptr p;
    use_device();
    for (int i = 0; i < 100; i++) {
        if (cuMemAlloc(&p, 100) == CUDA_SUCCESS)
            cuMemFree(p);
    }
    cuMemAlloc(&p, (size_t)1 << 40);
    cuMemFree(12345);
    if (!dlsym(driver, "cuMemAlloc_v2"))
        return 1;
    printf("%u calls of malloc\n", malloc_watch_count() - before);
    return 0;
}
