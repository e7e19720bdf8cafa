/* What every CUDA runtime from 11.2 on has, in C: balanced calls of each family, and one leak of each. Compiled against
 * the headers of one version and linked with its shared library. */
#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>

#define MIB ((size_t)1 << 20)
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code_ = (int)(call);                                                                                       \
        if (code_ != 0) {                                                                                              \
            printf("%s returned %d\n", #call, code_);                                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static void take_all(int keep)
{
    void *device, *pitched, *pinned, *managed, *async;
    size_t pitch;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaArray_t array;
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    CHECK(cudaMalloc(&device, 3 * MIB));
    CHECK(cudaMallocPitch(&pitched, &pitch, 100, 100));
    CHECK(cudaMallocHost(&pinned, MIB));
    CHECK(cudaMallocManaged(&managed, MIB, cudaMemAttachGlobal));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaMallocAsync(&async, 5 * MIB, stream));
    CHECK(cudaMallocArray(&array, &format, 256, 256, 0));
    CHECK(cudaMemcpyAsync(device, pinned, MIB, cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (keep)
        return;
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeAsync(async, stream));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(pitched));
    CHECK(cudaFree(device));
}

int main(void)
{
    int version = 0;
    for (int round = 0; round < 3; round++)
        take_all(0);
    take_all(1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaRuntimeGetVersion(&version));
    printf("compiled for %d, runs with %d\n", CUDART_VERSION, version);
    printf("EXPECT leaked_count=6 leaked_bytes=%zu api:cudaMalloc=%zu api:cudaMallocPitch=51200 api:cudaMallocHost=%zu "
           "api:cudaMallocManaged=%zu api:cudaMallocAsync=%zu api:cudaMallocArray=262144 objects:stream=1 "
           "objects:event=1\n",
           10 * MIB + 51200 + 262144, 3 * MIB, MIB, MIB, 5 * MIB);
    return 0;
}
