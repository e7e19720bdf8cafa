/* Contexts: made, referenced, ended. */
#include "hook/call_event.h"

static uint64_t context_subject(const void *handle, int device)
{
    return handle ? gmt_subject(GMT_SUBJECT_CONTEXT, (uintptr_t)handle)
                  : gmt_subject(GMT_SUBJECT_PRIMARY, (uint64_t)device);
}

static struct gmt_event context_event(struct gmt_tracker *tracker, const struct gmt_call *call, int device)
{
    struct gmt_event event = gmt_call_event_outside(tracker, call);
    event.device = device < 0 ? GMT_NONE : (uint32_t)device;
    if (device >= 0)
        gmt_call_learn_device(tracker, event.device);
    return event;
}

void gmt_call_context_retained(struct gmt_call *call, const void *handle, int device, bool primary)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CONTEXT, (uintptr_t)handle);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_retained(tracker, (uintptr_t)handle, primary, &event);
    gmt_call_mark(subject);
}

void gmt_call_context_released(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state)
{
    uint64_t subject = context_subject(handle, device);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_released(tracker, (uintptr_t)handle, state, &event);
    gmt_call_mark(subject);
}

void gmt_call_context_ended(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state)
{
    uint64_t subject = context_subject(handle, device);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_ended(tracker, (uintptr_t)handle, state, &event);
    gmt_call_mark(subject);
}
