/* Events. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaEventCreate(cudaEvent_t *event)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventCreate(event, CU_EVENT_DEFAULT));
    return gmt_rt_end(error);
}

GMT_RT_API cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventCreate(event, flags));
    return gmt_rt_end(error);
}

GMT_RT_API cudaEventDestroy(cudaEvent_t event)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventDestroy(event));
    return gmt_rt_end(error);
}

GMT_RT_API cudaEventQuery(cudaEvent_t event)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventQuery(event));
    return gmt_rt_end(error);
}

GMT_RT_API cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventSynchronize(event));
    return gmt_rt_end(error);
}

GMT_RT_API cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuEventElapsedTime(milliseconds, start, end));
    return gmt_rt_end(error);
}

static cudaError_t cudaEventRecord_with(const struct gmt_rt_driver *driver, cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuEventRecord(event, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaEventRecord, cudaEventRecord_ptsz, (cudaEvent_t event, cudaStream_t stream), event, stream)

static cudaError_t cudaEventRecordWithFlags_with(const struct gmt_rt_driver *driver, cudaEvent_t event,
                                                 cudaStream_t stream, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuEventRecordWithFlags(event, stream, flags));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz,
            (cudaEvent_t event, cudaStream_t stream, unsigned int flags), event, stream, flags)
