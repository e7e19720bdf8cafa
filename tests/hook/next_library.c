/* Two of these are loaded one behind the other; each asks, from its own code, for the next definition of a name. */
#include <dlfcn.h>

#pragma GCC visibility push(default)
void *next_of(const char *name);
int shared_by_both(void);
int cuSharedByBoth(void);
#pragma GCC visibility pop

void *next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    __asm__ volatile("" ::"r"(found)); /* a jump to dlsym would not tell whose next is asked for */
    return found;
}

int shared_by_both(void)
{
    return 1;
}

int cuSharedByBoth(void)
{
    return 2;
}
