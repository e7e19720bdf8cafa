/* See call_graphs.h. */
#include "hook/call_graphs.h"

#include "hook/call_event.h"
#include "hook/driver.h"
#include "hook/process.h"

/* Streams that are being recorded. May stay too high when a recorded stream is destroyed, which costs a query for each
 * asynchronous call and no more; never too low. */
static uint32_t captures;

/* Graphs that streams are being recorded into, and that were there before: those of a conditional node are never
 * created by a call. One more than there is room for is counted as a graph that the recording made. */
static uint64_t extended[32];

static bool exchange_extended(uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < sizeof extended / sizeof extended[0]; i++) {
        uint64_t expected = from;
        if (__atomic_compare_exchange_n(&extended[i], &expected, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

static bool any_extended(void)
{
    for (size_t i = 0; i < sizeof extended / sizeof extended[0]; i++) {
        if (__atomic_load_n(&extended[i], __ATOMIC_RELAXED) != 0)
            return true;
    }
    return false;
}

bool gmt_captures_under_way(void)
{
    return __atomic_load_n(&captures, __ATOMIC_RELAXED) > 0;
}

CUgraph gmt_call_capturing(CUstream stream)
{
    if (!gmt_captures_under_way())
        return NULL;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUgraph graph = NULL;
    if (gmt_driver_query(cuStreamGetCaptureInfo_v2)(stream, &status, &id, &graph, NULL, NULL) != CUDA_SUCCESS)
        return NULL;
    return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? graph : NULL;
}

/* With `into` NULL the graph is a new one. A recording that was broken off, or whose stream was destroyed, has left
 * what was known of its graph, and the driver may use that handle again. */
void gmt_call_capture_begun(CUstream stream, CUgraph into)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    __atomic_fetch_add(&captures, 1, __ATOMIC_RELAXED);
    if (into) {
        exchange_extended(0, (uintptr_t)into);
        return;
    }
    if (!tracker || (!gmt_tracker_graphs_have_memory(tracker) && !any_extended()))
        return;
    CUgraph graph = gmt_call_capturing(stream);
    if (!graph)
        return;
    while (exchange_extended((uintptr_t)graph, 0))
        ;
    gmt_tracker_graph_begun(tracker, (uintptr_t)graph);
}

void gmt_call_capture_ended(struct gmt_call *call, CUgraph *graph)
{
    bool over = call->code == CUDA_SUCCESS || call->code == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED ||
                call->code == CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    uint32_t count = __atomic_load_n(&captures, __ATOMIC_RELAXED);
    while (over && count > 0 &&
           !__atomic_compare_exchange_n(&captures, &count, count - 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    if (call->code != CUDA_SUCCESS)
        gmt_call_failed(call, 0);
    else if (graph && *graph && !exchange_extended((uintptr_t)*graph, 0))
        gmt_call_allocated_once(call, GMT_KIND_GRAPH, (uintptr_t)*graph, 0);
}

void gmt_call_graph_allocates(struct gmt_call *call, CUgraph graph, uint64_t address, uint64_t bytes)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_outside(tracker, call);
    event.address = address;
    event.bytes = bytes;
    gmt_tracker_graph_allocates(tracker, (uintptr_t)graph, &event);
    gmt_call_mark(subject);
}

void gmt_call_graph_frees(struct gmt_call *call, CUgraph graph, uint64_t address)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    gmt_tracker_graph_frees(tracker, (uintptr_t)graph, address);
    gmt_call_mark(subject);
}

void gmt_call_graph_joined(struct gmt_call *call, CUgraph parent, CUgraph child)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, (uintptr_t)child);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    gmt_tracker_graph_joined(tracker, (uintptr_t)parent, (uintptr_t)child);
    gmt_call_mark(subject);
}

static void graph_moved(const struct gmt_call *call, CUgraph parent, CUgraph child)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, (uintptr_t)child);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_outside(tracker, call);
    gmt_tracker_graph_moved(tracker, (uintptr_t)parent, (uintptr_t)child, &event);
    gmt_call_mark(subject);
}

void gmt_call_graph_node(struct gmt_call *call, CUgraph graph, const CUgraphNodeParams *node)
{
    if (node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        gmt_call_graph_allocates(call, graph, node->alloc.dptr, node->alloc.bytesize);
    else if (node->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        gmt_call_graph_frees(call, graph, node->free.dptr);
    else if (node->type == CU_GRAPH_NODE_TYPE_GRAPH && node->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
        graph_moved(call, graph, node->graph.graph);
    else if (node->type == CU_GRAPH_NODE_TYPE_GRAPH)
        gmt_call_graph_joined(call, graph, node->graph.graph);
}

/* A graph that was made of another, or an executable one: it does to memory what the other does. */
void gmt_call_graph_made(struct gmt_call *call, enum gmt_kind kind, const void *made, CUgraph graph)
{
    struct gmt_tracker *tracker = gmt_call_recorder(call, gmt_subject(GMT_SUBJECT_BLOCK, (uintptr_t)made), true);
    if (!tracker)
        return;
    gmt_call_allocated(call, kind, (uintptr_t)made, 0);
    gmt_tracker_graph_instantiated(tracker, (uintptr_t)made, (uintptr_t)graph);
}

void gmt_call_graph_launched(struct gmt_call *call, CUgraphExec executable)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, (uintptr_t)executable);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker || !gmt_tracker_graphs_have_memory(tracker))
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    gmt_tracker_graph_launched(tracker, (uintptr_t)executable, &event);
    gmt_call_mark(subject);
}
