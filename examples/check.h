/* How the examples treat errors: say what failed in the runtime's words and end. */
#ifndef GMT_EXAMPLES_CHECK_H
#define GMT_EXAMPLES_CHECK_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check_result((call), #call)

static inline void check_result(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(1);
}

#endif
