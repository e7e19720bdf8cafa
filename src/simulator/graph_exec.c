/* The life of executable graphs, and updates of them. */
#include "simulator/graph_exec.h"

#include <stdlib.h>

#include "simulator/handle.h"
#include "simulator/measured_answers.h"
#include "simulator/stream.h"

#define KNOWN_FLAGS                                                                                                    \
    (CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |                            \
     CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY)

struct gmt_sim_graph_exec *gmt_sim_graph_exec_of(CUgraphExec handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_GRAPH_EXEC) ? (struct gmt_sim_graph_exec *)handle : NULL;
}

static void free_exec(struct gmt_sim_graph_exec *exec)
{
    gmt_sim_graph_free(exec->graph);
    free(exec->order);
    free(exec);
}

/* The order of the nodes, which all child graphs must have too. */
static bool put_in_order(struct gmt_sim_graph *graph, struct gmt_sim_node ***order_out)
{
    struct gmt_sim_node **order = calloc(graph->count + 1, sizeof(struct gmt_sim_node *));
    bool good = order && gmt_sim_graph_order(graph, order);
    for (size_t i = 0; i < graph->count && good; i++) {
        struct gmt_sim_node **inner = NULL;
        if (graph->nodes[i]->params.type == CU_GRAPH_NODE_TYPE_GRAPH)
            good = put_in_order((struct gmt_sim_graph *)graph->nodes[i]->params.graph.graph, &inner);
        free(inner);
    }
    if (good)
        *order_out = order;
    else
        free(order);
    return good;
}

