/* asks_default_scope none|global|local: which driver names the global scope has, with the driver not loaded or loaded
 * in one of two ways. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"cuInit", "cuMemAlloc_v2", "cuGetProcAddress_v2", "cuMemAllocAsync_ptsz"};
    const char *how = argc > 1 ? argv[1] : "none";
    void *driver = NULL;
    if (strcmp(how, "global") == 0)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (strcmp(how, "local") == 0)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; i < 4; i++)
        printf("%s %d %d\n", names[i], dlsym(RTLD_DEFAULT, names[i]) != NULL, driver && dlsym(driver, names[i]));
    return 0;
}
