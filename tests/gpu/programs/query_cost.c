/* What the queries and clocks that the hooks use cost, in nanoseconds: the fastest of 50 batches. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define BATCHES 50
#define CALLS 2000

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static CUcontext context;
static CUdevice device;
static uint64_t word;
static struct timespec coarse;

static void get_current(void)
{
    cuCtxGetCurrent(&context);
}

static void get_device(void)
{
    cuCtxGetDevice(&device);
}

static void memory_info(void)
{
    size_t free_bytes, total_bytes;
    cuMemGetInfo(&free_bytes, &total_bytes);
}

static void coarse_clock(void)
{
    clock_gettime(CLOCK_MONOTONIC_COARSE, &coarse);
}

static void atomic_add(void)
{
    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

static void nothing(void)
{
    __asm__ volatile("");
}

static void measure(const char *name, void (*call)(void))
{
    double best = 1e18;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = now();
        for (int i = 0; i < CALLS; i++)
            call();
        double each = (now() - start) / CALLS;
        best = each < best ? each : best;
    }
    printf("COST %s=%.1f\n", name, best);
}

int main(void)
{
    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return 1;
    measure("nothing", nothing);
    measure("cuCtxGetCurrent", get_current);
    measure("cuCtxGetDevice", get_device);
    measure("cuMemGetInfo", memory_info);
    measure("clock_coarse", coarse_clock);
    measure("atomic_add", atomic_add);
    return 0;
}
