/* churn THREADS PAIRS: threads that allocate and free as fast as they can, and what one pair costs; memory of the
 * process after a tenth and at the end. */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "program.h"

static long pairs;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!statm || fscanf(statm, "%ld %ld", &size, &resident) != 2)
        exit(2);
    fclose(statm);
    return resident;
}

static void *work(void *argument)
{
    CUdeviceptr p;
    use_device();
    for (long i = 0; i < *(long *)argument; i++) {
        CU(cuMemAlloc(&p, 64));
        CU(cuMemFree(p));
    }
    return NULL;
}

/* Seconds that `threads` threads need for `each` pairs each. */
static double run_threads(int threads, long each)
{
    pthread_t thread[64];
    double started = now();
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, &each);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return now() - started;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    pairs = argc > 2 ? atol(argv[2]) : 1000;
    double first = run_threads(threads, pairs / 10 / threads);
    long pages = resident_pages();
    double rest = run_threads(threads, pairs * 9 / 10 / threads);
    printf("first %.1f rest %.1f ns, resident %ld %ld KiB\n", first * 1e9 / ((double)pairs / 10),
           rest * 1e9 / ((double)pairs * 9 / 10), pages * (sysconf(_SC_PAGESIZE) / 1024),
           resident_pages() * (sysconf(_SC_PAGESIZE) / 1024));
    return 0;
}
