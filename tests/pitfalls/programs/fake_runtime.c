/* A runtime as programs link it: its functions under a version node, everything from the driver through
 * cuGetProcAddress. */
#include "program.h"

#pragma GCC visibility push(default)

typedef CUresult ask_fn(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
typedef CUresult alloc_fn(CUdeviceptr *, size_t);
typedef CUresult free_fn(CUdeviceptr);

static alloc_fn *driver_alloc;
static free_fn *driver_free;

static void *ask(ask_fn *function, const char *name)
{
    void *found = NULL;
    function(name, &found, 13000, 0, NULL);
    return found;
}

static void begin(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    ask_fn *function = driver ? (ask_fn *)dlsym(driver, "cuGetProcAddress_v2") : NULL;
    if (!function)
        abort();
    CUcontext context;
    CU(((CUresult(*)(unsigned))ask(function, "cuInit"))(0));
    CU(((CUresult(*)(CUcontext *, CUdevice))ask(function, "cuDevicePrimaryCtxRetain"))(&context, 0));
    CU(((CUresult(*)(CUcontext))ask(function, "cuCtxSetCurrent"))(context));
    driver_free = (free_fn *)ask(function, "cuMemFree");
    driver_alloc = (alloc_fn *)ask(function, "cuMemAlloc");
}

int cudaMalloc(void **address, size_t bytes);
int cudaFree(void *address);

int cudaMalloc(void **address, size_t bytes)
{
    CUdeviceptr taken = 0;
    if (!driver_alloc)
        begin();
    int code = (int)driver_alloc(&taken, bytes);
    *address = (void *)(uintptr_t)taken;
    return code;
}

int cudaFree(void *address)
{
    return (int)driver_free((CUdeviceptr)(uintptr_t)address);
}
