/* The main thread ends first; the thread that stays makes the first CUDA call, and leaks. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

static void await_zombie(void)
{
    char line[512] = "";
    do {
        FILE *stat = fopen("/proc/self/stat", "r");
        if (!stat || !fgets(line, sizeof line, stat))
            exit(2);
        fclose(stat);
        usleep(1000);
    } while (!strstr(line, ") Z "));
}

static void *stay(void *argument)
{
    CUdeviceptr p;
    await_zombie();
    use_device();
    CU(cuMemAlloc(&p, 3000));
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
    pthread_exit(NULL);
}
