/* Turns descriptions of nodes around. */
#include "simulator/runtime/graph_params.h"

#include <string.h>

#include "simulator/runtime/copies.h"

cudaError_t gmt_rt_kernel_params(const struct cudaKernelNodeParams *given, CUgraphNodeParams *params_out)
{
    CUfunction kernel;
    if (!given)
        return cudaErrorInvalidValue;
    cudaError_t error = gmt_rt_kernel(given->func, &kernel);
    if (error != cudaSuccess)
        return error;
    *params_out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_KERNEL,
                                      .kernel = {.func = kernel,
                                                 .gridDimX = given->gridDim.x,
                                                 .gridDimY = given->gridDim.y,
                                                 .gridDimZ = given->gridDim.z,
                                                 .blockDimX = given->blockDim.x,
                                                 .blockDimY = given->blockDim.y,
                                                 .blockDimZ = given->blockDim.z,
                                                 .sharedMemBytes = given->sharedMemBytes,
                                                 .kernelParams = given->kernelParams,
                                                 .extra = given->extra}};
    return cudaSuccess;
}

cudaError_t gmt_rt_copy_params(const struct cudaMemcpy3DParms *given, CUgraphNodeParams *params_out)
{
    *params_out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    cudaError_t error = gmt_rt_error(gmt_rt_legacy.cuCtxGetCurrent(&params_out->memcpy.copyCtx));
    return error == cudaSuccess ? gmt_rt_copy_describe(given, &params_out->memcpy.copyParams) : error;
}

cudaError_t gmt_rt_fill_params(const struct cudaMemsetParams *given, CUgraphNodeParams *params_out)
{
    if (!given)
        return cudaErrorInvalidValue;
    *params_out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_MEMSET,
                                      .memset = {.dst = gmt_rt_address(given->dst),
                                                 .pitch = given->pitch,
                                                 .value = given->value,
                                                 .elementSize = given->elementSize,
                                                 .width = given->width,
                                                 .height = given->height}};
    return gmt_rt_error(gmt_rt_legacy.cuCtxGetCurrent(&params_out->memset.ctx));
}

cudaError_t gmt_rt_host_params(const struct cudaHostNodeParams *given, CUgraphNodeParams *params_out)
{
    if (!given)
        return cudaErrorInvalidValue;
    *params_out = (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_HOST, .host = {given->fn, given->userData}};
    return cudaSuccess;
}

/* The types are numbered alike, and what is not named here is laid out alike. */
cudaError_t gmt_rt_node_params(const struct cudaGraphNodeParams *given, CUgraphNodeParams *params_out)
{
    if (!given)
        return cudaErrorInvalidValue;
    if (given->type == cudaGraphNodeTypeKernel) {
        struct cudaKernelNodeParams kernel = {.func = given->kernel.func,
                                              .gridDim = given->kernel.gridDim,
                                              .blockDim = given->kernel.blockDim,
                                              .sharedMemBytes = given->kernel.sharedMemBytes,
                                              .kernelParams = given->kernel.kernelParams,
                                              .extra = given->kernel.extra};
        return gmt_rt_kernel_params(&kernel, params_out);
    }
    if (given->type == cudaGraphNodeTypeMemcpy)
        return gmt_rt_copy_params(&given->memcpy.copyParams, params_out);
    if (given->type == cudaGraphNodeTypeMemset) {
        struct cudaMemsetParams fill = {given->memset.dst,         given->memset.pitch, given->memset.value,
                                        given->memset.elementSize, given->memset.width, given->memset.height};
        return gmt_rt_fill_params(&fill, params_out);
    }
    memset(params_out, 0, sizeof *params_out);
    params_out->type = (CUgraphNodeType)given->type;
    memcpy(&params_out->reserved1, &given->reserved1, sizeof params_out->reserved1);
    return cudaSuccess;
}

cudaError_t gmt_rt_node_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                            const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *given)
{
    CUgraphNodeParams params;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_node_params(given, &params);
    if (error == cudaSuccess) {
        const CUgraphEdgeData *edges = (const CUgraphEdgeData *)data;
        error = gmt_rt_error(gmt_rt_legacy.cuGraphAddNode(node, graph, nodes, edges, count, &params));
    }
    if (error == cudaSuccess && given->type == cudaGraphNodeTypeMemAlloc)
        given->alloc.dptr = (void *)params.alloc.dptr;
    return error;
}
