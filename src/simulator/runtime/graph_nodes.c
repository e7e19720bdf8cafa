/* Nodes of graphs: added, read and set. */
#include <string.h>

#include "simulator/runtime/copies.h"
#include "simulator/runtime/forward.h"
#include "simulator/runtime/graph_params.h"

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                       CUgraphNodeParams *params)
{
    return gmt_rt_error(gmt_rt_legacy.cuGraphAddNode(node, graph, nodes, NULL, count, params));
}

/* Add, set, set in an executable graph, for a node of `kind` that `turn` describes. */
#define NODE_CALLS(kind, structure, turn)                                                                              \
    GMT_RT_API cudaGraphAdd##kind##Node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,        \
                                        size_t count, const struct structure *given)                                   \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = turn(given, &params);                                                                              \
        return gmt_rt_end(error == cudaSuccess ? add(node, graph, nodes, count, &params) : error);                     \
    }                                                                                                                  \
    GMT_RT_API cudaGraph##kind##NodeSetParams(cudaGraphNode_t node, const struct structure *given)                     \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = turn(given, &params);                                                                              \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphNodeSetParams(node, &params));                                   \
        return gmt_rt_end(error);                                                                                      \
    }                                                                                                                  \
    GMT_RT_API cudaGraphExec##kind##NodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,                          \
                                                  const struct structure *given)                                       \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = turn(given, &params);                                                                              \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphExecNodeSetParams(exec, node, &params));                         \
        return gmt_rt_end(error);                                                                                      \
    }
NODE_CALLS(Kernel, cudaKernelNodeParams, gmt_rt_kernel_params)
NODE_CALLS(Memcpy, cudaMemcpy3DParms, gmt_rt_copy_params)
NODE_CALLS(Memset, cudaMemsetParams, gmt_rt_fill_params)
NODE_CALLS(Host, cudaHostNodeParams, gmt_rt_host_params)

/* The kernel comes back as the driver's handle, which every call takes in place of the host function. */
GMT_RT_API cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *told)
{
    CUDA_KERNEL_NODE_PARAMS found;
    cudaError_t error = told ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphKernelNodeGetParams(node, &found));
    if (error == cudaSuccess)
        *told = (struct cudaKernelNodeParams){.func = found.func ? (void *)found.func : (void *)found.kern,
                                              .gridDim = {found.gridDimX, found.gridDimY, found.gridDimZ},
                                              .blockDim = {found.blockDimX, found.blockDimY, found.blockDimZ},
                                              .sharedMemBytes = found.sharedMemBytes,
                                              .kernelParams = found.kernelParams,
                                              .extra = found.extra};
    return gmt_rt_end(error);
}

GMT_RT_API cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *told)
{
    CUDA_MEMCPY3D found;
    cudaError_t error = told ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphMemcpyNodeGetParams(node, &found));
    return gmt_rt_end(error == cudaSuccess ? gmt_rt_copy_tell(&found, told) : error);
}

/* These are laid out alike in driver and runtime. */
GMT_RT_FORWARD(cudaGraphMemsetNodeGetParams, cuGraphMemsetNodeGetParams,
               (cudaGraphNode_t node, struct cudaMemsetParams *told), node, (CUDA_MEMSET_NODE_PARAMS *)told)
GMT_RT_FORWARD(cudaGraphHostNodeGetParams, cuGraphHostNodeGetParams,
               (cudaGraphNode_t node, struct cudaHostNodeParams *told), node, (CUDA_HOST_NODE_PARAMS *)told)

/* The short copies: one row between addresses, or to or from a variable. */
static cudaError_t row_params(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                              CUgraphNodeParams *params_out)
{
    struct cudaMemcpy3DParms row = gmt_rt_copy_row(to, from, bytes, kind);
    cudaError_t error = gmt_rt_begin();
    return error == cudaSuccess ? gmt_rt_copy_params(&row, params_out) : error;
}

