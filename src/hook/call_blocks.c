/* Blocks and objects: taken, given back, failed. The order is fixed: a free takes its record out before the real call,
 * because the driver may hand the address out to another thread the moment it is free; an allocation is recorded after
 * it succeeded. */
#include <errno.h>

#include "base/thread.h"
#include "hook/call_event.h"
#include "hook/call_graphs.h"
#include "hook/out_of_memory.h"
#include "hook/process.h"
#include "hook/threads.h"

void gmt_call_allocated(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_of(tracker, call, kind, address, bytes);
    gmt_call_add(tracker, &event);
    gmt_call_mark(subject);
}

void gmt_call_allocated_once(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    struct gmt_tracker *tracker = gmt_process_open();
    if (!tracker || gmt_tracker_is_live(tracker, gmt_kind_facts(kind)->family, address))
        return;
    struct gmt_event event = gmt_call_event_of(tracker, call, kind, address, bytes);
    gmt_call_took(kind, gmt_tracker_add_once(tracker, &event, event.family, 0));
}

void gmt_call_referenced(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_of(tracker, call, kind, address, bytes);
    gmt_call_took(kind, gmt_tracker_add_reference(tracker, &event));
    gmt_call_mark(subject);
}

/* Memory comes from a pool's device, or from that of the stream, which need not be the current one. */
static void find_place(struct gmt_tracker *tracker, struct gmt_event *event, CUmemoryPool pool, CUstream stream)
{
    if ((uintptr_t)stream > (uintptr_t)CU_STREAM_PER_THREAD) /* else a default stream of the current context */
        gmt_tracker_place_of(tracker, GMT_FAMILY_STREAM, (uintptr_t)stream, &event->context, &event->device);
    uint32_t device = pool ? gmt_tracker_pool_device(tracker, (uintptr_t)pool) : GMT_NONE;
    if (device != GMT_NONE)
        event->device = device;
}

void gmt_call_allocated_async(struct gmt_call *call, uint64_t address, uint64_t bytes, CUmemoryPool pool,
                              CUstream stream)
{
    CUgraph graph = gmt_call_capturing(stream);
    if (graph) {
        gmt_call_graph_allocates(call, graph, address, bytes);
        return;
    }
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_of(tracker, call, GMT_KIND_STREAM_ORDERED, address, bytes);
    find_place(tracker, &event, pool, stream);
    gmt_call_add(tracker, &event);
    gmt_call_mark(subject);
}

static struct gmt_tracker *failure_recorder(const struct gmt_call *call)
{
    if (call->code == CUDA_ERROR_DEINITIALIZED)
        return NULL; /* the driver has shut down: every runtime releases its context once more when the process ends */
    /* A process that cannot initialise CUDA at all (no GPU) has nothing to report: no file for it. */
    return gmt_call_recorder(call, gmt_subject(GMT_SUBJECT_ERROR, (uint64_t)call->code), false);
}

void gmt_call_failed(struct gmt_call *call, uint64_t request)
{
    struct gmt_tracker *tracker = failure_recorder(call);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    event.bytes = request;
    gmt_tracker_failure(tracker, &event, GMT_FAILURE_FAILED);
    gmt_call_mark(gmt_subject(GMT_SUBJECT_ERROR, (uint64_t)call->code));
    if (call->code == CUDA_ERROR_OUT_OF_MEMORY)
        gmt_out_of_memory(tracker, &event);
}

/* The range in the way may not be mapped any more. Looking takes longer than the call, and some programs register what
 * is registered again and again: for the 1st, 2nd, 4th, 8th … */
static void look_for_unmapped(struct gmt_tracker *tracker)
{
    static uint32_t refused;
    uint32_t before = __atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
    if ((before & (before + 1)) == 0)
        gmt_threads_look_around(tracker);
}

void gmt_call_not_registered(struct gmt_call *call, uint64_t address, uint64_t bytes)
{
    if (call->code != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) {
        gmt_call_failed(call, bytes);
        return;
    }
    struct gmt_tracker *tracker = failure_recorder(call);
    if (!tracker)
        return;
    look_for_unmapped(tracker);
    struct gmt_event event = gmt_call_event(tracker, call);
    event.kind = GMT_KIND_REGISTERED;
    event.address = address;
    event.bytes = bytes;
    event.in_the_way = true;
    gmt_tracker_failure(tracker, &event, GMT_FAILURE_FAILED);
    gmt_call_mark(gmt_subject(GMT_SUBJECT_ERROR, (uint64_t)call->code));
}

void gmt_call_free_begin(struct gmt_call *call, enum gmt_family family, uint64_t address)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    call->address = address;
    call->family = family;
    call->outer_freeing = gmt_thread_self.freeing;
    call->taken = (struct gmt_taken){.node = NULL};
    call->nested_free = address != 0 && call->outer_freeing == address;
    if (!call->nested_free && tracker)
        gmt_tracker_free_begin(tracker, family, address, &call->taken);
    gmt_thread_self.freeing = address;
    errno = call->saved_errno;
}

static void free_failed(struct gmt_tracker *tracker, struct gmt_call *call)
{
    bool taken = call->taken.node != NULL;
    enum gmt_failure_kind kind = taken ? GMT_FAILURE_FAILED : GMT_FAILURE_STRAY;
    if (call->address == 0)
        kind = GMT_FAILURE_NULL;
    else if (call->code == CUDA_ERROR_DEINITIALIZED) /* taken or not: its context may have ended before */
        kind = GMT_FAILURE_LATE;
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, call->address);
    if (kind == GMT_FAILURE_NULL && !gmt_call_recorder(call, subject, false))
        return; /* an inner hooked free of null, which `freeing` cannot tell */
    struct gmt_event event = gmt_call_event(tracker, call);
    event.address = call->address;
    event.family = (uint8_t)call->family;
    if (kind == GMT_FAILURE_STRAY && call->code != CUDA_SUCCESS) /* else it was right, and only not seen being taken */
        event.address_is = gmt_threads_address_is(call->address);
    if (taken && kind != GMT_FAILURE_LATE)
        gmt_tracker_free_abort(tracker, &call->taken); /* before, so that the failure finds the block */
    if (taken && kind == GMT_FAILURE_LATE)
        gmt_tracker_free_late(tracker, &call->taken, &event);
    else
        gmt_tracker_failure(tracker, &event, kind);
    if (kind == GMT_FAILURE_NULL)
        gmt_call_mark(subject);
}

void gmt_call_free_end(struct gmt_call *call)
{
    gmt_thread_self.freeing = call->outer_freeing;
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (call->nested_free || !tracker)
        return;
    if (!call->taken.node || call->code != CUDA_SUCCESS) {
        free_failed(tracker, call);
        return;
    }
    struct gmt_event event = {.entry = call->entry, .thread = gmt_thread_record(tracker), .stack = GMT_NONE};
    if (gmt_process_options()->free_stacks)
        event.stack = gmt_call_stack(tracker, call);
    gmt_tracker_free_commit(tracker, &call->taken, &event);
}

void gmt_call_free_async_begin(struct gmt_call *call, uint64_t address, CUstream stream)
{
    call->graph = gmt_call_capturing(stream);
    errno = call->saved_errno;
    if (!call->graph)
        gmt_call_free_begin(call, GMT_FAMILY_ADDRESS, address);
}

void gmt_call_free_async_end(struct gmt_call *call, uint64_t address)
{
    if (!call->graph)
        gmt_call_free_end(call);
    else if (call->code == CUDA_SUCCESS)
        gmt_call_graph_frees(call, call->graph, address);
    else
        gmt_call_failed(call, 0);
}
