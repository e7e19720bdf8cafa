// Constant and device variables: sizes, initial values, copies in both directions, and what a reset does to them.
#include "check.h"

__constant__ int constants[4];
__device__ int initialised[3] = {1, 2, 3};
__device__ double zero;

__global__ void use(int *out)
{
    *out = constants[0] + initialised[1] + static_cast<int>(zero);
}

int main()
{
    int host[4] = {4, 5, 6, 7}, back[4] = {};
    size_t size = 0;
    OK(cudaGetSymbolSize(&size, constants));
    CHECK(size == 16);
    OK(cudaMemcpyToSymbol(constants, host, sizeof host));
    OK(cudaMemcpyFromSymbol(back, constants, 8, 8));
    CHECK(back[0] == 6 && back[1] == 7);
    OK(cudaMemcpyFromSymbol(back, initialised, 12));
    CHECK(back[0] == 1 && back[1] == 2 && back[2] == 3);
    CHECK(cudaMemcpyToSymbol(constants, host, 17) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(constants, host, 16, 4) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(constants, host, 16, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
    void *address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, host) == cudaErrorInvalidSymbol);
    OK(cudaGetSymbolAddress(&address, zero));
    double number = -1;
    OK(cudaMemcpy(&number, address, sizeof number, cudaMemcpyDeviceToHost));
    CHECK(number == 0);
    cudaGetLastError();
    OK(cudaDeviceReset());
    OK(cudaMemcpyFromSymbol(back, constants, 16));
    CHECK(back[0] == 0);
    OK(cudaMemcpyFromSymbol(back, initialised, 12));
    CHECK(back[2] == 3);
    std::puts("symbols: ok");
}
