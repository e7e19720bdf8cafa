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
