/* Captures that are under way: which streams take part, and what must not happen meanwhile. */
#include "simulator/capture.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "simulator/assumed_answers.h"
#include "simulator/stream.h"

static struct gmt_sim_capture *all;
static _Atomic int under_way;
static unsigned long long last_id;
static _Thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

CUstreamCaptureMode gmt_sim_capture_exchange_mode(CUstreamCaptureMode mode)
{
    CUstreamCaptureMode before = thread_mode;
    thread_mode = mode;
    return before;
}

bool gmt_sim_captures_any(void)
{
    return atomic_load_explicit(&under_way, memory_order_relaxed) > 0;
}

/* As cuda.h describes the modes: whose captures count depends on the thread's own mode as well. */
static bool forbids(const struct gmt_sim_capture *capture)
{
    bool own = pthread_equal(capture->thread, pthread_self());
    switch (thread_mode) {
    case CU_STREAM_CAPTURE_MODE_GLOBAL:
        return own ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    case CU_STREAM_CAPTURE_MODE_THREAD_LOCAL:
        return own && capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
    default:
        return false;
    }
}

bool gmt_sim_captures_forbid(void)
{
    bool any = false;
    gmt_sim_lock();
    for (struct gmt_sim_capture *capture = all; capture; capture = capture->next) {
        if (!forbids(capture))
            continue;
        capture->invalidated = true;
        any = true;
    }
    gmt_sim_unlock();
    return any;
}

struct gmt_sim_capture *gmt_sim_capture_of(unsigned long long id)
{
    struct gmt_sim_capture *capture = id ? all : NULL;
    while (capture && capture->id != id)
        capture = capture->next;
    return capture;
}

struct gmt_sim_capture *gmt_sim_capture_begin(struct gmt_sim_stream *origin, CUstreamCaptureMode mode)
{
    struct gmt_sim_capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return NULL;
    *capture = (struct gmt_sim_capture){
        .next = all, .id = ++last_id, .origin = origin, .mode = mode, .thread = pthread_self()};
    all = capture;
    origin->capture = capture;
    origin->tail.count = 0;
    atomic_fetch_add(&under_way, 1);
    return capture;
}

void gmt_sim_capture_end(struct gmt_sim_capture *capture)
{
    struct gmt_sim_capture **link = &all;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    for (struct gmt_sim_stream *stream = gmt_sim_streams(); stream; stream = stream->next) {
        if (stream->capture == capture)
            stream->capture = NULL;
    }
    free(capture);
    atomic_fetch_sub(&under_way, 1);
}

void gmt_sim_capture_forget(struct gmt_sim_stream *stream)
{
    struct gmt_sim_capture *capture = stream->capture;
    if (!capture)
        return;
    stream->capture = NULL;
    capture->invalidated = true;
    if (capture->origin != stream)
        return;
    /* Nobody can end it any more. */
    if (capture->own_graph)
        gmt_sim_graph_free(capture->graph);
    gmt_sim_capture_end(capture);
}

/* Otherwise they would forbid calls to the program for ever. */
void gmt_sim_captures_end(const struct gmt_sim_context *context)
{
    for (struct gmt_sim_stream *stream = gmt_sim_streams(); stream; stream = stream->next) {
        if (stream->context == context)
            gmt_sim_capture_forget(stream);
    }
}

