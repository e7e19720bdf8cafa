/* What nodes do, as the runtime describes it, in the driver's one structure for all of them.
 */
#ifndef GMT_SIMULATOR_RUNTIME_GRAPH_PARAMS_H
#define GMT_SIMULATOR_RUNTIME_GRAPH_PARAMS_H

#include "simulator/runtime/runtime.h"

/* Each turns one description around; NULL is cudaErrorInvalidValue. A context is current. */
cudaError_t gmt_rt_kernel_params(const struct cudaKernelNodeParams *given, CUgraphNodeParams *params_out);
cudaError_t gmt_rt_copy_params(const struct cudaMemcpy3DParms *given, CUgraphNodeParams *params_out);
cudaError_t gmt_rt_fill_params(const struct cudaMemsetParams *given, CUgraphNodeParams *params_out);
cudaError_t gmt_rt_host_params(const struct cudaHostNodeParams *given, CUgraphNodeParams *params_out);
cudaError_t gmt_rt_node_params(const struct cudaGraphNodeParams *given, CUgraphNodeParams *params_out);

/* Adds a node; NULL parameters are cudaErrorInvalidValue. An allocation's address goes into `given`. */
cudaError_t gmt_rt_node_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                            const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *given);

#endif
