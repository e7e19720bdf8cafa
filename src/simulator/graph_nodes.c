/* The calls that add nodes, and read and set what they do, of graphs and of executable graphs. All of them speak of
 * CUgraphNodeParams; older calls have parts of it as structures of their own.
 */
#include <string.h>

#include "simulator/graph_exec.h"
#include "simulator/measured_answers.h"

/* Lock held. */
static CUresult add_edges(struct gmt_sim_node *node, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                          size_t count)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct gmt_sim_node *before = gmt_sim_node_of(nodes[i]);
        result = before ? gmt_sim_edge_add(before, node, data ? &data[i] : NULL) : CUDA_ERROR_INVALID_VALUE;
    }
    return result;
}

static CUresult add(CUgraphNode *handle, CUgraph graph_handle, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                    size_t count, CUgraphNodeParams *params)
{
    struct gmt_sim_node *node;
    gmt_sim_lock();
    struct gmt_sim_graph *graph = gmt_sim_graph_of(graph_handle);
    if (!graph)
        return gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
    if (!handle || (count > 0 && !nodes))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = gmt_sim_node_create(graph, params, &node);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    result = add_edges(node, nodes, data, count);
    if (result == CUDA_SUCCESS)
        *handle = (CUgraphNode)node;
    else
        gmt_sim_node_remove(node);
    return gmt_sim_leave(result);
}

CUresult gmt_sim_node_read(CUgraphNode handle, CUgraphNodeType type, bool asked, CUgraphNodeParams *params_out)
{
    gmt_sim_lock();
    const struct gmt_sim_node *node = gmt_sim_node_of(handle);
    if (!node)
        return gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
    if (!asked || node->params.type != type)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *params_out = node->params;
    return gmt_sim_leave(CUDA_SUCCESS);
}

static CUresult set(CUgraphNode handle, const CUgraphNodeParams *params)
{
    gmt_sim_lock();
    struct gmt_sim_node *node = gmt_sim_node_of(handle);
    return gmt_sim_leave(node ? gmt_sim_node_change(node, params) : GMT_SIM_GRAPH_UNKNOWN);
}

static CUresult set_in_exec(CUgraphExec exec_handle, CUgraphNode handle, const CUgraphNodeParams *params)
{
    gmt_sim_lock();
    const struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(exec_handle);
    struct gmt_sim_node *node = exec ? gmt_sim_graph_exec_node(exec, handle) : NULL;
    return gmt_sim_leave(node ? gmt_sim_node_change(node, params) : GMT_SIM_GRAPH_UNKNOWN);
}

GMT_SIM_BODY(cuGraphAddNode_v2)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
 CUgraphNodeParams *params)
{
    return params ? add(handle, graph, nodes, data, count, params) : CUDA_ERROR_INVALID_VALUE;
}

GMT_SIM_BODY(cuGraphAddNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, CUgraphNodeParams *params)
{
    return params ? add(handle, graph, nodes, NULL, count, params) : CUDA_ERROR_INVALID_VALUE;
}

GMT_SIM_BODY(cuGraphNodeSetParams)(CUgraphNode handle, CUgraphNodeParams *params)
{
    return params ? set(handle, params) : CUDA_ERROR_INVALID_VALUE;
}

GMT_SIM_BODY(cuGraphExecNodeSetParams)(CUgraphExec exec, CUgraphNode handle, CUgraphNodeParams *params)
{
    return params ? set_in_exec(exec, handle, params) : CUDA_ERROR_INVALID_VALUE;
}

/* Kernels: the older structure is the beginning of the newer one. */
#define KERNEL(name, structure)                                                                                        \
    static CUgraphNodeParams name(const structure *given)                                                              \
    {                                                                                                                  \
        CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};                                                \
        memcpy(&params.kernel, given, sizeof *given);                                                                  \
        return params;                                                                                                 \
    }
KERNEL(kernel_v1, CUDA_KERNEL_NODE_PARAMS_v1)
KERNEL(kernel_v2, CUDA_KERNEL_NODE_PARAMS_v2)

