/* Loads own_symbol.so in both ways. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *library = dlopen("own_symbol.so", RTLD_NOW | RTLD_LOCAL);
    int (*found)(void) = library ? (int (*)(void))dlsym(library, "own_symbol") : NULL;
    printf("%d\n", found ? found() : -1);
    dlclose(library);
    library = dlopen("own_symbol.so", RTLD_LAZY | RTLD_GLOBAL);
    printf("%s\n", dlsym(RTLD_DEFAULT, "own_symbol") ? "found" : "none");
    return !library;
}
