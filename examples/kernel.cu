/* Adds two vectors on the device and forgets one of them.
 *
 *     $ gpumemtrace run --simulate 8GiB -- ./kernel
 *     kernel: added 16777216 pairs
 *     gpumemtrace: LEAK in ./kernel (pid 4711, on the simulated device): 1 block, 64.00 MiB, was never freed, at 1 call site
 *
 *     Leak 1 of 1: 64.00 MiB in 1 block, device memory on device 0 (Simulated NVIDIA GPU), taken by cudaMalloc
 *         > to_device      examples/kernel.cu:41
 *           add_on_device  examples/kernel.cu:50
 *           main           examples/kernel.cu:63
 *
 *     Peak of device memory on device 0 (Simulated NVIDIA GPU): 192.0 MiB in 3 blocks, 0.108 s after the start; held by
 *        33 %  64.00 MiB in 1 block: cudaMalloc in to_device (examples/kernel.cu:41) < add_on_device (examples/kernel.cu:49) < main (examples/kernel.cu:63)
 *        33 %  64.00 MiB in 1 block: cudaMalloc in to_device (examples/kernel.cu:41) < add_on_device (examples/kernel.cu:50) < main (examples/kernel.cu:63)
 *        33 %  64.00 MiB in 1 block: cudaMalloc in add_on_device (examples/kernel.cu:52) < main (examples/kernel.cu:63)
 *
 *     Totals of device 0 (Simulated NVIDIA GPU), 8.00 GiB
 *       device memory: never freed 64.00 MiB in 1 block, peak 192.0 MiB, taken in all 192.0 MiB in 3 blocks
 *
 *     Coverage: 283 calls to 10 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 1.00 MiB of host memory and none of the device's.
 *
 *     Next: free them; then keep it so with: gpumemtrace run --simulate 8GiB --leak-check -- ./kernel
 */
#include "check.h"
#include <vector>

static const size_t COUNT = 16 << 20;
static const size_t BYTES = COUNT * sizeof(float);

__global__ void add(const float *left, const float *right, float *sum, size_t count)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = left[i] + right[i];
}

static float *to_device(const std::vector<float> &values)
{
    float *copy;
    CHECK(cudaMalloc((void **)&copy, BYTES));
    CHECK(cudaMemcpy(copy, values.data(), BYTES, cudaMemcpyHostToDevice));
    return copy;
}

/* The simulated device accepts kernels and does not execute them: what the sum holds is not looked at. */
static void add_on_device(const std::vector<float> &left, const std::vector<float> &right, std::vector<float> &sum)
{
    float *device_left = to_device(left);
    float *device_right = to_device(right); /* the mistake: nobody frees this one */
    float *device_sum;
    CHECK(cudaMalloc((void **)&device_sum, BYTES));
    add<<<(COUNT + 255) / 256, 256>>>(device_left, device_right, device_sum, COUNT);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sum.data(), device_sum, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_sum));
    CHECK(cudaFree(device_left));
}

int main()
{
    std::vector<float> left(COUNT, 1.0f), right(COUNT, 2.0f), sum(COUNT);
    add_on_device(left, right, sum);
    printf("kernel: added %zu pairs\n", COUNT);
    return 0;
}
