/* A library with a pool that it empties when it goes, as static objects of C++ libraries do: after exit handlers, in
 * its destructor. */
#include "program.h"

static CUdeviceptr pool[4];

void fill_pool(void);

void fill_pool(void)
{
    use_device();
    for (int i = 0; i < 4; i++)
        CU(cuMemAlloc(&pool[i], 1000));
}

static void free_first(void)
{
    cuMemFree(pool[0]);
}

__attribute__((constructor)) static void begin(void)
{
    atexit(free_first);
}

__attribute__((destructor)) static void end(void)
{
    for (int i = 1; i < 4; i++)
        cuMemFree(pool[i]);
}
