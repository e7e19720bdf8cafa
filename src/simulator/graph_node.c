/* What nodes can do: their parameters checked and made their own. */
#include "simulator/array.h"
#include "simulator/event.h"
#include "simulator/fill.h"
#include "simulator/graph.h"
#include "simulator/graph_memory.h"
#include "simulator/launch.h"
#include "simulator/measured_answers.h"
#include "simulator/transfer.h"

/* Where bytes go is looked at when they go: an allocation node has no memory before. */
static CUresult check_copy(const CUDA_MEMCPY3D *description)
{
    struct gmt_sim_copy copy;
    CUresult result = gmt_sim_copy_read(description, &copy);
    if (result != CUDA_SUCCESS)
        return result;
    bool to = copy.to.side == GMT_SIM_IN_ARRAY ? gmt_sim_array_of(copy.to.array) != NULL : copy.to.address != 0;
    bool from = copy.from.side == GMT_SIM_IN_ARRAY ? gmt_sim_array_of(copy.from.array) != NULL : copy.from.address != 0;
    return to && from ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_fill(const CUDA_MEMSET_NODE_PARAMS_v2 *fill)
{
    return fill->width && fill->height && gmt_sim_fill_possible(fill) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A child graph is a whole graph of the program's that is not the graph itself nor around it. */
static CUresult check_child(const struct gmt_sim_graph *graph, const CUDA_CHILD_GRAPH_NODE_PARAMS *params)
{
    const struct gmt_sim_graph *child = gmt_sim_graph_of(params->graph);
    bool moved = params->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    if (!child || (moved && child->parent))
        return CUDA_ERROR_INVALID_VALUE;
    for (const struct gmt_sim_graph *around = graph; around; around = around->parent ? around->parent->graph : NULL) {
        if (around == child)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return !moved && gmt_sim_graph_has_memory(child) ? GMT_SIM_MEMORY_NODES_FIXED : CUDA_SUCCESS;
}

static CUresult check_allocation(const CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params)
{
    const CUmemPoolProps *pool = &params->poolProps;
    bool possible = pool->allocType == CU_MEM_ALLOCATION_TYPE_PINNED && pool->handleTypes == CU_MEM_HANDLE_TYPE_NONE &&
                    pool->location.type == CU_MEM_LOCATION_TYPE_DEVICE && gmt_sim_device(pool->location.id);
    return possible && params->bytesize ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool freed_in(const struct gmt_sim_graph *graph, CUdeviceptr address)
{
    for (size_t i = 0; i < graph->count; i++) {
        const CUgraphNodeParams *params = &graph->nodes[i]->params;
        if (params->type == CU_GRAPH_NODE_TYPE_MEM_FREE && params->free.dptr == address)
            return true;
    }
    return false;
}

static CUresult check(const struct gmt_sim_graph *graph, const CUgraphNodeParams *params)
{
    switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return gmt_sim_launch_check(&params->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return check_copy(&params->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return check_fill(&params->memset);
    case CU_GRAPH_NODE_TYPE_HOST:
        return params->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return check_child(graph, &params->graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return gmt_sim_event_is(params->eventWait.event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return gmt_sim_event_is(params->eventRecord.event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return check_allocation(&params->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return gmt_sim_graph_range_at(params->free.dptr) && !freed_in(graph, params->free.dptr)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

/* Kernel arguments lie where only the caller knows how many there are; kernels do not run, so nobody misses them. */
static void drop_pointers(CUgraphNodeParams *params)
{
    if (params->type == CU_GRAPH_NODE_TYPE_KERNEL)
        params->kernel.kernelParams = params->kernel.extra = NULL;
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        params->alloc.accessDescs = NULL;
        params->alloc.accessDescCount = 0;
    }
}

static bool own_child(struct gmt_sim_node *node)
{
    CUDA_CHILD_GRAPH_NODE_PARAMS *params = &node->params.graph;
    struct gmt_sim_graph *child = (struct gmt_sim_graph *)params->graph;
    if (params->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE)
        child = gmt_sim_graph_copy(child, node->graph->hidden);
    params->graph = (CUgraph)child;
    if (child)
        child->parent = node;
    return child != NULL;
}

static bool own_range(struct gmt_sim_node *node)
{
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 *params = &node->params.alloc;
    node->range = gmt_sim_graph_range_new(gmt_sim_device(params->poolProps.location.id), params->bytesize);
    if (node->range)
        params->dptr = node->range->address;
    return node->range != NULL;
}

CUresult gmt_sim_node_create(struct gmt_sim_graph *graph, CUgraphNodeParams *params, struct gmt_sim_node **node_out)
{
    CUresult result = check(graph, params);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_node *node = gmt_sim_node_add(graph, params);
    if (!node)
        return CUDA_ERROR_OUT_OF_MEMORY;
    drop_pointers(&node->params);
    bool owned = true;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        owned = own_child(node);
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        owned = own_range(node);
    if (!owned) {
        gmt_sim_node_remove(node);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        params->alloc.dptr = node->params.alloc.dptr;
    *node_out = node;
    return CUDA_SUCCESS;
}

/* The copy of another graph takes the place of the child. */
static CUresult change_child(struct gmt_sim_node *node, const CUgraphNodeParams *params)
{
    struct gmt_sim_graph *before = (struct gmt_sim_graph *)node->params.graph.graph;
    struct gmt_sim_graph *after = gmt_sim_graph_copy((struct gmt_sim_graph *)params->graph.graph, node->graph->hidden);
    if (!after)
        return CUDA_ERROR_OUT_OF_MEMORY;
    after->parent = node;
    node->params.graph.graph = (CUgraph)after;
    gmt_sim_graph_free(before);
    return CUDA_SUCCESS;
}

CUresult gmt_sim_node_change(struct gmt_sim_node *node, const CUgraphNodeParams *wanted)
{
    CUgraphNodeParams copy = *wanted;
    const CUgraphNodeParams *params = &copy;
    if (copy.type == CU_GRAPH_NODE_TYPE_GRAPH)
        copy.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
    if (params->type != node->params.type)
        return CUDA_ERROR_INVALID_VALUE;
    if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || params->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        return GMT_SIM_MEMORY_NODES_FIXED;
    CUresult result = check(node->graph, params);
    if (result != CUDA_SUCCESS)
        return result;
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return change_child(node, params);
    node->params = *params;
    drop_pointers(&node->params);
    return CUDA_SUCCESS;
}
