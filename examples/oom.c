#include "check.h"

#define PARTS 8
#define PARTS_FILLED 6
#define MIB ((size_t)1 << 20)

int main(void)
{
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    size_t part = free_bytes / PARTS / (64 * MIB) * (64 * MIB);

    /* A cache that grows with the input... */
    void *cache[PARTS_FILLED];
    for (int i = 0; i < PARTS_FILLED; i++)
        CHECK(cudaMalloc(&cache[i], part));

    /* ...until the work itself no longer fits: half the device is asked for, a quarter is left. */
    void *work;
    cudaError_t error = cudaMalloc(&work, PARTS / 2 * part);
    if (error != cudaErrorMemoryAllocation) {
        fprintf(stderr, "oom: expected to run out of memory, got: %s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaGetLastError(); /* the runtime would hand the error to the next caller who asks */

    /* The program drops half of its cache and goes on. */
    for (int i = 0; i < PARTS_FILLED / 2; i++)
        CHECK(cudaFree(cache[i]));
    CHECK(cudaMalloc(&work, PARTS / 2 * part));
    CHECK(cudaFree(work));
    for (int i = PARTS_FILLED / 2; i < PARTS_FILLED; i++)
        CHECK(cudaFree(cache[i]));
    printf("oom: did not fit at first, fitted after half of the cache was dropped\n");
    return 0;
}
