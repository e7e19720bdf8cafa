/* Calls dlsym before main, for a driver name and for others, and allocates afterwards from two threads at one place. */
#include <pthread.h>
#include <string.h>

#include "program.h"

static int early;

__attribute__((constructor)) static void look(void)
{
    early += dlsym(RTLD_DEFAULT, "strlen") != NULL;
    early += dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") != NULL;
    early += dlsym(RTLD_NEXT, "cuMemAlloc_v2") != NULL;
    early += dlsym(RTLD_DEFAULT, "cuNoSuchThing") == NULL;
}

static void *allocate(void *argument)
{
    CUdeviceptr kept, freed;
    use_device();
    for (int i = 0; i < 50; i++) {
        CU(cuMemAlloc(&freed, 100));
        CU(cuMemFree(freed));
    }
    CU(cuMemAlloc(&kept, 1500));
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    char *heap = malloc(10);
    strcpy(heap, "heap");
    printf("%d %s\n", early, heap);
    free(heap);
    return 0;
}
