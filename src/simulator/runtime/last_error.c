/* The last error of each thread, and what errors are called. */
#include "simulator/runtime/runtime.h"

static _Thread_local cudaError_t last;

static const struct {
    int code;
    const char *name, *sentence;
} errors[] = {
#define GMT_RT_ERROR(code, name, sentence) {code, name, sentence},
#include "simulator/runtime/runtime_errors.def"
#undef GMT_RT_ERROR
};

enum { ERRORS = sizeof errors / sizeof *errors };
static const char unknown[] = "unrecognized error code";

cudaError_t gmt_rt_end(cudaError_t error)
{
    if (error != cudaSuccess)
        last = error;
    return error;
}

cudaError_t gmt_rt_error(CUresult result)
{
    return (cudaError_t)result;
}

GMT_RT_API cudaGetLastError(void)
{
    cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

GMT_RT_API cudaPeekAtLastError(void)
{
    return last;
}

GMT_RT_EXPORT const char *cudaGetErrorName(cudaError_t error)
{
    for (int i = 0; i < ERRORS; i++) {
        if (errors[i].code == (int)error)
            return errors[i].name;
    }
    return unknown;
}

GMT_RT_EXPORT const char *cudaGetErrorString(cudaError_t error)
{
    for (int i = 0; i < ERRORS; i++) {
        if (errors[i].code == (int)error)
            return errors[i].sentence;
    }
    return unknown;
}
