/* Calls of graphs that took other arguments before 12. */
#include "simulator/runtime/forward.h"

GMT_RT_FORWARD(cudaGraphInstantiate, cuGraphInstantiateWithFlags,
               (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), exec, graph, flags)

GMT_RT_FORWARD(cudaGraphExecUpdate, cuGraphExecUpdate,
               (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info), exec, graph,
               (CUgraphExecUpdateResultInfo *)info)
