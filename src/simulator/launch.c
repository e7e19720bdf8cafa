/* Launches: checked as a real driver checks them, in order with the stream, and not executed. */
#include "simulator/launch.h"

#include "simulator/capture.h"
#include "simulator/code.h"
#include "simulator/context.h"
#include "simulator/stream.h"

enum { THREADS_MAX = 1024, BLOCK_Z_MAX = 64, GRID_YZ_MAX = 65535 };

static const struct gmt_sim_function *function_of(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel)
{
    return gmt_sim_function_of(kernel->func ? (const void *)kernel->func : (const void *)kernel->kern);
}

static bool shape_valid(const CUDA_KERNEL_NODE_PARAMS_v3 *shape, const struct gmt_sim_function *function)
{
    if (!shape->gridDimX || !shape->gridDimY || !shape->gridDimZ || !shape->blockDimX || !shape->blockDimY ||
        !shape->blockDimZ)
        return false;
    unsigned long long threads = (unsigned long long)shape->blockDimX * shape->blockDimY * shape->blockDimZ;
    bool block = shape->blockDimX <= THREADS_MAX && shape->blockDimY <= THREADS_MAX && shape->blockDimZ <= BLOCK_Z_MAX;
    bool grid = shape->gridDimX <= 0x7fffffff && shape->gridDimY <= GRID_YZ_MAX && shape->gridDimZ <= GRID_YZ_MAX;
    return block && grid && threads <= THREADS_MAX &&
           shape->sharedMemBytes <= (unsigned int)function->max_dynamic_shared;
}

CUresult gmt_sim_launch_check(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel)
{
    const struct gmt_sim_function *function = function_of(kernel);
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    if (function->code->context && !function->code->context->alive)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return shape_valid(kernel, function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult gmt_sim_launch_now(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel, struct gmt_sim_context *context)
{
    CUresult result = gmt_sim_launch_check(kernel);
    if (result != CUDA_SUCCESS)
        return result;
    /* A kernel that needs a larger stack raises the limit, whatever its grid, and nothing lowers it again. */
    uint32_t needed = function_of(kernel)->local_bytes;
    return needed > context->limits[CU_LIMIT_STACK_SIZE] ? gmt_sim_context_set_stack(context, needed) : CUDA_SUCCESS;
}

static CUresult launch(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel, CUstream handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (!stream->capture)
        return gmt_sim_leave(gmt_sim_launch_now(kernel, stream->context));
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = *kernel};
    result = gmt_sim_capture_add(stream, &params);
    if (result != CUDA_SUCCESS)
        stream->capture->invalidated = true; /* measured with an empty grid; a refused free leaves it valid */
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuLaunchKernel)
(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
 unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters, void **extra)
{
    (void)parameters;
    (void)extra;
    CUDA_KERNEL_NODE_PARAMS_v3 kernel = {function, grid_x, grid_y, grid_z, block_x, block_y,
                                         block_z,  shared, NULL,   NULL,   NULL,    NULL};
    return launch(&kernel, stream);
}
GMT_SIM_TWIN(cuLaunchKernel_ptsz, cuLaunchKernel)

GMT_SIM_BODY(cuLaunchCooperativeKernel)
(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
 unsigned int block_y, unsigned int block_z, unsigned int shared, CUstream stream, void **parameters)
{
    (void)parameters;
    CUDA_KERNEL_NODE_PARAMS_v3 kernel = {function, grid_x, grid_y, grid_z, block_x, block_y,
                                         block_z,  shared, NULL,   NULL,   NULL,    NULL};
    return launch(&kernel, stream);
}
GMT_SIM_TWIN(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel)

GMT_SIM_BODY(cuLaunchKernelEx)(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
    (void)parameters;
    (void)extra;
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS_v3 kernel = {.func = function,
                                         .gridDimX = config->gridDimX,
                                         .gridDimY = config->gridDimY,
                                         .gridDimZ = config->gridDimZ,
                                         .blockDimX = config->blockDimX,
                                         .blockDimY = config->blockDimY,
                                         .blockDimZ = config->blockDimZ,
                                         .sharedMemBytes = config->sharedMemBytes};
    return launch(&kernel, config->hStream);
}
GMT_SIM_TWIN(cuLaunchKernelEx_ptsz, cuLaunchKernelEx)
