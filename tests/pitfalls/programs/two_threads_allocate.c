/* Two threads each allocate once, at the same time. */
#include <pthread.h>

#include "program.h"

static void *allocate(void *argument)
{
    (void)argument;
    CUdeviceptr p;
    use_device();
    CU(cuMemAlloc(&p, 1500));
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    printf("both returned\n");
    return 0;
}
