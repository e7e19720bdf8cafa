/* The wrapper is linked before the library that it wraps. */
#include <dlfcn.h>
#include <stdio.h>

int foo(void);

int main(void)
{
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "foo");
    int (*first)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "foo");
    printf("%d %d %d\n", foo(), next ? next() : -1, first ? first() : -1);
    return 0;
}
