/* Running executable graphs: their nodes one after another, in the order of the stream. */
#include <stdlib.h>

#include "simulator/capture.h"
#include "simulator/event.h"
#include "simulator/fill.h"
#include "simulator/graph_exec.h"
#include "simulator/graph_memory.h"
#include "simulator/launch.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/stream.h"
#include "simulator/transfer.h"

/* What is in use, and was at most, on each device while the nodes run one after another. */
struct need {
    uint64_t now[GMT_SIM_DEVICES_MAX], most[GMT_SIM_DEVICES_MAX];
};

static struct gmt_sim_node **order_of(struct gmt_sim_graph *graph)
{
    struct gmt_sim_node **order = calloc(graph->count + 1, sizeof(struct gmt_sim_node *));
    if (order)
        gmt_sim_graph_order(graph, order);
    return order;
}

/* Blocks that the graph frees without having taken them itself are others' and do not count. */
static bool add_need(struct gmt_sim_graph *graph, struct need *need)
{
    struct gmt_sim_node **order = order_of(graph);
    bool good = order != NULL;
    for (size_t i = 0; i < graph->count && good; i++) {
        const CUgraphNodeParams *params = &order[i]->params;
        const struct gmt_sim_graph_range *range = order[i]->range;
        if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
            good = add_need((struct gmt_sim_graph *)params->graph.graph, need);
        if (params->type == CU_GRAPH_NODE_TYPE_MEM_FREE) {
            range = gmt_sim_graph_range_at(params->free.dptr);
            if (range && need->now[range->device->ordinal] >= range->size)
                need->now[range->device->ordinal] -= range->size;
        } else if (range) {
            uint64_t *now = &need->now[range->device->ordinal], *most = &need->most[range->device->ordinal];
            *now += range->size;
            *most = *now > *most ? *now : *most;
        }
    }
    free(order);
    return good;
}

CUresult gmt_sim_graph_exec_reserve(struct gmt_sim_graph_exec *exec)
{
    struct need need = {0};
    if (!gmt_sim_graph_has_memory(exec->graph))
        return CUDA_SUCCESS;
    if (!add_need(exec->graph, &need))
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < gmt_sim_device_count(); i++) {
        if (need.most[i] && !gmt_sim_graph_pool_reserve(gmt_sim_device(i), need.most[i]))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* Blocks of the launch before that nobody freed: they go, where that was asked for, or forbid this one. */
static CUresult clear_blocks(const struct gmt_sim_graph *graph, bool free_them)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < graph->count && result == CUDA_SUCCESS; i++) {
        const struct gmt_sim_node *node = graph->nodes[i];
        struct gmt_sim_block *block = node->range ? gmt_sim_block_at(node->range->address) : NULL;
        if (node->params.type == CU_GRAPH_NODE_TYPE_GRAPH)
            result = clear_blocks((struct gmt_sim_graph *)node->params.graph.graph, free_them);
        else if (block && free_them)
            gmt_sim_block_give(block);
        else if (block)
            result = GMT_SIM_LAUNCHED_OVER_BLOCK;
    }
    return result;
}

static CUresult free_block(CUdeviceptr address)
{
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    if (!block || block->kind != GMT_SIM_GRAPH_BLOCK)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_block_give(block);
    return CUDA_SUCCESS;
}

static CUresult copy(const CUDA_MEMCPY3D *description)
{
    struct gmt_sim_copy read;
    CUresult result = gmt_sim_copy_read(description, &read);
    return result == CUDA_SUCCESS ? gmt_sim_copy_now(&read) : result;
}

static CUresult run_graph(struct gmt_sim_graph *graph, struct gmt_sim_node **order, struct gmt_sim_stream *stream);

static CUresult run_child(struct gmt_sim_graph *graph, struct gmt_sim_stream *stream)
{
    struct gmt_sim_node **order = order_of(graph);
    CUresult result = order ? run_graph(graph, order, stream) : CUDA_ERROR_OUT_OF_MEMORY;
    free(order);
    return result;
}

static CUresult run_node(const struct gmt_sim_node *node, struct gmt_sim_stream *stream)
{
    const CUgraphNodeParams *params = &node->params;
    switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return gmt_sim_launch_now(&params->kernel, stream->context);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return copy(&params->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return gmt_sim_fill_now(&params->memset);
    case CU_GRAPH_NODE_TYPE_HOST:
        return gmt_sim_stream_call(stream, params->host.fn, params->host.userData);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return run_child((struct gmt_sim_graph *)params->graph.graph, stream);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        if (gmt_sim_event_is(params->eventRecord.event))
            gmt_sim_event_record(params->eventRecord.event);
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return gmt_sim_graph_range_take(node->range) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return free_block(params->free.dptr);
    default: /* an empty node, and a wait for an event, which has happened */
        return CUDA_SUCCESS;
    }
}

/* Host functions are put behind one another; everything else waits for those before it. */
static CUresult run_graph(struct gmt_sim_graph *graph, struct gmt_sim_node **order, struct gmt_sim_stream *stream)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < graph->count && result == CUDA_SUCCESS; i++) {
        if (!order[i]->enabled)
            continue;
        if (order[i]->params.type != CU_GRAPH_NODE_TYPE_HOST)
            gmt_sim_stream_drain(stream);
        result = run_node(order[i], stream);
    }
    return result;
}

/* The lock is let go while host functions are waited for, so the executable graph is held. */
static CUresult launch(struct gmt_sim_graph_exec *exec, struct gmt_sim_stream *stream)
{
    CUresult result = clear_blocks(exec->graph, exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    if (result == CUDA_SUCCESS)
        result = gmt_sim_graph_exec_reserve(exec);
    if (result != CUDA_SUCCESS)
        return result;
    exec->running++;
    result = run_graph(exec->graph, exec->order, stream);
    gmt_sim_graph_exec_release(exec);
    return result;
}

/* A captured launch becomes a node with a copy of the graph. */
static CUresult capture_launch(struct gmt_sim_graph_exec *exec, struct gmt_sim_stream *stream)
{
    if (gmt_sim_graph_has_memory(exec->graph))
        return GMT_SIM_MEMORY_NODES_FIXED;
    struct gmt_sim_graph *copied = gmt_sim_graph_copy(exec->graph, false);
    if (!copied)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH,
                                .graph = {(CUgraph)copied, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    CUresult result = gmt_sim_capture_add(stream, &params);
    if (result != CUDA_SUCCESS)
        gmt_sim_graph_free(copied);
    return result;
}

GMT_SIM_BODY(cuGraphLaunch)(CUgraphExec handle, CUstream stream_handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_queue(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(handle);
    if (!exec)
        return gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
    return gmt_sim_leave(stream->capture ? capture_launch(exec, stream) : launch(exec, stream));
}
GMT_SIM_TWIN(cuGraphLaunch_ptsz, cuGraphLaunch)

GMT_SIM_BODY(cuGraphUpload)(CUgraphExec handle, CUstream stream_handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(handle);
    return gmt_sim_leave(exec ? gmt_sim_graph_exec_reserve(exec) : GMT_SIM_GRAPH_UNKNOWN);
}
GMT_SIM_TWIN(cuGraphUpload_ptsz, cuGraphUpload)
