/* Built against another libc, with its loader: no start files, so that every symbol is bound to that libc's versions.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int init_fn(unsigned flags);
typedef int create_fn(void **context, unsigned flags, int device);
typedef int alloc_fn(unsigned long long *address, size_t bytes);
typedef int free_fn(unsigned long long address);

static int run(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) {
        puts(dlerror());
        return 1;
    }
    init_fn *init = (init_fn *)dlsym(driver, "cuInit");
    create_fn *create = (create_fn *)dlsym(driver, "cuCtxCreate_v2");
    alloc_fn *take = (alloc_fn *)dlsym(driver, "cuMemAlloc_v2");
    free_fn *give = (free_fn *)dlsym(driver, "cuMemFree_v2");
    if (!init || !create || !take || !give || dlsym(driver, "cuNoSuchFunction"))
        return 2;
    void *context;
    unsigned long long kept, freed;
    if (init(0) || create(&context, 0, 0) || take(&kept, 300) || take(&freed, 5) || give(freed))
        return 3;
    puts("done");
    return 0;
}

__attribute__((force_align_arg_pointer, visibility("default"))) void _start(void)
{
    exit(run());
}
