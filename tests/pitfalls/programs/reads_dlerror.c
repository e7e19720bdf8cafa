/* What dlerror() says before and after driver calls, and whether a pending text survives them. */
#include <string.h>

#include "program.h"

static void tell(const char *when)
{
    const char *text = dlerror();
    printf("%s: %s\n", when, text ? text : "nothing");
}

int main(void)
{
    CUdeviceptr p;
    tell("at the start");
    use_device();
    CU(cuMemAlloc(&p, 3000));
    cuMemFree(77);
    tell("after calls");
    dlsym(RTLD_DEFAULT, "no_such_symbol_at_all");
    CU(cuMemFree(p));
    tell("a pending text");
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!dlsym(driver, "cuMemAlloc_v2"))
        printf("no cuMemAlloc_v2\n");
    tell("after a name that is there");
    dlsym(driver, "cuMemAllocManaged_v7");
    tell("after a name that is missing");
    return 0;
}
