/* Launches: checked as a real driver checks them, in order with the stream, and not executed. */
#include "simulator/code.h"
#include "simulator/context.h"
#include "simulator/stream.h"

enum { THREADS_MAX = 1024, BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535 };

struct shape {
    unsigned int grid[3], block[3], shared;
};

static bool shape_valid(const struct shape *shape, const struct gmt_sim_function *function)
{
    for (int i = 0; i < 3; i++) {
        if (shape->grid[i] == 0 || shape->block[i] == 0)
            return false;
    }
    unsigned long long threads = (unsigned long long)shape->block[0] * shape->block[1] * shape->block[2];
    bool block = shape->block[0] <= THREADS_MAX && shape->block[1] <= THREADS_MAX && shape->block[2] <= BLOCK_Z_MAX;
    bool grid = shape->grid[0] <= 0x7fffffff && shape->grid[1] <= GRID_YZ_MAX && shape->grid[2] <= GRID_YZ_MAX;
    return block && grid && threads <= THREADS_MAX && shape->shared <= (unsigned int)function->max_dynamic_shared;
}

static CUresult launch(CUfunction handle, const struct shape *shape, CUstream stream_handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_function *function = gmt_sim_function_of(handle);
    if (!function)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (function->code->context && !function->code->context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (!shape_valid(shape, function))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    /* A kernel that needs a larger stack raises the limit, whatever its grid, and nothing lowers it again. */
    if (function->local_bytes > stream->context->limits[CU_LIMIT_STACK_SIZE])
        result = gmt_sim_context_set_stack(stream->context, function->local_bytes);
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuLaunchKernel)
(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
 unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters, void **extra)
{
    (void)parameters;
    (void)extra;
    struct shape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    return launch(function, &shape, stream);
}
GMT_SIM_TWIN(cuLaunchKernel_ptsz, cuLaunchKernel)

GMT_SIM_BODY(cuLaunchCooperativeKernel)
(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
 unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters)
{
    (void)parameters;
    struct shape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    return launch(function, &shape, stream);
}
GMT_SIM_TWIN(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel)

GMT_SIM_BODY(cuLaunchKernelEx)(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
    (void)parameters;
    (void)extra;
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    struct shape shape = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                          {config->blockDimX, config->blockDimY, config->blockDimZ},
                          config->sharedMemBytes};
    return launch(function, &shape, config->hStream);
}
GMT_SIM_TWIN(cuLaunchKernelEx_ptsz, cuLaunchKernelEx)
