/* Fills the device step by step until a request does not fit, drops half of what it holds, and goes on.
 *
 *     $ gpumemtrace run --simulate 8GiB -- ./oom
 *     gpumemtrace: OUT OF MEMORY in ./oom (pid 4711, on the simulated device): cudaMalloc asked for 3.50 GiB on device 0 (Simulated NVIDIA GPU), 2.24 GiB of 8.00 GiB free
 *         > main  examples/oom.c:38
 *       Live at that moment: 5.25 GiB of device memory in 6 blocks
 *       100 %  5.25 GiB in 6 blocks: cudaMalloc in main (examples/oom.c:34)
 *     oom: did not fit at first, fitted after half of the cache was dropped
 *     gpumemtrace: no leaks in ./oom (pid 4711, on the simulated device): 7 blocks were taken and all were freed; peak 6.13 GiB on device 0 (Simulated NVIDIA GPU); 1 request did not fit, and the program went on
 *
 *     Out of memory 1 of 1, 0.000 s after the start (the program went on): cudaMalloc asked for 3.50 GiB on device 0 (Simulated NVIDIA GPU), 2.24 GiB of 8.00 GiB free
 *         > main  examples/oom.c:38
 *       Live at that moment: 5.25 GiB of device memory in 6 blocks
 *       100 %  5.25 GiB in 6 blocks: cudaMalloc in main (examples/oom.c:34)
 *
 *     Coverage: 288 calls to 6 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 1.00 MiB of host memory and none of the device's.
 */
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