static cudaError_t in_variable(const void *symbol, size_t offset, size_t bytes, void **address_out)
{
    CUdeviceptr address = 0;
    size_t size = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_variable(symbol, &address, &size);
    if (error == cudaSuccess && (offset > size || bytes > size - offset))
        error = cudaErrorInvalidValue;
    *address_out = (void *)(address + offset);
    return error;
}

static cudaError_t to_symbol_params(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, CUgraphNodeParams *params_out)
{
    void *to;
    cudaError_t error = in_variable(symbol, offset, bytes, &to);
    return error == cudaSuccess ? row_params(to, from, bytes, kind, params_out) : error;
}

static cudaError_t from_symbol_params(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, CUgraphNodeParams *params_out)
{
    void *from;
    cudaError_t error = in_variable(symbol, offset, bytes, &from);
    return error == cudaSuccess ? row_params(to, from, bytes, kind, params_out) : error;
}

#define SHORT_COPY_CALLS(suffix, turn, parameters, ...)                                                                \
    GMT_RT_API cudaGraphAddMemcpyNode##suffix(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,  \
                                              size_t node_count, GMT_RT_STRIP parameters)                              \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = turn(__VA_ARGS__, &params);                                                                \
        return gmt_rt_end(error == cudaSuccess ? add(node, graph, nodes, node_count, &params) : error);                \
    }                                                                                                                  \
    GMT_RT_API cudaGraphMemcpyNodeSetParams##suffix(cudaGraphNode_t node, GMT_RT_STRIP parameters)                     \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = turn(__VA_ARGS__, &params);                                                                \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphNodeSetParams(node, &params));                                   \
        return gmt_rt_end(error);                                                                                      \
    }                                                                                                                  \
    GMT_RT_API cudaGraphExecMemcpyNodeSetParams##suffix(cudaGraphExec_t exec, cudaGraphNode_t node,                    \
                                                        GMT_RT_STRIP parameters)                                       \
    {                                                                                                                  \
        CUgraphNodeParams params;                                                                                      \
        cudaError_t error = turn(__VA_ARGS__, &params);                                                                \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphExecNodeSetParams(exec, node, &params));                         \
        return gmt_rt_end(error);                                                                                      \
    }
SHORT_COPY_CALLS(1D, row_params, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), to, from, bytes,
                 kind)
SHORT_COPY_CALLS(ToSymbol, to_symbol_params,
                 (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind), symbol,
                 from, bytes, offset, kind)
SHORT_COPY_CALLS(FromSymbol, from_symbol_params,
                 (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind), to, symbol,
                 bytes, offset, kind)

/* Nodes of one argument: a body that adds, or sets, what `fields` say. */
#define SMALL_NODE(name, parameters, ...)                                                                              \
    GMT_RT_API name(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,                            \
                    size_t count GMT_RT_STRIP parameters)                                                              \
    {                                                                                                                  \
        CUgraphNodeParams params = {__VA_ARGS__};                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        return gmt_rt_end(error == cudaSuccess ? add(node, graph, nodes, count, &params) : error);                     \
    }
SMALL_NODE(cudaGraphAddEmptyNode, (), .type = CU_GRAPH_NODE_TYPE_EMPTY)
SMALL_NODE(cudaGraphAddChildGraphNode, (, cudaGraph_t child), .type = CU_GRAPH_NODE_TYPE_GRAPH,
           .graph = {.graph = child})
SMALL_NODE(cudaGraphAddEventRecordNode, (, cudaEvent_t event), .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
           .eventRecord = {event})
SMALL_NODE(cudaGraphAddEventWaitNode, (, cudaEvent_t event), .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT,
           .eventWait = {event})
SMALL_NODE(cudaGraphAddMemFreeNode, (, void *address), .type = CU_GRAPH_NODE_TYPE_MEM_FREE,
           .free = {gmt_rt_address(address)})

GMT_RT_FORWARD(cudaGraphChildGraphNodeGetGraph, cuGraphChildGraphNodeGetGraph,
               (cudaGraphNode_t node, cudaGraph_t *child), node, child)
