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
