/* Two devices in one process: memory of each, peer access, a block freed while another device is current, a stream and
 * a pool of the other device. Says what a report has to tell of it. With one device it ends with 77. */
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

/* Waits for the work of both devices, so that nothing is left to be given back. */
static void settle(void)
{
    for (int device = 1; device >= 0; device--) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaDeviceSynchronize());
    }
}

int main(void)
{
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("skipped: %d device\n", devices);
        return 77;
    }
    void *on_first, *on_second, *freed_elsewhere, *of_stream, *of_pool;
    cudaStream_t stream;
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {cudaMemLocationTypeDevice, 1}};
    cudaMemPool_t pool;

    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&on_second, 3 * MIB));
    CHECK(cudaMalloc(&freed_elsewhere, 5 * MIB));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&on_first, 2 * MIB));
    CHECK(cudaFree(freed_elsewhere));

    /* Both of these take memory of device 1 while device 0 is current. */
    CHECK(cudaMallocAsync(&of_stream, 7 * MIB, stream));
    CHECK(cudaMemPoolCreate(&pool, &properties));
    CHECK(cudaMallocFromPoolAsync(&of_pool, 9 * MIB, pool, stream));
    CHECK(cudaStreamSynchronize(stream));

    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (can)
        CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaMemcpyPeer(on_first, 0, on_second, 1, MIB));
    settle();
    printf("EXPECT leaked_count=4 leaked_bytes=%zu device0_live=%zu device1_live=%zu device1_total=%zu\n", 21 * MIB,
           2 * MIB, 19 * MIB, 24 * MIB);
    return 0;
}
