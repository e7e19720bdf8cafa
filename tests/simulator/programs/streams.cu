// Streams, events, stream-ordered memory and host functions.
#include "check.h"

__global__ void touch(int *values)
{
    values[threadIdx.x] += 0;
}

static void set_flag(void *flag)
{
    *static_cast<int *>(flag) += 1;
}

static void called_back(cudaStream_t, cudaError_t status, void *flag)
{
    *static_cast<int *>(flag) += status == cudaSuccess ? 10 : 0;
}

int main()
{
    cudaStream_t stream;
    cudaEvent_t start, end;
    int flag = 0, *values = nullptr, host[32] = {5}, back[32] = {};
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, stream));
    OK(cudaMallocAsync(&values, sizeof host, stream));
    OK(cudaMemcpyAsync(values, host, sizeof host, cudaMemcpyHostToDevice, stream));
    touch<<<1, 32, 0, stream>>>(values);
    OK(cudaGetLastError());
    OK(cudaLaunchHostFunc(stream, set_flag, &flag));
    OK(cudaStreamAddCallback(stream, called_back, &flag, 0));
    OK(cudaMemcpyAsync(back, values, sizeof back, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(values, stream));
    OK(cudaEventRecord(end, stream));
    OK(cudaStreamWaitEvent(stream, start, 0));
    OK(cudaStreamSynchronize(stream));
    CHECK(flag == 11);
    CHECK(back[0] == 5);
    float milliseconds = -1;
    OK(cudaEventElapsedTime(&milliseconds, start, end));
    CHECK(milliseconds >= 0);
    OK(cudaStreamQuery(stream));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaStreamDestroy(stream));
    std::puts("streams: ok");
}
