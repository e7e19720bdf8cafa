/* Streams, and host functions in them. */
#include <stdlib.h>

#include "simulator/runtime/forward.h"

GMT_RT_API cudaStreamCreate(cudaStream_t *stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuStreamCreate(stream, CU_STREAM_DEFAULT));
    return gmt_rt_end(error);
}

GMT_RT_API cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuStreamCreate(stream, flags));
    return gmt_rt_end(error);
}

GMT_RT_API cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuStreamCreateWithPriority(stream, flags, priority));
    return gmt_rt_end(error);
}

GMT_RT_API cudaStreamDestroy(cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuStreamDestroy(stream));
    return gmt_rt_end(error);
}

GMT_RT_FORWARD_WITH(cudaStreamSynchronize, cuStreamSynchronize, (cudaStream_t stream), stream)
GMT_RT_PAIR(cudaStreamSynchronize, cudaStreamSynchronize_ptsz, (cudaStream_t stream), stream)

GMT_RT_FORWARD_WITH(cudaStreamQuery, cuStreamQuery, (cudaStream_t stream), stream)
GMT_RT_PAIR(cudaStreamQuery, cudaStreamQuery_ptsz, (cudaStream_t stream), stream)

GMT_RT_FORWARD_WITH(cudaStreamGetFlags, cuStreamGetFlags, (cudaStream_t stream, unsigned int *flags), stream, flags)
GMT_RT_PAIR(cudaStreamGetFlags, cudaStreamGetFlags_ptsz, (cudaStream_t stream, unsigned int *flags), stream, flags)

GMT_RT_FORWARD_WITH(cudaStreamGetPriority, cuStreamGetPriority, (cudaStream_t stream, int *priority), stream, priority)
GMT_RT_PAIR(cudaStreamGetPriority, cudaStreamGetPriority_ptsz, (cudaStream_t stream, int *priority), stream, priority)

GMT_RT_FORWARD_WITH(cudaStreamGetId, cuStreamGetId, (cudaStream_t stream, unsigned long long *id), stream, id)
GMT_RT_PAIR(cudaStreamGetId, cudaStreamGetId_ptsz, (cudaStream_t stream, unsigned long long *id), stream, id)

GMT_RT_FORWARD_WITH(cudaStreamGetDevice, cuStreamGetDevice, (cudaStream_t stream, int *device), stream, device)
GMT_RT_PAIR(cudaStreamGetDevice, cudaStreamGetDevice_ptsz, (cudaStream_t stream, int *device), stream, device)

GMT_RT_FORWARD_WITH(cudaStreamWaitEvent, cuStreamWaitEvent,
                    (cudaStream_t stream, cudaEvent_t event, unsigned int flags), stream, event, flags)
GMT_RT_PAIR(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
            stream, event, flags)

GMT_RT_FORWARD_WITH(cudaStreamAttachMemAsync, cuStreamAttachMemAsync,
                    (cudaStream_t stream, void *address, size_t bytes, unsigned int flags), stream,
                    gmt_rt_address(address), bytes, flags)
GMT_RT_PAIR(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz,
            (cudaStream_t stream, void *address, size_t bytes, unsigned int flags), stream, address, bytes, flags)

GMT_RT_FORWARD_WITH(cudaLaunchHostFunc, cuLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *argument),
                    stream, function, argument)
GMT_RT_PAIR(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz, (cudaStream_t stream, cudaHostFn_t function, void *argument),
            stream, function, argument)

GMT_RT_FORWARD_WITH(cudaStreamCopyAttributes, cuStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), to, from)
GMT_RT_PAIR(cudaStreamCopyAttributes, cudaStreamCopyAttributes_ptsz, (cudaStream_t to, cudaStream_t from), to, from)

/* The attribute's number and value are laid out alike in driver and runtime. */
GMT_RT_FORWARD_WITH(cudaStreamGetAttribute, cuStreamGetAttribute,
                    (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value), stream,
                    (CUstreamAttrID)attribute, (CUstreamAttrValue *)value)
GMT_RT_PAIR(cudaStreamGetAttribute, cudaStreamGetAttribute_ptsz,
            (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value), stream, attribute, value)

GMT_RT_FORWARD_WITH(cudaStreamSetAttribute, cuStreamSetAttribute,
                    (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value), stream,
                    (CUstreamAttrID)attribute, (const CUstreamAttrValue *)value)
GMT_RT_PAIR(cudaStreamSetAttribute, cudaStreamSetAttribute_ptsz,
            (cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue *value), stream, attribute,
            value)

GMT_RT_FORWARD_WITH(cudaStreamIsCapturing, cuStreamIsCapturing,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus *status), stream,
                    (CUstreamCaptureStatus *)status)
GMT_RT_PAIR(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz,
            (cudaStream_t stream, enum cudaStreamCaptureStatus *status), stream, status)

struct callback {
    cudaStream_t stream;
    cudaStreamCallback_t function;
    void *argument;
};

static void call_back(CUstream stream, CUresult status, void *argument)
{
    struct callback *callback = argument;
    (void)stream;
    callback->function(callback->stream, gmt_rt_error(status), callback->argument);
    free(callback);
}

static cudaError_t cudaStreamAddCallback_with(const struct gmt_rt_driver *driver, cudaStream_t stream,
                                              cudaStreamCallback_t function, void *argument, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    struct callback *callback = error == cudaSuccess ? malloc(sizeof *callback) : NULL;
    if (error != cudaSuccess || !callback)
        return gmt_rt_end(error != cudaSuccess ? error : cudaErrorMemoryAllocation);
    *callback = (struct callback){stream, function, argument};
    error = function ? gmt_rt_error(driver->cuStreamAddCallback(stream, call_back, callback, flags))
                     : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        free(callback);
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaStreamAddCallback, cudaStreamAddCallback_ptsz,
            (cudaStream_t stream, cudaStreamCallback_t function, void *argument, unsigned int flags), stream, function,
            argument, flags)
