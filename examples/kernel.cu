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
