/* Stream-ordered memory out of two pools, one of which keeps what is freed. Kept is not leaked: the report
 * names the one block that nobody gave back.
 *
 *     $ gpumemtrace run --simulate 8GiB -- ./pool
 *     pool: 20 steps
 *     gpumemtrace: LEAK in ./pool (pid 4711, on the simulated device): 1 block, 16.00 MiB, was never freed, at 1 call site
 *
 *     Leak 1 of 1: 16.00 MiB in 1 block, stream-ordered device memory on device 0 (Simulated NVIDIA GPU), taken by cudaMallocFromPoolAsync
 *         > main  examples/pool.c:78
 *
 *     Objects still there at the end
 *       1 memory pool (created 1, destroyed 0): cudaMemPoolCreate in create_pool (examples/pool.c:52) < main (examples/pool.c:75)
 *
 *     Peak of device memory on device 0 (Simulated NVIDIA GPU): 144.0 MiB in 3 blocks, 0.000 s after the start; held by
 *        67 %  96.00 MiB in 1 block: cudaMallocFromPoolAsync in step (examples/pool.c:63) < main (examples/pool.c:80)
 *        22 %  32.00 MiB in 1 block: cudaMallocAsync in step (examples/pool.c:64) < main (examples/pool.c:80)
 *        11 %  16.00 MiB in 1 block: cudaMallocFromPoolAsync in main (examples/pool.c:78)
 *
 *     Totals of device 0 (Simulated NVIDIA GPU), 8.00 GiB
 *       device memory: never freed 16.00 MiB in 1 block, peak 144.0 MiB, taken in all 2.52 GiB in 41 blocks
 *         of it stream-ordered device memory: 2.52 GiB in 41 blocks
 *
 *     Totals of objects and address space
 *       1 stream created, 0 still there
 *       1 memory pool created, 1 still there
 *
 *     Memory pools
 *       Created pool of device 0 (Simulated NVIDIA GPU): its figures were never read
 *           keeps everything: release threshold set 0.000 s after the start by cudaMemPoolSetAttribute in create_pool (examples/pool.c:55) < main (examples/pool.c:75)
 *
 *     Coverage: 399 calls to 13 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 1.00 MiB of host memory and none of the device's.
 *
 *     Next: free them; then keep it so with: gpumemtrace run --simulate 8GiB --leak-check -- ./pool
 */
#include "check.h"
#include <stdint.h>
#include <string.h>

#define MIB ((size_t)1 << 20)
#define STEPS 20

static cudaMemPool_t create_pool(void)
{
    struct cudaMemPoolProps properties;
    memset(&properties, 0, sizeof(properties));
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;

    cudaMemPool_t pool;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    /* What is freed stays with the pool, so that the next step takes it again without asking the device. */
    uint64_t keep_all = UINT64_MAX;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all));
    return pool;
}

/* One step of work: activations from the program's own pool, scratch from the device's default one. */
static void step(cudaStream_t stream, cudaMemPool_t pool)
{
    void *activations, *scratch;
    CHECK(cudaMallocFromPoolAsync(&activations, 96 * MIB, pool, stream));
    CHECK(cudaMallocAsync(&scratch, 32 * MIB, stream));
    CHECK(cudaMemsetAsync(activations, 0, MIB, stream));
    CHECK(cudaMemsetAsync(scratch, 0, MIB, stream));
    CHECK(cudaFreeAsync(scratch, stream));
    CHECK(cudaFreeAsync(activations, stream));
}

int main(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaMemPool_t pool = create_pool();

    void *history; /* taken once, never given back: the only leak, whatever the pools still hold */
    CHECK(cudaMallocFromPoolAsync(&history, 16 * MIB, pool, stream));
    for (int i = 0; i < STEPS; i++)
        step(stream, pool);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    printf("pool: %d steps\n", STEPS);
    return 0;
}
