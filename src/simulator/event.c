/* Events: the time at which a stream reached a point. */
#include <stdlib.h>
#include <time.h>

#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/live_block.h"
#include "simulator/stream.h"

#define EVENT_FLAGS (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS)

struct event {
    struct gmt_sim_context *context;
    unsigned int flags;
    bool recorded;
    struct timespec time;
};

static struct event *event_of(CUevent handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_EVENT) ? (struct event *)handle : NULL;
}

GMT_SIM_BODY(cuEventCreate)(CUevent *handle, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    bool unshareable = (flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING);
    if (!handle || (flags & ~(unsigned int)EVENT_FLAGS) || unshareable)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct event *event = calloc(1, sizeof *event);
    if (!event || !gmt_sim_handle_add(event, GMT_SIM_EVENT)) {
        free(event);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    event->context = context;
    event->flags = flags;
    *handle = (CUevent)event;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuEventDestroy_v2)(CUevent handle)
{
    gmt_sim_lock();
    struct event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    gmt_sim_handle_remove(event);
    free(event);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuEventDestroy, cuEventDestroy_v2)

GMT_SIM_BODY(cuEventRecord)(CUevent handle, CUstream stream_handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct event *event = event_of(handle);
    if (!event || event->context != stream->context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuEventRecord_ptsz, cuEventRecord)

GMT_SIM_BODY(cuEventRecordWithFlags)(CUevent handle, CUstream stream, unsigned int flags)
{
    return flags > CU_EVENT_RECORD_EXTERNAL ? CUDA_ERROR_INVALID_VALUE : gmt_sim_cuEventRecord(handle, stream);
}
GMT_SIM_TWIN(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags)

/* Recording waits for the stream, so an event that was recorded has happened. */
GMT_SIM_BODY(cuEventQuery)(CUevent handle)
{
    gmt_sim_lock();
    return gmt_sim_leave(event_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

GMT_SIM_BODY(cuEventSynchronize)(CUevent handle)
{
    gmt_sim_lock();
    struct event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (event->recorded)
        gmt_sim_device_settle(event->context->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuEventElapsedTime)(float *milliseconds, CUevent start_handle, CUevent end_handle)
{
    gmt_sim_lock();
    struct event *start = event_of(start_handle), *end = event_of(end_handle);
    if (!milliseconds)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!start || !end || !start->recorded || !end->recorded || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    *milliseconds = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuEventElapsedTime_v2, cuEventElapsedTime)

/* The event has happened, so there is nothing to wait for but what is pending in the stream itself. */
GMT_SIM_BODY(cuStreamWaitEvent)(CUstream handle, CUevent event, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return gmt_sim_leave(event_of(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}
GMT_SIM_TWIN(cuStreamWaitEvent_ptsz, cuStreamWaitEvent)