/* Lock held. */
static CUresult instantiate(struct gmt_sim_graph *graph, cuuint64_t flags, struct gmt_sim_graph_exec **exec_out)
{
    bool memory = gmt_sim_graph_has_memory(graph);
    if (flags & ~(cuuint64_t)KNOWN_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    if (memory && graph->instance)
        return GMT_SIM_INSTANTIATED_TWICE;
    struct gmt_sim_graph_exec *exec = calloc(1, sizeof *exec);
    struct gmt_sim_graph *copy = exec ? gmt_sim_graph_copy(graph, true) : NULL;
    if (!copy) {
        free(exec);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    exec->graph = copy;
    exec->flags = flags;
    bool ordered = put_in_order(copy, &exec->order);
    if (!ordered || !gmt_sim_handle_add(exec, GMT_SIM_GRAPH_EXEC)) {
        free_exec(exec);
        return ordered ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    }
    if (memory) {
        exec->source = graph;
        graph->instance = exec;
    }
    *exec_out = exec;
    return CUDA_SUCCESS;
}

static CUresult instantiate_handle(CUgraphExec *handle, CUgraph graph_handle, cuuint64_t flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_graph *graph = gmt_sim_graph_of(graph_handle);
    if (!handle || !graph)
        return gmt_sim_leave(graph ? CUDA_ERROR_INVALID_VALUE : GMT_SIM_GRAPH_UNKNOWN);
    return gmt_sim_leave(instantiate(graph, flags, (struct gmt_sim_graph_exec **)handle));
}

GMT_SIM_BODY(cuGraphInstantiateWithFlags)(CUgraphExec *handle, CUgraph graph, unsigned long long flags)
{
    return instantiate_handle(handle, graph, flags);
}

GMT_SIM_BODY(cuGraphInstantiate_v2)
(CUgraphExec *handle, CUgraph graph, CUgraphNode *error_node, char *log, size_t bytes)
{
    if (error_node)
        *error_node = NULL;
    if (log && bytes > 0)
        log[0] = '\0';
    return instantiate_handle(handle, graph, 0);
}
GMT_SIM_TWIN(cuGraphInstantiate, cuGraphInstantiate_v2)

GMT_SIM_BODY(cuGraphInstantiateWithParams)(CUgraphExec *handle, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    params->hErrNode_out = NULL;
    params->result_out = CUDA_GRAPH_INSTANTIATE_ERROR;
    CUresult result = instantiate_handle(handle, graph, params->flags);
    if (result == CUDA_SUCCESS && (params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD)) {
        gmt_sim_lock();
        result = gmt_sim_leave(gmt_sim_graph_exec_reserve((struct gmt_sim_graph_exec *)*handle));
    }
    if (result == CUDA_SUCCESS)
        params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    return result;
}
GMT_SIM_TWIN(cuGraphInstantiateWithParams_ptsz, cuGraphInstantiateWithParams)

void gmt_sim_graph_exec_orphan(struct gmt_sim_graph *graph)
{
    if (graph->instance)
        graph->instance->source = NULL;
}

void gmt_sim_graph_exec_release(struct gmt_sim_graph_exec *exec)
{
    if (--exec->running == 0 && exec->ended)
        free_exec(exec);
}

GMT_SIM_BODY(cuGraphExecDestroy)(CUgraphExec handle)
{
    gmt_sim_lock();
    struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(handle);
    if (!exec)
        return gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
    gmt_sim_handle_remove(exec);
    if (exec->source)
        exec->source->instance = NULL;
    exec->ended = true;
    exec->running++;
    gmt_sim_graph_exec_release(exec);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuGraphExecGetFlags)(CUgraphExec handle, cuuint64_t *flags)
{
    gmt_sim_lock();
    struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(handle);
    if (!exec || !flags)
        return gmt_sim_leave(exec ? CUDA_ERROR_INVALID_VALUE : GMT_SIM_GRAPH_UNKNOWN);
    *flags = exec->flags;
    return gmt_sim_leave(CUDA_SUCCESS);
}

static struct gmt_sim_node *find_node(const struct gmt_sim_graph *graph, const struct gmt_sim_node *origin)
{
    struct gmt_sim_node *found = NULL;
    for (size_t i = 0; i < graph->count && !found; i++) {
        struct gmt_sim_node *node = graph->nodes[i];
        if (node->origin == origin)
            found = node;
        else if (node->params.type == CU_GRAPH_NODE_TYPE_GRAPH)
            found = find_node((struct gmt_sim_graph *)node->params.graph.graph, origin);
    }
    return found;
}

struct gmt_sim_node *gmt_sim_graph_exec_node(const struct gmt_sim_graph_exec *exec, CUgraphNode handle)
{
    return handle ? find_node(exec->graph, (struct gmt_sim_node *)handle) : NULL;
}

/* Whether two graphs have the same nodes and edges, in the order in which they were added. */
static CUgraphExecUpdateResult compare(const struct gmt_sim_graph *old, const struct gmt_sim_graph *wanted,
                                       const struct gmt_sim_node **fault_out)
{
    if (old->count != wanted->count)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < old->count; i++) {
        *fault_out = wanted->nodes[i];
        if (old->nodes[i]->params.type != wanted->nodes[i]->params.type)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (old->nodes[i]->before.count != wanted->nodes[i]->before.count)
            return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        old->nodes[i]->waiting = wanted->nodes[i]->waiting = i;
    }
    for (size_t i = 0; i < old->count; i++) {
        *fault_out = wanted->nodes[i];
        for (size_t k = 0; k < old->nodes[i]->before.count; k++) {
            if (old->nodes[i]->before.items[k].node->waiting != wanted->nodes[i]->before.items[k].node->waiting)
                return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        }
    }
    *fault_out = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* The nodes take over what the other graph's do. */
static CUgraphExecUpdateResult update(struct gmt_sim_graph_exec *exec, const struct gmt_sim_graph *wanted,
                                      const struct gmt_sim_node **fault_out)
{
    CUgraphExecUpdateResult result = compare(exec->graph, wanted, fault_out);
    if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS)
        return result;
    if (gmt_sim_graph_has_memory(wanted))
        return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < wanted->count; i++) {
        *fault_out = wanted->nodes[i];
        if (gmt_sim_node_change(exec->graph->nodes[i], &wanted->nodes[i]->params) != CUDA_SUCCESS)
            return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    }
    *fault_out = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

GMT_SIM_BODY(cuGraphExecUpdate_v2)(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo *info)
{
    const struct gmt_sim_node *fault = NULL;
    gmt_sim_lock();
    struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(handle);
    struct gmt_sim_graph *graph = gmt_sim_graph_of(graph_handle);
    if (!exec || !graph || !info)
        return gmt_sim_leave(exec && graph ? CUDA_ERROR_INVALID_VALUE : GMT_SIM_GRAPH_UNKNOWN);
    CUgraphExecUpdateResult result = update(exec, graph, &fault);
    *info = (CUgraphExecUpdateResultInfo){.result = result, .errorNode = (CUgraphNode)(uintptr_t)fault};
    return gmt_sim_leave(result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
}

GMT_SIM_BODY(cuGraphExecUpdate)
(CUgraphExec handle, CUgraph graph, CUgraphNode *error_node, CUgraphExecUpdateResult *update_result)
{
    CUgraphExecUpdateResultInfo info = {0};
    CUresult result = gmt_sim_cuGraphExecUpdate_v2(handle, graph, &info);
    if (error_node)
        *error_node = info.errorNode;
    if (update_result)
        *update_result = info.result;
    return result;
}
