/* loads_library NAME: loads it and says so. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%s\n", argc > 1 && dlopen(argv[1], RTLD_NOW) ? "loaded" : "not loaded");
    return 0;
}
