/* carrier_loads MODE SNIPPET LIBRARY: the snippet is in a library that is loaded at run time, `local`, `global` or
 * `deep` (RTLD_DEEPBIND: it prefers its own dependencies to the global scope). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int flags = RTLD_NOW;
    flags |= strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    flags |= strcmp(argv[1], "deep") == 0 ? RTLD_DEEPBIND : 0;
    void *library = dlopen(argv[3], flags);
    void (*run)(const char *) = library ? (void (*)(const char *))dlsym(library, "run_snippet") : NULL;
    if (!run) {
        printf("%s\n", dlerror());
        return 1;
    }
    run(argv[2]);
    dlclose(library);
    return 0;
}
