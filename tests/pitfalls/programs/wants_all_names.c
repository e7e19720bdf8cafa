/* A loader that gives up when one of hundreds of names is missing, and then says which followed names there are. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const followed[] = {"cuInit", "cuMemAlloc_v2", "cuMemFree_v2", "cuGetProcAddress_v2"};
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver)
        return 1;
    for (int i = 0; i < 500; i++) {
        char name[16];
        snprintf(name, sizeof name, "cuName%03d", i);
        if (!dlsym(driver, name))
            abort();
    }
    for (int i = 0; i < 4; i++) {
        printf("%s:", followed[i]);
        printf(" handle %s,", dlsym(driver, followed[i]) ? "there" : dlerror() ? "missing" : "missing without a word");
        printf(" default %s\n", dlsym(RTLD_DEFAULT, followed[i]) ? "there" : "missing");
    }
    return 0;
}