/* Add, read, set, set in an executable graph: with the structure as it is in one version of the call. */
#define KERNEL_CALLS(suffix, type, read)                                                                               \
    GMT_SIM_BODY(cuGraphAddKernelNode##suffix)                                                                         \
    (CUgraphNode * handle, CUgraph graph, const CUgraphNode *nodes, size_t count, const type *given)                   \
    {                                                                                                                  \
        if (!given)                                                                                                    \
            return CUDA_ERROR_INVALID_VALUE;                                                                           \
        CUgraphNodeParams params = read(given);                                                                        \
        return add(handle, graph, nodes, NULL, count, &params);                                                        \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraphKernelNodeGetParams##suffix)(CUgraphNode handle, type * found)                                 \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_KERNEL, found, &params);                        \
        if (result == CUDA_SUCCESS)                                                                                    \
            memcpy(found, &params.kernel, sizeof *found);                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraphKernelNodeSetParams##suffix)(CUgraphNode handle, const type *given)                            \
    {                                                                                                                  \
        if (!given)                                                                                                    \
            return CUDA_ERROR_INVALID_VALUE;                                                                           \
        CUgraphNodeParams params = read(given);                                                                        \
        return set(handle, &params);                                                                                   \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraphExecKernelNodeSetParams##suffix)(CUgraphExec exec, CUgraphNode handle, const type *given)      \
    {                                                                                                                  \
        if (!given)                                                                                                    \
            return CUDA_ERROR_INVALID_VALUE;                                                                           \
        CUgraphNodeParams params = read(given);                                                                        \
        return set_in_exec(exec, handle, &params);                                                                     \
    }
KERNEL_CALLS(, CUDA_KERNEL_NODE_PARAMS_v1, kernel_v1)
KERNEL_CALLS(_v2, CUDA_KERNEL_NODE_PARAMS_v2, kernel_v2)

/* Copies. */
static CUgraphNodeParams copy_params(const CUDA_MEMCPY3D *given, CUcontext context)
{
    return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy = {.copyCtx = context, .copyParams = *given}};
}

GMT_SIM_BODY(cuGraphAddMemcpyNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, const CUDA_MEMCPY3D *given,
 CUcontext context)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = copy_params(given, context);
    return add(handle, graph, nodes, NULL, count, &params);
}

GMT_SIM_BODY(cuGraphMemcpyNodeGetParams)(CUgraphNode handle, CUDA_MEMCPY3D *found)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_MEMCPY, found, &params);
    if (result == CUDA_SUCCESS)
        *found = params.memcpy.copyParams;
    return result;
}

GMT_SIM_BODY(cuGraphMemcpyNodeSetParams)(CUgraphNode handle, const CUDA_MEMCPY3D *given)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = copy_params(given, NULL);
    return set(handle, &params);
}

GMT_SIM_BODY(cuGraphExecMemcpyNodeSetParams)
(CUgraphExec exec, CUgraphNode handle, const CUDA_MEMCPY3D *given, CUcontext context)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = copy_params(given, context);
    return set_in_exec(exec, handle, &params);
}

/* Fills. */
static CUgraphNodeParams fill_params(const CUDA_MEMSET_NODE_PARAMS_v1 *given, CUcontext context)
{
    return (CUgraphNodeParams){
        .type = CU_GRAPH_NODE_TYPE_MEMSET,
        .memset = {given->dst, given->pitch, given->value, given->elementSize, given->width, given->height, context}};
}

GMT_SIM_BODY(cuGraphAddMemsetNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, const CUDA_MEMSET_NODE_PARAMS_v1 *given,
 CUcontext context)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = fill_params(given, context);
    return add(handle, graph, nodes, NULL, count, &params);
}

GMT_SIM_BODY(cuGraphMemsetNodeGetParams)(CUgraphNode handle, CUDA_MEMSET_NODE_PARAMS_v1 *found)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_MEMSET, found, &params);
    if (result == CUDA_SUCCESS)
        memcpy(found, &params.memset, sizeof *found);
    return result;
}

GMT_SIM_BODY(cuGraphMemsetNodeSetParams)(CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS_v1 *given)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = fill_params(given, NULL);
    return set(handle, &params);
}

GMT_SIM_BODY(cuGraphExecMemsetNodeSetParams)
(CUgraphExec exec, CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS_v1 *given, CUcontext context)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = fill_params(given, context);
    return set_in_exec(exec, handle, &params);
}

/* Host functions. */
static CUgraphNodeParams host_params(const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST, .host = {given->fn, given->userData}};
}

GMT_SIM_BODY(cuGraphAddHostNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = host_params(given);
    return add(handle, graph, nodes, NULL, count, &params);
}

GMT_SIM_BODY(cuGraphHostNodeGetParams)(CUgraphNode handle, CUDA_HOST_NODE_PARAMS_v1 *found)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_HOST, found, &params);
    if (result == CUDA_SUCCESS)
        *found = (CUDA_HOST_NODE_PARAMS_v1){params.host.fn, params.host.userData};
    return result;
}

GMT_SIM_BODY(cuGraphHostNodeSetParams)(CUgraphNode handle, const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = host_params(given);
    return set(handle, &params);
}

GMT_SIM_BODY(cuGraphExecHostNodeSetParams)
(CUgraphExec exec, CUgraphNode handle, const CUDA_HOST_NODE_PARAMS_v1 *given)
{
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams params = host_params(given);
    return set_in_exec(exec, handle, &params);
}
