/* What a context tells and lets be set: device, limits, flags, preferences; waiting for it. */
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/stream.h"

/* The largest stack limit per thread that a real driver accepts. */
#define STACK_MAX (512u << 10)

GMT_SIM_BODY(cuCtxGetDevice)(CUdevice *device)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *device = context->device->ordinal;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetDevice_v2)(CUdevice *device, CUcontext handle)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_given(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *device = context->device->ordinal;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetId)(CUcontext handle, unsigned long long *id)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_given(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!id)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *id = context->id;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetApiVersion)(CUcontext handle, unsigned int *version)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_given(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!version)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *version = context->api_version;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetFlags)(unsigned int *flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!flags)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = context->flags;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxSetFlags)(unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    context->flags = flags;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetLimit)(size_t *value, CUlimit limit)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!value || (unsigned int)limit >= GMT_SIM_LIMITS)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
        return gmt_sim_leave(CUDA_ERROR_UNSUPPORTED_LIMIT);
    *value = context->limits[limit];
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* What stacks of this size cost: for all threads together, in whole chunks of 2 MiB, rounded down (measured). */
static uint64_t stack_cost(size_t bytes)
{
    return bytes * GMT_SIM_STACKS / GMT_SIM_CHUNK * GMT_SIM_CHUNK;
}

CUresult gmt_sim_context_set_stack(struct gmt_sim_context *context, size_t bytes)
{
    if (bytes > STACK_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t old = stack_cost(context->limits[CU_LIMIT_STACK_SIZE]), new = stack_cost(bytes);
    if (new > old && !gmt_sim_device_take(context->device, new - old))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (new < old)
        gmt_sim_device_give(context->device, old - new);
    context->charged = context->charged - old + new;
    context->limits[CU_LIMIT_STACK_SIZE] = bytes;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuCtxSetLimit)(CUlimit limit, size_t value)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if ((unsigned int)limit >= GMT_SIM_LIMITS)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
        return gmt_sim_leave(CUDA_ERROR_UNSUPPORTED_LIMIT);
    if (limit == CU_LIMIT_STACK_SIZE)
        return gmt_sim_leave(gmt_sim_context_set_stack(context, value));
    context->limits[limit] = value;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetStreamPriorityRange)(int *least, int *greatest)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = GMT_SIM_PRIORITY_GREATEST;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetCacheConfig)(CUfunc_cache *config)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!config)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxGetSharedMemConfig)(CUsharedconfig *config)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!config)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Preferences of the hardware: accepted, without effect. */
GMT_SIM_BODY(cuCtxSetCacheConfig)(CUfunc_cache config)
{
    struct gmt_sim_context *context;
    (void)config;
    CUresult result = gmt_sim_enter(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(result) : result;
}

GMT_SIM_BODY(cuCtxSetSharedMemConfig)(CUsharedconfig config)
{
    struct gmt_sim_context *context;
    (void)config;
    CUresult result = gmt_sim_enter(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(result) : result;
}

GMT_SIM_BODY(cuCtxResetPersistingL2Cache)(void)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(result) : result;
}

GMT_SIM_BODY(cuCtxSynchronize_v2)(CUcontext handle)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_given(handle, &context);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_streams_drain(context);
    gmt_sim_device_settle(context->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxSynchronize)(void)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_streams_drain(context);
    gmt_sim_device_settle(context->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Every simulated device can reach every other one. */
GMT_SIM_BODY(cuCtxEnablePeerAccess)(CUcontext peer, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_context *other = gmt_sim_context_of(peer);
    if (flags != 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!other || !other->alive || other->device == context->device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxDisablePeerAccess)(CUcontext peer)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    return gmt_sim_leave(gmt_sim_context_of(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT);
}
