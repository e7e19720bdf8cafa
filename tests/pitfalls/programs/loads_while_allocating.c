/* One thread loads and unloads a library that allocates in its constructor, seven others allocate: the loader's lock,
 * the tracer's and the unwinder's meet in every order. */
#include <pthread.h>
#include <time.h>

#include "program.h"

static int stop;

static void *allocate(void *argument)
{
    (void)argument;
    CUdeviceptr p;
    use_device();
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        CU(cuMemAlloc(&p, 64));
        CU(cuMemFree(p));
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[7];
    use_device();
    for (int i = 0; i < 7; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 300; i++) {
        void *plugin = dlopen("allocating_plugin.so", RTLD_NOW | RTLD_LOCAL);
        if (!plugin)
            printf("%s\n", dlerror());
        else
            dlclose(plugin);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 7; i++)
        pthread_join(thread[i], NULL);
    printf("done\n");
    return 0;
}
