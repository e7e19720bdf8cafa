/* Events: the time at which a stream reached a point. */
#include "simulator/event.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "simulator/assumed_answers.h"
#include "simulator/capture.h"
#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/shared_file.h"
#include "simulator/stream.h"

#define EVENT_FLAGS (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS)

struct gmt_sim_event {
    struct gmt_sim_event *next, *before; /* of the same context */
    struct gmt_sim_context *context;
    unsigned int flags;
    bool recorded;
    struct timespec time;
    struct gmt_sim_capture_point captured; /* where it was last recorded, if that was in a capture */
    struct gmt_sim_shared shared;          /* by which other processes know it; fd -1: by nothing */
};

static struct gmt_sim_event *event_of(CUevent handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_EVENT) ? (struct gmt_sim_event *)handle : NULL;
}

/* Lock held. */
static CUresult create(struct gmt_sim_context *context, unsigned int flags, CUevent *handle)
{
    struct gmt_sim_event *event = gmt_sim_handle_new(sizeof *event, GMT_SIM_EVENT);
    if (!event)
        return CUDA_ERROR_OUT_OF_MEMORY;
    event->context = context;
    event->next = context->events;
    if (event->next)
        event->next->before = event;
    context->events = event;
    event->flags = flags;
    event->shared.fd = -1;
    *handle = (CUevent)event;
    return CUDA_SUCCESS;
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
    return gmt_sim_leave(create(context, flags, handle));
}

static void destroy(struct gmt_sim_event *event)
{
    gmt_sim_handle_remove(event);
    if (event->before)
        event->before->next = event->next;
    else
        event->context->events = event->next;
    if (event->next)
        event->next->before = event->before;
    gmt_sim_shared_close(&event->shared);
    free(event->captured.nodes.items);
    free(event);
}

void gmt_sim_events_end(struct gmt_sim_context *context)
{
    while (context->events)
        destroy(context->events);
}

GMT_SIM_BODY(cuEventDestroy_v2)(CUevent handle)
{
    gmt_sim_lock();
    struct gmt_sim_event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    destroy(event);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuEventDestroy, cuEventDestroy_v2)

bool gmt_sim_event_is(CUevent handle)
{
    return event_of(handle) != NULL;
}

void gmt_sim_event_record(CUevent handle)
{
    struct gmt_sim_event *event = event_of(handle);
    event->recorded = true;
    event->captured.id = 0;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
}

