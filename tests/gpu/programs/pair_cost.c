/* What an allocation and its free cost, below 25 frames: medians of 9 rounds, in nanoseconds per pair. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 9
#define DEPTH 22

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void async_pair(void)
{
    void *block;
    cudaMallocAsync(&block, 1024, 0);
    cudaFreeAsync(block, 0);
}

static void sync_pair(void)
{
    void *block;
    cudaMalloc(&block, 1024);
    cudaFree(block);
}

static double round_of(void (*pair)(void), int count)
{
    double start = now();
    for (int i = 0; i < count; i++)
        pair();
    return (now() - start) / count;
}

__attribute__((noinline)) static double deep(int depth, void (*pair)(void), int count)
{
    double result = depth == 0 ? round_of(pair, count) : deep(depth - 1, pair, count);
    __asm__ volatile(""); /* no tail call: the frame must stay */
    return result;
}

static double median(void (*pair)(void), int count)
{
    double times[ROUNDS];
    deep(DEPTH, pair, count);
    for (int i = 0; i < ROUNDS; i++)
        times[i] = deep(DEPTH, pair, count);
    qsort(times, ROUNDS, sizeof times[0], compare);
    return times[ROUNDS / 2];
}

int main(void)
{
    void *keep_pool;
    cudaMallocAsync(&keep_pool, 1024, 0);
    double async = median(async_pair, 20000), sync = median(sync_pair, 5000);
    printf("COST async_pair=%.0f sync_pair=%.0f\n", async, sync);
    cudaFreeAsync(keep_pool, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
