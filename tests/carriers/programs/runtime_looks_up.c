/* runtime_looks_up dlsym|11030|12000|13000 SNIPPET: the runtime's functions by dlsym on its handle, or the driver's
 * through cudaGetDriverEntryPointByVersion. */
#include "driver_functions.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*runtime_malloc)(void **, size_t);
static int (*runtime_free)(void *);

static void leak(void)
{
    void *kept, *freed;
    printf("%d", runtime_malloc(&kept, 1000));
    printf(" %d", runtime_malloc(&freed, 2000));
    printf(" %d\n", runtime_free(freed));
}

static void *ask(void *runtime, const char *name, unsigned int version, unsigned long long flags)
{
    typedef cudaError_t ask_fn(const char *, void **, unsigned int, unsigned long long, int *);
    void *found = NULL;
    int status = -1;
    ask_fn *entry_point = (ask_fn *)dlsym(runtime, "cudaGetDriverEntryPointByVersion");
    int code = entry_point ? (int)entry_point(name, &found, version, flags, &status) : -1;
    if (code != 0 || !found) {
        printf("%s: code %d, status %d\n", name, code, status);
        exit(1);
    }
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    unsigned int version = (unsigned int)atoi(argv[1]);
    void *runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!runtime) {
        printf("%s\n", dlerror());
        return 1;
    }
    if (version) {
        struct driver_functions functions = {
#define X(exported, symbol, first, flags, parameters)                                                                  \
    .exported = (CUresult(*) parameters)ask(runtime, #symbol, first ? first : version, flags),
            DRIVER_FUNCTIONS(X)
#undef X
        };
        run_driver_snippet(&functions, argv[2]);
        return 0;
    }
    runtime_malloc = (int (*)(void **, size_t))dlsym(runtime, "cudaMalloc");
    runtime_free = (int (*)(void *))dlsym(runtime, "cudaFree");
    leak();
    return 0;
}
