/* carrier_looks_up MODE SNIPPET: the driver's functions by `dlsym` on the handle, by `default` scope after a global
 * dlopen, by `deep` handle, or through cuGetProcAddress with a CUDA version (11030, 12000, 13000). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_functions.h"

typedef CUresult v1_fn(const char *, void **, int, cuuint64_t);
typedef CUresult v2_fn(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);

/* `mine` is the version that this carrier stands for: it says which of the two look-ups is used. */
static void *ask(void *driver, const char *name, int mine, int version, cuuint64_t flags)
{
    void *found = NULL;
    v1_fn *v1 = mine < 12000 ? (v1_fn *)dlsym(driver, "cuGetProcAddress") : NULL;
    v2_fn *v2 = mine < 12000 ? NULL : (v2_fn *)dlsym(driver, "cuGetProcAddress_v2");
    version = version ? version : mine;
    int code = v1 ? (int)v1(name, &found, version, flags) : v2 ? (int)v2(name, &found, version, flags, NULL) : -1;
    if (code != 0 || !found) {
        printf("%s: code %d\n", name, code);
        exit(1);
    }
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int version = atoi(argv[1]);
    int by_default = strcmp(argv[1], "default") == 0;
    int flags = by_default ? RTLD_GLOBAL : RTLD_LOCAL;
    flags |= strcmp(argv[1], "deep") == 0 ? RTLD_DEEPBIND : 0;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | flags);
    void *where = by_default ? RTLD_DEFAULT : driver;
    struct driver_functions functions = {
#define X(exported, symbol, first, flags_, parameters)                                                                 \
    .exported =                                                                                                        \
        (CUresult(*) parameters)(version ? ask(driver, #symbol, version, first, flags_) : dlsym(where, #exported)),
        DRIVER_FUNCTIONS(X)
#undef X
    };
    run_driver_snippet(&functions, argv[2]);
    return 0;
}
