/* Edges of graphs and captures as they were before they had data. An edge with data cannot be told without it. */
#include "simulator/runtime/graph_params.h"
#include "simulator/runtime/until12/old_name.h"

GMT_RT_OLD_FORWARD(cudaGraphGetEdges, cuGraphGetEdges,
                   (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count), graph, from, to,
                   NULL, count)
GMT_RT_OLD_FORWARD(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies,
                   (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), node, nodes, NULL, count)
GMT_RT_OLD_FORWARD(cudaGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes,
                   (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count), node, nodes, NULL, count)
GMT_RT_OLD_FORWARD(cudaGraphAddDependencies, cuGraphAddDependencies,
                   (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count), graph,
                   from, to, NULL, count)
GMT_RT_OLD_FORWARD(cudaGraphRemoveDependencies, cuGraphRemoveDependencies,
                   (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count), graph,
                   from, to, NULL, count)

GMT_RT_OLD(cudaGraphAddNode, (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                              struct cudaGraphNodeParams *params))
{
    return gmt_rt_end(gmt_rt_node_add(node, graph, nodes, NULL, count, params));
}

GMT_RT_FORWARD_WITH(cudaStreamGetCaptureInfo, cuStreamGetCaptureInfo,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id), stream,
                    (CUstreamCaptureStatus *)status, (cuuint64_t *)id, NULL, NULL, NULL, NULL)
GMT_RT_OLD_PAIR(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_ptsz,
                (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id), stream, status, id)

GMT_RT_FORWARD_WITH(cudaStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                     cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count),
                    stream, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, graph, nodes, NULL, count)
GMT_RT_OLD_PAIR(cudaStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo_v2_ptsz,
                (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
                 const cudaGraphNode_t **nodes, size_t *count),
                stream, status, id, graph, nodes, count)

GMT_RT_FORWARD_WITH(cudaStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies,
                    (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned int flags), stream, nodes,
                    NULL, count, flags)
GMT_RT_OLD_PAIR(cudaStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies_ptsz,
                (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned int flags), stream, nodes, count,
                flags)
