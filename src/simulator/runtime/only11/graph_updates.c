/* Instantiation and update of graphs with the arguments of 11. */
#include "simulator/runtime/until12/old_name.h"

GMT_RT_OLD(cudaGraphInstantiate,
           (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphNode_t *error_node, char *log, size_t bytes))
{
    cudaError_t error = gmt_rt_begin();
    if (error_node)
        *error_node = NULL;
    if (log && bytes > 0)
        log[0] = '\0';
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphInstantiateWithFlags(exec, graph, 0));
    return gmt_rt_end(error);
}

GMT_RT_OLD(cudaGraphExecUpdate, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error_node,
                                 enum cudaGraphExecUpdateResult *update_result))
{
    CUgraphExecUpdateResultInfo info = {0};
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGraphExecUpdate(exec, graph, &info));
    if (error_node)
        *error_node = info.errorNode;
    if (update_result)
        *update_result = (enum cudaGraphExecUpdateResult)info.result;
    return gmt_rt_end(error);
}
