// Managed memory and managed variables, read before anything else has touched the device.
#include "check.h"

__managed__ int counter = 7;
__managed__ double table[1000];

__global__ void sum_up(double *out)
{
    *out = table[0] + counter;
}

int main()
{
    CHECK(counter == 7);
    counter = 9;
    table[999] = 2.5;
    sum_up<<<1, 1>>>(&table[1]);
    OK(cudaDeviceSynchronize());
    void *address = nullptr;
    size_t size = 0;
    OK(cudaGetSymbolAddress(&address, counter));
    CHECK(address == &counter);
    OK(cudaGetSymbolSize(&size, table));
    CHECK(size == 8000);
    int *block = nullptr;
    OK(cudaMallocManaged(&block, 1 << 20));
    block[100] = 3;
    OK(cudaMemPrefetchAsync(block, 1 << 20, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    int back = 0;
    OK(cudaMemcpy(&back, block + 100, sizeof back, cudaMemcpyDefault));
    CHECK(back == 3);
    OK(cudaFree(block));
    OK(cudaDeviceReset());
    CHECK(counter == 9);
    std::puts("managed: ok");
}
