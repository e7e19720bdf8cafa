/* A library that looks for its own symbol while it is being loaded. */
#include <dlfcn.h>
#include <stdio.h>

int own_symbol(void);

int own_symbol(void)
{
    return 7;
}

__attribute__((constructor)) static void look(void)
{
    printf("next %s, default %s\n", dlsym(RTLD_NEXT, "own_symbol") ? "found" : "none",
           dlsym(RTLD_DEFAULT, "own_symbol") == (void *)own_symbol ? "own" : "none");
}
