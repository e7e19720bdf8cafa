/* Linked to a driver with cuGetProcAddress in both variants and run on one that lacks a variant. References are weak
 * or not by macro. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *function = NULL;
    printf("dlsym: %d %d\n", dlsym(driver, "cuGetProcAddress") != NULL, dlsym(driver, "cuGetProcAddress_v2") != NULL);
    CUresult (*ask)(const char *, void **, int, cuuint64_t) =
        (CUresult(*)(const char *, void **, int, cuuint64_t))dlsym(driver, "cuGetProcAddress");
    if (ask)
        printf("through v1: %d %d\n", (int)ask("cuGetProcAddress", &function, 12000, 0), function != NULL);
    fflush(stdout);
    printf("direct: %d", (int)cuGetProcAddress("cuInit", &function, 11030, 0));
    printf(" %d\n", (int)cuGetProcAddress_v2("cuInit", &function, 12000, 0, NULL));
    return 0;
}