/* In a capture an event is a mark on the way through it, an external one a node. */
static CUresult record(struct gmt_sim_stream *stream, struct gmt_sim_event *event, unsigned int flags)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {(CUevent)event}};
    if (!stream->capture)
        gmt_sim_event_record((CUevent)event);
    else if (flags & CU_EVENT_RECORD_EXTERNAL)
        return gmt_sim_capture_add(stream, &params);
    else if (!gmt_sim_capture_mark(stream, &event->captured))
        return CUDA_ERROR_OUT_OF_MEMORY;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuEventRecordWithFlags)(CUevent handle, CUstream stream_handle, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    if (flags > CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_enter_work(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_event *event = event_of(handle);
    if (!event || event->context != stream->context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    return gmt_sim_leave(record(stream, event, flags));
}
GMT_SIM_TWIN(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags)

GMT_SIM_BODY(cuEventRecord)(CUevent handle, CUstream stream)
{
    return gmt_sim_cuEventRecordWithFlags(handle, stream, CU_EVENT_RECORD_DEFAULT);
}
GMT_SIM_TWIN(cuEventRecord_ptsz, cuEventRecord)

/* A mark in a capture never happens; who asks for it breaks the capture. */
static CUresult refuse_captured(const struct gmt_sim_event *event)
{
    struct gmt_sim_capture *capture = gmt_sim_capture_of(event->captured.id);
    if (capture)
        capture->invalidated = true;
    return CUDA_ERROR_CAPTURED_EVENT;
}

/* Recording waits for the stream, so an event that was recorded has happened. */
GMT_SIM_BODY(cuEventQuery)(CUevent handle)
{
    gmt_sim_lock();
    struct gmt_sim_event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    return gmt_sim_leave(event->captured.id ? refuse_captured(event) : CUDA_SUCCESS);
}

GMT_SIM_BODY(cuEventSynchronize)(CUevent handle)
{
    gmt_sim_lock();
    struct gmt_sim_event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (event->captured.id)
        return gmt_sim_leave(refuse_captured(event));
    if (event->recorded)
        gmt_sim_device_settle(event->context->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuEventElapsedTime)(float *milliseconds, CUevent start_handle, CUevent end_handle)
{
    gmt_sim_lock();
    struct gmt_sim_event *start = event_of(start_handle), *end = event_of(end_handle);
    if (!milliseconds)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (start && end && (start->captured.id || end->captured.id))
        return gmt_sim_leave(refuse_captured(start->captured.id ? start : end));
    if (!start || !end || !start->recorded || !end->recorded || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
    *milliseconds = (float)(seconds * 1e3 + (double)(end->time.tv_nsec - start->time.tv_nsec) / 1e6);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuEventElapsedTime_v2, cuEventElapsedTime)

/* Outside of captures the event has happened, so there is nothing to wait for but what is pending in the stream itself.
 * Lock held. */
static CUresult wait_for(struct gmt_sim_stream *stream, struct gmt_sim_event *event, unsigned int flags)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {(CUevent)event}};
    if (event->captured.id)
        return gmt_sim_capture_wait(stream, &event->captured);
    if (!stream->capture)
        return CUDA_SUCCESS;
    if (flags & CU_EVENT_WAIT_EXTERNAL)
        return gmt_sim_capture_add(stream, &params);
    if (!event->recorded)
        return CUDA_SUCCESS;
    stream->capture->invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
}

GMT_SIM_BODY(cuStreamWaitEvent)(CUstream handle, CUevent event_handle, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_queue(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_event *event = event_of(event_handle);
    return gmt_sim_leave(event ? wait_for(stream, event, flags) : CUDA_ERROR_INVALID_HANDLE);
}
GMT_SIM_TWIN(cuStreamWaitEvent_ptsz, cuStreamWaitEvent)

_Static_assert(sizeof(struct gmt_sim_shared_place) <= CU_IPC_HANDLE_SIZE, "fits where it travels");

GMT_SIM_BODY(cuIpcGetEventHandle)(CUipcEventHandle *shared, CUevent handle)
{
    static const struct gmt_sim_shared_label label = {.kind = GMT_SIM_SHARED_EVENT};
    gmt_sim_lock();
    struct gmt_sim_event *event = event_of(handle);
    if (!event)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!(event->flags & CU_EVENT_INTERPROCESS))
        return gmt_sim_leave(GMT_SIM_EVENT_STAYS_HERE);
    if (!shared)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!gmt_sim_shared_is_open(&event->shared) && !gmt_sim_shared_make(&label, &event->shared))
        return gmt_sim_leave(GMT_SIM_SYSTEM_REFUSED);
    struct gmt_sim_shared_place place = gmt_sim_shared_place(&event->shared);
    memset(shared, 0, sizeof *shared);
    memcpy(shared, &place, sizeof place);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Work is done when it is put in, so whatever the other process records has happened: the event opened here has too. */
GMT_SIM_BODY(cuIpcOpenEventHandle)(CUevent *handle, CUipcEventHandle shared)
{
    struct gmt_sim_context *context;
    struct gmt_sim_shared_place place;
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    memcpy(&place, &shared, sizeof place);
    if (!handle)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (gmt_sim_shared_is_here(&place))
        return gmt_sim_leave(GMT_SIM_OPENED_AT_HOME);
    if (!gmt_sim_shared_open(&place, GMT_SIM_SHARED_EVENT, &file, &label))
        return gmt_sim_leave(GMT_SIM_SOURCE_GONE);
    gmt_sim_shared_close(&file);
    return gmt_sim_leave(create(context, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS, handle));
}
