/* Allocates without end until a timer's signal handler calls exit. */
#include <signal.h>
#include <sys/time.h>

#include "program.h"

static void leave(int number)
{
    (void)number;
    exit(5);
}

int main(int argc, char **argv)
{
    long microseconds = argc > 1 ? atol(argv[1]) : 1000;
    struct itimerval timer = {.it_value = {.tv_usec = microseconds}};
    CUdeviceptr p;
    use_device();
    signal(SIGALRM, leave);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (;;) {
        if (cuMemAlloc(&p, 64) == CUDA_SUCCESS)
            cuMemFree(p);
    }
}
