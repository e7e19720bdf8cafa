/* A library that is linked, so that its constructor runs before a preload's: eight threads make the process's first
 * driver calls at the same instant. */
#include <pthread.h>

#include "program.h"

static pthread_barrier_t barrier;

static void *allocate(void *argument)
{
    CUdeviceptr p;
    pthread_barrier_wait(&barrier);
    use_device();
    for (int i = 0; i < 20; i++)
        CU(cuMemAlloc(&p, 10));
    return argument;
}

int wait_for_threads(void);

int wait_for_threads(void)
{
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread[8];
    pthread_barrier_init(&barrier, NULL, 8);
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
}
