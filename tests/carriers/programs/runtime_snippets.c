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
    void *block[4], *host[2];
    size_t pitch = 0;
    EXPECT(cudaMalloc(&block[0], 1000), 0);
    EXPECT(cudaMallocPitch(&block[1], &pitch, 1000, 16), 0);
    EXPECT(cudaMallocManaged(&block[2], 3000, cudaMemAttachGlobal), 0);
    EXPECT(cudaMallocAsync(&block[3], 4000, NULL), 0);
    EXPECT(cudaMallocHost(&host[0], 5000), 0);
    EXPECT(cudaHostAlloc(&host[1], 6000, cudaHostAllocDefault), 0);
    if (!give_back)
        return;
    for (int i = 0; i < 3; i++)
        EXPECT(cudaFree(block[i]), 0);
    EXPECT(cudaFreeAsync(block[3], NULL), 0);
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

void run_snippet(const char *name)
{
    if (strcmp(name, "leak") == 0)
        leak();
    else if (strcmp(name, "fail") == 0)
        fail();
    else
        take_all(strcmp(name, "free") == 0);
    printf("%s done\n", name);
    fflush(stdout);
}
