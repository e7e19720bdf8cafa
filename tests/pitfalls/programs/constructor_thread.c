/* A library whose constructor starts a thread that makes the process's first driver call, and waits for it: the
 * constructor's thread holds the loader's lock all the while. */
#include <pthread.h>

#include "program.h"

static void *allocate(void *argument)
{
    (void)argument;
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 3000));
    return NULL;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, allocate, NULL);
    pthread_join(thread, NULL);
}
