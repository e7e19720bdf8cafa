// Launches that are not written with triple angle brackets.
#include "check.h"

#include <cooperative_groups.h>

__global__ void sync_all(int *values)
{
    cooperative_groups::this_grid().sync();
    values[threadIdx.x] = 1;
}

__global__ void plain(int *values)
{
    values[threadIdx.x] = 3;
}

__global__ void __cluster_dims__(2, 1, 1) clustered(int *values)
{
    values[0] = 2;
}

int main()
{
    int *values = nullptr, supported = 0;
    OK(cudaMalloc(&values, 4096));
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    CHECK(supported == 1);
    void *arguments[] = {&values};
    OK(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(sync_all), dim3(4), dim3(64), arguments, 0, nullptr));
    OK(cudaLaunchKernel(reinterpret_cast<void *>(plain), dim3(1), dim3(1), arguments, 0, nullptr));
    int here = 0;
    CHECK(cudaLaunchKernel(&here, dim3(1), dim3(1), arguments, 0, nullptr) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    OK(cudaLaunchKernelEx(&config, clustered, values));
    OK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    plain<<<1, 32, 100000>>>(values);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaFree(values));
    std::puts("cooperative: ok");
}
