// What the programs share: the first thing that is not as expected ends them.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: not so: %s (last error %s)\n", __FILE__, __LINE__, #condition,                \
                         cudaGetErrorName(cudaPeekAtLastError()));                                                     \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)
#define OK(call) CHECK((call) == cudaSuccess)
