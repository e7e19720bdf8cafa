/* The driver API by dlopen and dlsym, as loaders of other languages do it; leaks one block of 6 MiB. */
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *driver;

static void *find(const char *name)
{
    void *function = dlsym(driver, name);
    if (!function) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(1);
    }
    return function;
}

int main(void)
{
    driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    CUresult (*init)(unsigned) = find("cuInit");
    CUresult (*create)(CUcontext *, unsigned, CUdevice) = find("cuCtxCreate_v2");
    CUresult (*destroy)(CUcontext) = find("cuCtxDestroy_v2");
    CUresult (*take)(CUdeviceptr *, size_t) = find("cuMemAlloc_v2");
    CUresult (*give)(CUdeviceptr) = find("cuMemFree_v2");
    CUcontext context;
    CUdeviceptr kept, freed;
    int failed = init(0) || create(&context, 0, 0) || take(&kept, 6 << 20) || take(&freed, 1000) || give(freed);
    printf("failed %d\n", failed);
    printf("EXPECT leaked_count=1 leaked_bytes=6291456 api:cuMemAlloc=6291456 state:ended_by_destroy=1\n");
    return failed || destroy(context);
}
