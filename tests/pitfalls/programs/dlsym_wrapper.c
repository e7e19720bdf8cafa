/* Another tool's preload that exports a dlsym of its own, and finds the real one as such tools do. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name)
{
    static void *(*next)(void *, const char *);
    if (!next)
        next = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
    if (!next)
        abort();
    return next(handle, name);
}