CUresult gmt_sim_capture_refuse(struct gmt_sim_stream *stream)
{
    stream->capture->invalidated = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult gmt_sim_capture_check_default(const struct gmt_sim_stream *stream, bool use)
{
    if (!gmt_sim_captures_any() || stream != stream->context->legacy_stream)
        return CUDA_SUCCESS;
    for (struct gmt_sim_stream *other = gmt_sim_streams(); other; other = other->next) {
        if (!other->capture || other->context != stream->context || (other->flags & CU_STREAM_NON_BLOCKING))
            continue;
        other->capture->invalidated |= use;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    return CUDA_SUCCESS;
}

bool gmt_sim_capture_depend(struct gmt_sim_edges *tail, struct gmt_sim_node *node, const CUgraphEdgeData *data)
{
    for (size_t i = 0; i < tail->count; i++) {
        if (tail->items[i].node == node)
            return true;
    }
    return gmt_sim_edges_append(tail, node, data);
}

/* The program may have removed a node meanwhile. */
static bool still_there(const struct gmt_sim_edge *edge, const struct gmt_sim_capture *capture)
{
    struct gmt_sim_node *node = gmt_sim_node_of((CUgraphNode)edge->node);
    return node && node->graph == capture->graph;
}

CUresult gmt_sim_capture_add(struct gmt_sim_stream *stream, CUgraphNodeParams *params)
{
    struct gmt_sim_node *node;
    struct gmt_sim_capture *capture = stream->capture;
    CUresult result = gmt_sim_node_create(capture->graph, params, &node);
    for (size_t i = 0; i < stream->tail.count && result == CUDA_SUCCESS; i++) {
        const struct gmt_sim_edge *edge = &stream->tail.items[i];
        if (still_there(edge, capture))
            result = gmt_sim_edge_add(edge->node, node, &edge->data);
    }
    if (result != CUDA_SUCCESS)
        return result;
    stream->tail.count = 0;
    return gmt_sim_edges_append(&stream->tail, node, NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

bool gmt_sim_capture_mark(const struct gmt_sim_stream *stream, struct gmt_sim_capture_point *point)
{
    point->id = stream->capture ? stream->capture->id : 0;
    point->nodes.count = 0;
    for (size_t i = 0; i < stream->tail.count && stream->capture; i++) {
        if (!gmt_sim_edges_append(&point->nodes, stream->tail.items[i].node, &stream->tail.items[i].data))
            return false;
    }
    return true;
}

CUresult gmt_sim_capture_wait(struct gmt_sim_stream *stream, const struct gmt_sim_capture_point *point)
{
    struct gmt_sim_capture *capture = gmt_sim_capture_of(point->id);
    if (!capture)
        return GMT_SIM_CAPTURE_OVER;
    if (capture->invalidated)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream->capture && stream->capture != capture) {
        capture->invalidated = stream->capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (stream == stream->context->legacy_stream) {
        capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (!stream->capture)
        stream->tail.count = 0;
    stream->capture = capture;
    for (size_t i = 0; i < point->nodes.count; i++) {
        const struct gmt_sim_edge *edge = &point->nodes.items[i];
        if (still_there(edge, capture) && !gmt_sim_capture_depend(&stream->tail, edge->node, &edge->data))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* Marks what the origin's last nodes rest on; `waiting` is free for it between two orderings. */
static bool mark_joined(const struct gmt_sim_capture *capture)
{
    const struct gmt_sim_graph *graph = capture->graph;
    struct gmt_sim_node **open = calloc(graph->count + 1, sizeof(struct gmt_sim_node *));
    size_t count = 0;
    if (!open)
        return false;
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->waiting = 0;
    for (size_t i = 0; i < capture->origin->tail.count; i++) {
        if (!still_there(&capture->origin->tail.items[i], capture))
            continue;
        open[count++] = capture->origin->tail.items[i].node;
        open[count - 1]->waiting = 1;
    }
    while (count > 0) {
        const struct gmt_sim_node *node = open[--count];
        for (size_t i = 0; i < node->before.count; i++) {
            struct gmt_sim_node *earlier = node->before.items[i].node;
            if (earlier->waiting == 0)
                open[count++] = earlier;
            earlier->waiting = 1;
        }
    }
    free(open);
    return true;
}

bool gmt_sim_capture_joined(const struct gmt_sim_capture *capture)
{
    if (!mark_joined(capture))
        return false;
    for (const struct gmt_sim_stream *stream = gmt_sim_streams(); stream; stream = stream->next) {
        if (stream->capture != capture)
            continue;
        for (size_t i = 0; i < stream->tail.count; i++) {
            if (still_there(&stream->tail.items[i], capture) && !stream->tail.items[i].node->waiting)
                return false;
        }
    }
    return true;
}

bool gmt_sim_captures_into(const struct gmt_sim_graph *graph)
{
    const struct gmt_sim_capture *capture = all;
    while (capture && capture->graph != graph)
        capture = capture->next;
    return capture != NULL;
}
