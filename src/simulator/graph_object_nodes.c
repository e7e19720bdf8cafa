/* The calls that add and read nodes of one argument: empty ones, child graphs, events, memory. They come down to the
 * generic calls of graph_nodes.c.
 */
#include <string.h>

#include "simulator/graph_exec.h"
#include "simulator/measured_answers.h"

extern typeof(cuGraphAddNode) gmt_sim_cuGraphAddNode;
extern typeof(cuGraphNodeSetParams) gmt_sim_cuGraphNodeSetParams;
extern typeof(cuGraphExecNodeSetParams) gmt_sim_cuGraphExecNodeSetParams;

GMT_SIM_BODY(cuGraphAddEmptyNode)(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return gmt_sim_cuGraphAddNode(handle, graph, nodes, count, &params);
}

GMT_SIM_BODY(cuGraphAddChildGraphNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, CUgraph child)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child}};
    return gmt_sim_cuGraphAddNode(handle, graph, nodes, count, &params);
}

GMT_SIM_BODY(cuGraphChildGraphNodeGetGraph)(CUgraphNode handle, CUgraph *child)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_GRAPH, child, &params);
    if (result == CUDA_SUCCESS)
        *child = params.graph.graph;
    return result;
}

GMT_SIM_BODY(cuGraphExecChildGraphNodeSetParams)(CUgraphExec exec, CUgraphNode handle, CUgraph child)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child}};
    return gmt_sim_cuGraphExecNodeSetParams(exec, handle, &params);
}

/* Add, read, set, set in an executable graph: `kind` is EventRecord or EventWait. */
#define EVENT_CALLS(kind, node_type, field)                                                                            \
    GMT_SIM_BODY(cuGraphAdd##kind##Node)                                                                               \
    (CUgraphNode * handle, CUgraph graph, const CUgraphNode *nodes, size_t count, CUevent event)                       \
    {                                                                                                                  \
        CUgraphNodeParams params = {.type = node_type, .field = {event}};                                              \
        return gmt_sim_cuGraphAddNode(handle, graph, nodes, count, &params);                                           \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraph##kind##NodeGetEvent)(CUgraphNode handle, CUevent * event)                                     \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        CUresult result = gmt_sim_node_read(handle, node_type, event, &params);                                        \
        if (result == CUDA_SUCCESS)                                                                                    \
            *event = params.field.event;                                                                               \
        return result;                                                                                                 \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraph##kind##NodeSetEvent)(CUgraphNode handle, CUevent event)                                       \
    {                                                                                                                  \
        CUgraphNodeParams params = {.type = node_type, .field = {event}};                                              \
        return gmt_sim_cuGraphNodeSetParams(handle, &params);                                                          \
    }                                                                                                                  \
    GMT_SIM_BODY(cuGraphExec##kind##NodeSetEvent)(CUgraphExec exec, CUgraphNode handle, CUevent event)                 \
    {                                                                                                                  \
        CUgraphNodeParams params = {.type = node_type, .field = {event}};                                              \
        return gmt_sim_cuGraphExecNodeSetParams(exec, handle, &params);                                                \
    }
EVENT_CALLS(EventRecord, CU_GRAPH_NODE_TYPE_EVENT_RECORD, eventRecord)
EVENT_CALLS(EventWait, CU_GRAPH_NODE_TYPE_WAIT_EVENT, eventWait)

/* Memory: the older structure is laid out as the newer one. */
_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v1) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2), "one layout");

GMT_SIM_BODY(cuGraphAddMemAllocNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, CUDA_MEM_ALLOC_NODE_PARAMS_v1 *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&params.alloc, given, sizeof *given);
    CUresult result = gmt_sim_cuGraphAddNode(handle, graph, nodes, count, &params);
    if (result == CUDA_SUCCESS)
        given->dptr = params.alloc.dptr;
    return result;
}

GMT_SIM_BODY(cuGraphMemAllocNodeGetParams)(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS_v1 *found)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, found, &params);
    if (result == CUDA_SUCCESS)
        memcpy(found, &params.alloc, sizeof *found);
    return result;
}

GMT_SIM_BODY(cuGraphAddMemFreeNode)
(CUgraphNode *handle, CUgraph graph, const CUgraphNode *nodes, size_t count, CUdeviceptr address)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
    return gmt_sim_cuGraphAddNode(handle, graph, nodes, count, &params);
}

GMT_SIM_BODY(cuGraphMemFreeNodeGetParams)(CUgraphNode handle, CUdeviceptr *address)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, address, &params);
    if (result == CUDA_SUCCESS)
        *address = params.free.dptr;
    return result;
}

/* Kernels, copies and fills of an executable graph can be left out. */
static CUresult enter_switch(CUgraphExec exec_handle, CUgraphNode handle, struct gmt_sim_node **node_out)
{
    gmt_sim_lock();
    const struct gmt_sim_graph_exec *exec = gmt_sim_graph_exec_of(exec_handle);
    *node_out = exec ? gmt_sim_graph_exec_node(exec, handle) : NULL;
    if (!*node_out)
        return gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
    CUgraphNodeType type = (*node_out)->params.type;
    bool can =
        type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY || type == CU_GRAPH_NODE_TYPE_MEMSET;
    return can ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuGraphNodeSetEnabled)(CUgraphExec exec, CUgraphNode handle, unsigned int enabled)
{
    struct gmt_sim_node *node;
    CUresult result = enter_switch(exec, handle, &node);
    if (result != CUDA_SUCCESS)
        return result;
    node->enabled = enabled != 0;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuGraphNodeGetEnabled)(CUgraphExec exec, CUgraphNode handle, unsigned int *enabled)
{
    struct gmt_sim_node *node;
    CUresult result = enter_switch(exec, handle, &node);
    if (result != CUDA_SUCCESS)
        return result;
    if (enabled)
        *enabled = node->enabled;
    return gmt_sim_leave(enabled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* Attributes of kernel nodes are hints to the scheduler: they read as zero, and setting them is accepted. */
GMT_SIM_BODY(cuGraphKernelNodeGetAttribute)
(CUgraphNode handle, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue *value)
{
    CUgraphNodeParams params;
    (void)attribute;
    CUresult result = gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &params);
    if (result == CUDA_SUCCESS)
        memset(value, 0, sizeof *value);
    return result;
}

GMT_SIM_BODY(cuGraphKernelNodeSetAttribute)
(CUgraphNode handle, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value)
{
    CUgraphNodeParams params;
    (void)attribute;
    return gmt_sim_node_read(handle, CU_GRAPH_NODE_TYPE_KERNEL, value, &params);
}

GMT_SIM_BODY(cuGraphKernelNodeCopyAttributes)(CUgraphNode to, CUgraphNode from)
{
    CUgraphNodeParams params;
    CUresult result = gmt_sim_node_read(to, CU_GRAPH_NODE_TYPE_KERNEL, true, &params);
    return result == CUDA_SUCCESS ? gmt_sim_node_read(from, CU_GRAPH_NODE_TYPE_KERNEL, true, &params) : result;
}
