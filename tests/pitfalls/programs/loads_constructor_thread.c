/* Loads constructor_thread.so at run time. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    printf("%s\n", dlopen("constructor_thread.so", RTLD_NOW) ? "loaded" : dlerror());
    return 0;
}
