/* Which context is current. What a thread has current may have ended meanwhile: the next call says so. */
#include "simulator/context.h"

enum { DEPTH_MAX = 64 };

static _Thread_local struct gmt_sim_context *stack[DEPTH_MAX];
static _Thread_local int depth;

struct gmt_sim_context *gmt_sim_current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

void gmt_sim_current_set(struct gmt_sim_context *context)
{
    if (!context) {
        depth -= depth > 0;
        return;
    }
    if (depth == 0)
        depth = 1;
    stack[depth - 1] = context;
}

bool gmt_sim_current_push(struct gmt_sim_context *context)
{
    if (depth == DEPTH_MAX)
        return false;
    stack[depth++] = context;
    return true;
}

bool gmt_sim_current_pop(struct gmt_sim_context **context_out)
{
    if (depth == 0)
        return false;
    *context_out = stack[--depth];
    return true;
}

CUresult gmt_sim_enter(struct gmt_sim_context **context_out)
{
    struct gmt_sim_context *context = gmt_sim_current();
    if (!context)
        return CUDA_ERROR_INVALID_CONTEXT;
    gmt_sim_lock();
    *context_out = context;
    return context->alive ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

CUresult gmt_sim_enter_old(struct gmt_sim_context **context_out)
{
    CUresult result = gmt_sim_enter(context_out);
    if (result == CUDA_SUCCESS && (*context_out)->api_version >= 3020)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    return result;
}

CUresult gmt_sim_enter_given(CUcontext handle, struct gmt_sim_context **context_out)
{
    if (!handle)
        return gmt_sim_enter(context_out);
    gmt_sim_lock();
    *context_out = gmt_sim_context_of(handle);
    if (!*context_out)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    return (*context_out)->alive ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

GMT_SIM_BODY(cuCtxSetCurrent)(CUcontext handle)
{
    gmt_sim_lock();
    struct gmt_sim_context *context = handle ? gmt_sim_context_of(handle) : NULL;
    if (handle && !context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    gmt_sim_current_set(context);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuCtxPushCurrent_v2)(CUcontext handle)
{
    gmt_sim_lock();
    struct gmt_sim_context *context = handle ? gmt_sim_context_of(handle) : NULL;
    if (!context || !gmt_sim_current_push(context))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuCtxPushCurrent, cuCtxPushCurrent_v2)

GMT_SIM_BODY(cuCtxPopCurrent_v2)(CUcontext *handle)
{
    struct gmt_sim_context *context;
    if (!gmt_sim_current_pop(&context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (handle)
        *handle = (CUcontext)context;
    return CUDA_SUCCESS;
}
GMT_SIM_TWIN(cuCtxPopCurrent, cuCtxPopCurrent_v2)

GMT_SIM_BODY(cuCtxGetCurrent)(CUcontext *handle)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = (CUcontext)gmt_sim_current();
    return CUDA_SUCCESS;
}
