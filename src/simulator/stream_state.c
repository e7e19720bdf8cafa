/* What a stream tells and lets be set; what runs in a stream beside copies and kernels. */
#include <stdlib.h>
#include <string.h>

#include "simulator/capture.h"
#include "simulator/handle.h"
#include "simulator/stream.h"

/* A body that reads one figure of a stream: name, parameter, value. */
#define STREAM_FIGURE(name, type, value)                                                                               \
    GMT_SIM_BODY(name)(CUstream handle, type * figure)                                                                 \
    {                                                                                                                  \
        struct gmt_sim_stream *stream;                                                                                 \
        CUresult result = gmt_sim_enter_stream_now(handle, &stream);                                                   \
        if (result != CUDA_SUCCESS)                                                                                    \
            return result;                                                                                             \
        if (figure)                                                                                                    \
            *figure = (value);                                                                                         \
        return gmt_sim_leave(figure ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);                                        \
    }                                                                                                                  \
    GMT_SIM_TWIN(name##_ptsz, name)

STREAM_FIGURE(cuStreamGetCtx, CUcontext, (CUcontext)stream->context)
STREAM_FIGURE(cuStreamGetDevice, CUdevice, stream->context->device->ordinal)
STREAM_FIGURE(cuStreamGetFlags, unsigned int, stream->flags)
STREAM_FIGURE(cuStreamGetPriority, int, stream->priority)
STREAM_FIGURE(cuStreamGetId, unsigned long long, stream->id)

GMT_SIM_BODY(cuStreamGetCtx_v2)(CUstream handle, CUcontext *context, CUgreenCtx *green)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (!context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *context = (CUcontext)stream->context;
    if (green)
        *green = NULL;
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamGetCtx_v2_ptsz, cuStreamGetCtx_v2)

/* Attributes are hints to the scheduler: they read as zero, and setting them is accepted. */
GMT_SIM_BODY(cuStreamGetAttribute)(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue *value)
{
    struct gmt_sim_stream *stream;
    (void)attribute;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (value)
        memset(value, 0, sizeof *value);
    return gmt_sim_leave(value ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
GMT_SIM_TWIN(cuStreamGetAttribute_ptsz, cuStreamGetAttribute)

GMT_SIM_BODY(cuStreamSetAttribute)(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue *value)
{
    struct gmt_sim_stream *stream;
    (void)attribute;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    return result == CUDA_SUCCESS ? gmt_sim_leave(value ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) : result;
}
GMT_SIM_TWIN(cuStreamSetAttribute_ptsz, cuStreamSetAttribute)

GMT_SIM_BODY(cuStreamCopyAttributes)(CUstream to, CUstream from)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(to, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_unlock();
    result = gmt_sim_enter_stream_now(from, &stream);
    return result == CUDA_SUCCESS ? gmt_sim_leave(result) : result;
}
GMT_SIM_TWIN(cuStreamCopyAttributes_ptsz, cuStreamCopyAttributes)

/* Managed memory is always visible everywhere here. */
GMT_SIM_BODY(cuStreamAttachMemAsync)(CUstream handle, CUdeviceptr address, size_t bytes, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    (void)bytes;
    (void)flags;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    return result == CUDA_SUCCESS ? gmt_sim_leave(address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE) : result;
}
GMT_SIM_TWIN(cuStreamAttachMemAsync_ptsz, cuStreamAttachMemAsync)

GMT_SIM_BODY(cuLaunchHostFunc)(CUstream handle, CUhostFn function, void *argument)
{
    struct gmt_sim_stream *stream;
    if (!function)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_HOST, .host = {function, argument}};
    CUresult result = gmt_sim_enter_queue(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    return gmt_sim_leave(stream->capture ? gmt_sim_capture_add(stream, &params)
                                         : gmt_sim_stream_call(stream, function, argument));
}
GMT_SIM_TWIN(cuLaunchHostFunc_ptsz, cuLaunchHostFunc)

struct callback {
    CUstream stream;
    CUstreamCallback function;
    void *argument;
};

static void call_back(void *argument)
{
    struct callback *callback = argument;
    callback->function(callback->stream, CUDA_SUCCESS, callback->argument);
    free(callback);
}

GMT_SIM_BODY(cuStreamAddCallback)(CUstream handle, CUstreamCallback function, void *argument, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    if (!function || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_enter_queue(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (stream->capture)
        return gmt_sim_leave(gmt_sim_capture_refuse(stream));
    struct callback *callback = malloc(sizeof *callback);
    if (!callback)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    *callback = (struct callback){handle, function, argument};
    result = gmt_sim_stream_call(stream, call_back, callback);
    if (result != CUDA_SUCCESS)
        free(callback);
    return gmt_sim_leave(result);
}
GMT_SIM_TWIN(cuStreamAddCallback_ptsz, cuStreamAddCallback)
