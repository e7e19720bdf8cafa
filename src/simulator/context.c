/* The life of contexts that the program makes; what every context starts with and what ends with it. */
#include "simulator/context.h"

#include <stdlib.h>
#include <string.h>

#include "simulator/array.h"
#include "simulator/capture.h"
#include "simulator/code.h"
#include "simulator/event.h"
#include "simulator/live_block.h"
#include "simulator/stream.h"
#include "simulator/texture.h"

static struct gmt_sim_context *contexts;
static unsigned long long last_id;

/* The limits of a new context (measured), by CUlimit. */
static const size_t default_limits[GMT_SIM_LIMITS] = {1024, 8650752, 8388608, 0, 2048, 64, 11796480, 232448};

struct gmt_sim_context *gmt_sim_context_new(struct gmt_sim_device *device, bool primary)
{
    struct gmt_sim_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->device = device;
    context->primary = primary;
    context->api_version = 3020;
    context->device_heap.device = context->low_heap.device = device;
    context->low_heap.low = true;
    context->next = contexts;
    contexts = context;
    return context;
}

CUresult gmt_sim_context_start(struct gmt_sim_context *context)
{
    uint64_t cost = context->device->contexts == 0 ? GMT_SIM_FIRST_CONTEXT : GMT_SIM_FURTHER_CONTEXT;
    if (!gmt_sim_device_take(context->device, cost))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!context->legacy_stream)
        context->legacy_stream = gmt_sim_stream_new(context, 0, 0);
    if (!context->thread_stream)
        context->thread_stream = gmt_sim_stream_new(context, 0, 0);
    if (!context->legacy_stream || !context->thread_stream) {
        gmt_sim_device_give(context->device, cost);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    context->charged = cost;
    context->alive = true;
    context->id = ++last_id;
    memcpy(context->limits, default_limits, sizeof default_limits);
    context->device->contexts++;
    return CUDA_SUCCESS;
}

/* Libraries, pools with their blocks, graphs with theirs, physical and external memory are no context's (measured). */
void gmt_sim_context_end(struct gmt_sim_context *context)
{
    context->alive = false;
    gmt_sim_captures_end(context);
    gmt_sim_streams_end(context);
    gmt_sim_events_end(context);
    gmt_sim_modules_end(context);
    gmt_sim_blocks_end(context);
    gmt_sim_textures_end(context);
    gmt_sim_arrays_end(context);
    gmt_sim_device_give(context->device, context->charged + context->call_costs);
    context->charged = context->call_costs = 0;
    context->device->contexts--;
}

struct gmt_sim_context *gmt_sim_context_of(CUcontext handle)
{
    struct gmt_sim_context *context = contexts;
    while (context && (CUcontext)context != handle)
        context = context->next;
    return context;
}

/* The four ABI variants of cuCtxCreate come down to this. */
static CUresult create(CUcontext *handle, unsigned int flags, CUdevice ordinal, unsigned int api_version)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    struct gmt_sim_context *context = gmt_sim_context_new(device, false);
    CUresult result = context ? gmt_sim_context_start(context) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS && !gmt_sim_current_push(context)) {
        gmt_sim_context_end(context);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    context->flags = flags;
    context->references = 1;
    context->api_version = api_version;
    *handle = (CUcontext)context;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxCreate)(CUcontext *handle, unsigned int flags, CUdevice device)
{
    return create(handle, flags, device, 3010);
}

GMT_SIM_BODY(cuCtxCreate_v2)(CUcontext *handle, unsigned int flags, CUdevice device)
{
    return create(handle, flags, device, 3020);
}

GMT_SIM_BODY(cuCtxCreate_v3)
(CUcontext *handle, CUexecAffinityParam *params, int count, unsigned int flags, CUdevice device)
{
    if (count < 0 || (count > 0 && !params))
        return CUDA_ERROR_INVALID_VALUE;
    return create(handle, flags, device, 3020);
}

GMT_SIM_BODY(cuCtxCreate_v4)(CUcontext *handle, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
    (void)params;
    return create(handle, flags, device, 3020);
}

/* Ends the context, and takes it off the top of the caller's stack, as cuCtxDestroy does. Lock held. */
static void destroy(struct gmt_sim_context *context)
{
    struct gmt_sim_context *popped;
    gmt_sim_context_end(context);
    if (gmt_sim_current() == context)
        gmt_sim_current_pop(&popped);
}

GMT_SIM_BODY(cuCtxDestroy_v2)(CUcontext handle)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_context *context = gmt_sim_context_of(handle);
    if (!context || context->primary)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    if (!context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    destroy(context);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuCtxDestroy, cuCtxDestroy_v2)

GMT_SIM_BODY(cuCtxAttach)(CUcontext *handle, unsigned int flags)
{
    struct gmt_sim_context *context;
    if (!handle || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    context->references++;
    *handle = (CUcontext)context;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxDetach)(CUcontext handle)
{
    gmt_sim_lock();
    struct gmt_sim_context *context = handle ? gmt_sim_context_of(handle) : NULL;
    if (!context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    if (!context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (--context->references == 0)
        destroy(context);
    return gmt_sim_leave(CUDA_SUCCESS);
}
