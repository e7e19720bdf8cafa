/* Frees 65,504 of 65,536 small blocks and gets nothing back: the driver cuts small blocks out of 2 MiB chunks,
 * and the last block in each chunk keeps all of it.
 *
 *     $ gpumemtrace run --simulate 8GiB -- ./fragment
 *     fragment: 32 KiB in 32 blocks hold 64 MiB of the device
 *     gpumemtrace: LEAK in ./fragment (pid 4711, on the simulated device): 32 blocks, 32.00 KiB, were never freed, at 1 call site
 *
 *     Leak 1 of 1: 32.00 KiB in 32 blocks of 1.00 KiB, device memory on device 0 (Simulated NVIDIA GPU), taken by cudaMalloc
 *         > main  examples/fragment.c:45
 *           65,504 other blocks from here were freed, the last by cudaFree in main (examples/fragment.c:49)
 *
 *     Peak of device memory on device 0 (Simulated NVIDIA GPU): 64.00 MiB in 65,536 blocks, 0.136 s after the start; held by
 *       100 %  64.00 MiB in 65,536 blocks: cudaMalloc in main (examples/fragment.c:45)
 *
 *     Totals of device 0 (Simulated NVIDIA GPU), 8.00 GiB
 *       device memory: never freed 32.00 KiB in 32 blocks, peak 64.00 MiB, taken in all 64.00 MiB in 65,536 blocks
 *
 *     Coverage: 131,314 calls to 6 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 6.00 MiB of host memory and none of the device's.
 *
 *     Next: free them; then keep it so with: gpumemtrace run --simulate 8GiB --leak-check -- ./fragment
 */
#include "check.h"

#define BLOCK_BYTES 1024u
#define CHUNK_BYTES (2u << 20) /* the driver cuts small blocks out of chunks of this size */
#define BLOCKS_PER_CHUNK (CHUNK_BYTES / BLOCK_BYTES)
#define CHUNKS 32
#define BLOCKS (CHUNKS * BLOCKS_PER_CHUNK)

static size_t device_used(void)
{
    size_t free_bytes, total_bytes;
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    return total_bytes - free_bytes;
}

int main(void)
{
    static void *blocks[BLOCKS];
    CHECK(cudaFree(NULL)); /* the context's own memory comes first and is not counted below */
    size_t used_before = device_used();

    for (unsigned i = 0; i < BLOCKS; i++)
        CHECK(cudaMalloc(&blocks[i], BLOCK_BYTES));
    /* One block in each chunk stays, and with it the whole chunk. */
    for (unsigned i = 0; i < BLOCKS; i++) {
        if (i % BLOCKS_PER_CHUNK != 0)
            CHECK(cudaFree(blocks[i]));
    }
    printf("fragment: %u KiB in %u blocks hold %zu MiB of the device\n", CHUNKS * BLOCK_BYTES >> 10, CHUNKS,
           (device_used() - used_before) >> 20);
    return 0;
}
