// Takes memory through every runtime function that is followed, frees half of it, and says what a tracer must have
// seen. Built with static and with shared cudart. With the argument "reset" it ends by cudaDeviceReset, which takes the
// rest.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t result = (call);                                                                                   \
        if (result != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(result));                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__global__ void add_one(float *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] += 1.0f;
}

static void run_kernel()
{
    const int count = 1 << 18;
    float *values = nullptr;
    CHECK(cudaMalloc(&values, count * sizeof(float))); // 1 MiB, freed
    CHECK(cudaMemset(values, 0, count * sizeof(float)));
    add_one<<<count / 256, 256>>>(values, count);
    CHECK(cudaGetLastError());
    float first = 0;
    CHECK(cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost));
    printf("kernel %.0f\n", first);
    CHECK(cudaFree(values));
}

struct Held {
    void *device, *pitched, *managed, *host, *mapped, *async, *pooled;
    cudaPitchedPtr volume;
    size_t pitch;
};

static void take(Held *held, cudaStream_t stream, cudaMemPool_t pool)
{
    CHECK(cudaMalloc(&held->device, 3000000));
    CHECK(cudaMallocPitch(&held->pitched, &held->pitch, 1000, 100));
    CHECK(cudaMalloc3D(&held->volume, make_cudaExtent(500, 10, 4)));
    CHECK(cudaMallocManaged(&held->managed, 1 << 20));
    CHECK(cudaMallocHost(&held->host, 70000));
    CHECK(cudaHostAlloc(&held->mapped, 80000, cudaHostAllocMapped));
    CHECK(cudaMallocAsync(&held->async, 500000, stream));
    CHECK(cudaMallocFromPoolAsync(&held->pooled, 600000, pool, stream));
    CHECK(cudaStreamSynchronize(stream));
}

static void give(Held *held, cudaStream_t stream)
{
    CHECK(cudaFree(held->device));
    CHECK(cudaFree(held->pitched));
    CHECK(cudaFree(held->volume.ptr));
    CHECK(cudaFree(held->managed));
    CHECK(cudaFreeHost(held->host));
    CHECK(cudaFreeHost(held->mapped));
    CHECK(cudaFreeAsync(held->async, stream));
    CHECK(cudaFree(held->pooled)); // mixed pairs are legal
    CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **argv)
{
    cudaStream_t stream;
    cudaMemPool_t pool;
    CHECK(cudaFree(0));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    run_kernel();
    Held freed = {}, leaked = {};
    take(&freed, stream, pool);
    take(&leaked, stream, pool);
    give(&freed, stream);
    size_t pitched = leaked.pitch * 100, volume = leaked.volume.pitch * 10 * 4;
    printf("EXPECT leaked_count=8 leaked_bytes=%zu\n",
           3000000 + pitched + volume + (1 << 20) + 70000 + 80000 + 500000 + 600000);
    printf("EXPECT api:cudaMalloc=3000000 api:cudaMallocPitch=%zu api:cudaMalloc3D=%zu api:cudaMallocManaged=1048576 "
           "api:cudaMallocHost=70000 api:cudaHostAlloc=80000 api:cudaMallocAsync=500000 "
           "api:cudaMallocFromPoolAsync=600000\n",
           pitched, volume);
    printf("EXPECT peak_device_bytes=%zu\n", 2 * (3000000 + pitched + volume + 500000 + 600000));
    if (argc > 1 && strcmp(argv[1], "reset") == 0)
        CHECK(cudaDeviceReset());
    return 0;
}
