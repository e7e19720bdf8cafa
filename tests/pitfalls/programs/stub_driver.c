/* A driver as on WSL: libcuda.so.1 only loads the core and passes every call on to it. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define PASS(name)                                                                                                     \
    long name(long a, long b, long c, long d, long e, long f);                                                         \
    __attribute__((visibility("default"))) long name(long a, long b, long c, long d, long e, long f)                   \
    {                                                                                                                  \
        static long (*core)(long, long, long, long, long, long);                                                       \
        if (!core)                                                                                                     \
            core = (long (*)(long, long, long, long, long, long))in_core(#name);                                       \
        return core(a, b, c, d, e, f);                                                                                 \
    }

static void *in_core(const char *name)
{
    static void *core;
    if (!core)
        core = dlopen(CORE, RTLD_NOW | RTLD_LOCAL);
    return dlsym(core, name);
}

PASS(cuInit)
PASS(cuDriverGetVersion)
PASS(cuDeviceGetName)
PASS(cuDeviceTotalMem_v2)
PASS(cuDeviceGetUuid_v2)
PASS(cuDevicePrimaryCtxRetain)
PASS(cuCtxGetCurrent)
PASS(cuCtxSetCurrent)
PASS(cuCtxGetDevice)
PASS(cuMemGetInfo_v2)
PASS(cuMemAlloc_v2)
PASS(cuMemFree_v2)
PASS(cuGetProcAddress_v2)
