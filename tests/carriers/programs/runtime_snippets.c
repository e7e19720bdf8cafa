/* The same snippets in terms of the runtime's functions, by link. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snippet.h"

static void expect(int code, int wanted, const char *call)
{
    if (code == wanted)
        return;
    printf("%s: code %d, not %d\n", call, code, wanted);
    exit(1);
}
#define EXPECT(call, wanted) expect((int)(call), (wanted), #call)

static void leak(void)
{
    void *kept, *freed;
    EXPECT(cudaMalloc(&kept, 1000), 0);
    EXPECT(cudaMalloc(&freed, 2000), 0);
    EXPECT(cudaFree(freed), 0);
}

static void take_all(int give_back)
{
    void *block[5], *host[2];
    struct cudaPitchedPtr box;
    size_t pitch = 0;
    cudaMemPool_t pool;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0), 0);
    EXPECT(cudaMalloc(&block[0], 1000), 0);
    EXPECT(cudaMallocPitch(&block[1], &pitch, 1000, 16), 0);
    EXPECT(cudaMalloc3D(&box, (struct cudaExtent){.width = 500, .height = 4, .depth = 2}), 0);
    EXPECT(cudaMallocManaged(&block[2], 3000, cudaMemAttachGlobal), 0);
    EXPECT(cudaMallocAsync(&block[3], 4000, NULL), 0);
    EXPECT(cudaMallocFromPoolAsync(&block[4], 7000, pool, NULL), 0);
    EXPECT(cudaMallocHost(&host[0], 5000), 0);
    EXPECT(cudaHostAlloc(&host[1], 6000, cudaHostAllocDefault), 0);
    if (!give_back)
        return;
    for (int i = 0; i < 3; i++)
        EXPECT(cudaFree(block[i]), 0);
    EXPECT(cudaFree(box.ptr), 0);
    EXPECT(cudaFreeAsync(block[3], NULL), 0);
    EXPECT(cudaFreeAsync(block[4], NULL), 0);
    EXPECT(cudaFreeHost(host[0]), 0);
    EXPECT(cudaFreeHost(host[1]), 0);
}

static void fail(void)
{
    void *kept, *none;
    EXPECT(cudaMalloc(&kept, 1000), 0);
    EXPECT(cudaMalloc(&none, (size_t)1 << 46), cudaErrorMemoryAllocation);
    EXPECT(cudaFree((void *)12345), cudaErrorInvalidValue);
    EXPECT(cudaFree(kept), 0);
}

static void kinds(void)
{
    take_all(0);
}

static void give_all_back(void)
{
    take_all(1);
}

/* What programs call that were built with a default stream for each thread. */
cudaError_t cudaMallocAsync_ptsz(void **address, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync_ptsz(void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync_ptsz(void *address, cudaStream_t stream);

static void twins(void)
{
    void *block[3];
    cudaMemPool_t pool;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0), 0);
    EXPECT(cudaMallocAsync_ptsz(&block[0], 100, NULL), 0);
    EXPECT(cudaMallocFromPoolAsync_ptsz(&block[1], 200, pool, NULL), 0);
    EXPECT(cudaMallocAsync_ptsz(&block[2], 400, NULL), 0);
    EXPECT(cudaFreeAsync_ptsz(block[2], NULL), 0);
}

static void reset(void)
{
    void *block;
    EXPECT(cudaMalloc(&block, 1000), 0);
    EXPECT(cudaDeviceReset(), 0);
    EXPECT(cudaMalloc(&block, 2000), 0);
    EXPECT(cudaFree(block), 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} snippets[] = {
    {"leak", leak}, {"kinds", kinds}, {"free", give_all_back}, {"fail", fail}, {"twins", twins}, {"reset", reset},
};

void run_snippet(const char *name)
{
    for (size_t i = 0; i < sizeof snippets / sizeof snippets[0]; i++) {
        if (strcmp(name, snippets[i].name) == 0)
            snippets[i].run();
    }
    printf("%s done\n", name);
    fflush(stdout);
}
