/* Wraps foo and calls the next one: libc tells "next" by the return address of the dlsym call. */
#include <dlfcn.h>

int foo(void);

int foo(void)
{
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "foo");
    return 10 + (next ? next() : 1000);
}
