// A kernel with arguments, launched and checked; errors of launches.
#include "check.h"

__global__ void scale(float *values, float by, int count)
{
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        values[i] *= by;
}

template <class T> __global__ void fill(T *values, T value)
{
    values[threadIdx.x] = value;
}

__global__ void with_stack(int n, int *out)
{
    char bytes[4000];
    for (int i = 0; i < n; i++)
        bytes[(i * 7) % 4000] = static_cast<char>(i);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += bytes[i % 4000];
    *out = sum;
}

int main()
{
    float *values = nullptr;
    float host[4] = {1, 2, 3, 4}, back[4] = {};
    OK(cudaMalloc(&values, sizeof host));
    OK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
    scale<<<1, 32>>>(values, 2.0f, 4);
    OK(cudaGetLastError());
    fill<float><<<dim3(2, 1, 1), dim3(4, 1, 1), 1024>>>(values, 7.0f);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(back, values, sizeof back, cudaMemcpyDeviceToHost));

    scale<<<0, 32>>>(values, 2.0f, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    scale<<<1, 2000>>>(values, 2.0f, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    scale<<<1, 32, 300000>>>(values, 2.0f, 4);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);

    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, with_stack));
    CHECK(attributes.localSizeBytes >= 4000 && attributes.numRegs > 0 && attributes.maxThreadsPerBlock == 1024);
    int blocks = 0, grid = 0, block = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
    CHECK(blocks == 8);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
    CHECK(grid == 264 && block == 1024);

    // A kernel's stack is paid for at its launch, whatever its grid: limit times 2048 times 132.
    size_t before = 0, after = 0, total = 0, limit = 0;
    OK(cudaMemGetInfo(&before, &total));
    with_stack<<<1, 1>>>(3, reinterpret_cast<int *>(values));
    OK(cudaGetLastError());
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before - after == 803209216);
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    CHECK(limit == 4000);
    OK(cudaFree(values));
    std::puts("kernel: ok");
}