GMT_RT_FORWARD(cudaGraphEventRecordNodeGetEvent, cuGraphEventRecordNodeGetEvent,
               (cudaGraphNode_t node, cudaEvent_t *event), node, event)
GMT_RT_FORWARD(cudaGraphEventWaitNodeGetEvent, cuGraphEventWaitNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event),
               node, event)
GMT_RT_FORWARD(cudaGraphMemFreeNodeGetParams, cuGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *address), node,
               (CUdeviceptr *)address)
GMT_RT_FORWARD(cudaGraphMemAllocNodeGetParams, cuGraphMemAllocNodeGetParams,
               (cudaGraphNode_t node, struct cudaMemAllocNodeParams *told), node, (CUDA_MEM_ALLOC_NODE_PARAMS *)told)

/* A body that sets the one argument of a node, or of an executable graph's. */
#define SET_NODE(name, parameters, ...)                                                                                \
    GMT_RT_API cudaGraph##name(cudaGraphNode_t node, parameters)                                                       \
    {                                                                                                                  \
        CUgraphNodeParams params = {__VA_ARGS__};                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphNodeSetParams(node, &params));                                   \
        return gmt_rt_end(error);                                                                                      \
    }                                                                                                                  \
    SET_EXEC_NODE(name, parameters, __VA_ARGS__)
#define SET_EXEC_NODE(name, parameters, ...)                                                                           \
    GMT_RT_API cudaGraphExec##name(cudaGraphExec_t exec, cudaGraphNode_t node, parameters)                             \
    {                                                                                                                  \
        CUgraphNodeParams params = {__VA_ARGS__};                                                                      \
        cudaError_t error = gmt_rt_begin();                                                                            \
        if (error == cudaSuccess)                                                                                      \
            error = gmt_rt_error(gmt_rt_legacy.cuGraphExecNodeSetParams(exec, node, &params));                         \
        return gmt_rt_end(error);                                                                                      \
    }
SET_NODE(EventRecordNodeSetEvent, cudaEvent_t event, .type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event})
SET_NODE(EventWaitNodeSetEvent, cudaEvent_t event, .type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event})
SET_EXEC_NODE(ChildGraphNodeSetParams, cudaGraph_t child, .type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child})

/* Laid out as the driver's. */
GMT_RT_API cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                                    size_t count, struct cudaMemAllocNodeParams *given)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    cudaError_t error = given ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        memcpy(&params.alloc, given, sizeof *given);
        error = add(node, graph, nodes, count, &params);
    }
    if (error == cudaSuccess)
        given->dptr = (void *)params.alloc.dptr;
    return gmt_rt_end(error);
}

GMT_RT_API cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_node_params(given, &params);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphNodeSetParams(node, &params));
    return gmt_rt_end(error);
}

GMT_RT_API cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_node_params(given, &params);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphExecNodeSetParams(exec, node, &params));
    return gmt_rt_end(error);
}

/* Attributes of launches are laid out alike in driver and runtime. */
GMT_RT_FORWARD(cudaGraphKernelNodeGetAttribute, cuGraphKernelNodeGetAttribute,
               (cudaGraphNode_t node, cudaLaunchAttributeID attribute, cudaLaunchAttributeValue *value), node,
               (CUkernelNodeAttrID)attribute, (CUkernelNodeAttrValue *)value)
GMT_RT_FORWARD(cudaGraphKernelNodeSetAttribute, cuGraphKernelNodeSetAttribute,
               (cudaGraphNode_t node, cudaLaunchAttributeID attribute, const cudaLaunchAttributeValue *value), node,
               (CUkernelNodeAttrID)attribute, (const CUkernelNodeAttrValue *)value)
GMT_RT_FORWARD(cudaGraphKernelNodeCopyAttributes, cuGraphKernelNodeCopyAttributes,
               (cudaGraphNode_t to, cudaGraphNode_t from), to, from)
