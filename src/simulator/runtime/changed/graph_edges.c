/* Edges of graphs with their data, and captures. */
#include "simulator/runtime/forward.h"
#include "simulator/runtime/graph_params.h"

GMT_RT_FORWARD(cudaGraphGetEdges, cuGraphGetEdges,
               (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *count),
               graph, from, to, (CUgraphEdgeData *)data, count)

GMT_RT_FORWARD(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies,
               (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *count), node, nodes,
               (CUgraphEdgeData *)data, count)

GMT_RT_FORWARD(cudaGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes,
               (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *count), node, nodes,
               (CUgraphEdgeData *)data, count)

GMT_RT_FORWARD(cudaGraphAddDependencies, cuGraphAddDependencies,
               (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                const cudaGraphEdgeData *data, size_t count),
               graph, from, to, (const CUgraphEdgeData *)data, count)

GMT_RT_FORWARD(cudaGraphRemoveDependencies, cuGraphRemoveDependencies,
               (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                const cudaGraphEdgeData *data, size_t count),
               graph, from, to, (const CUgraphEdgeData *)data, count)

GMT_RT_API cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                            const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *params)
{
    return gmt_rt_end(gmt_rt_node_add(node, graph, nodes, data, count, params));
}

GMT_RT_FORWARD_WITH(cudaStreamGetCaptureInfo, cuStreamGetCaptureInfo,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                     cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data, size_t *count),
                    stream, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, graph, nodes,
                    (const CUgraphEdgeData **)data, count)
GMT_RT_PAIR(cudaStreamGetCaptureInfo, cudaStreamGetCaptureInfo_ptsz,
            (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id, cudaGraph_t *graph,
             const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data, size_t *count),
            stream, status, id, graph, nodes, data, count)

GMT_RT_FORWARD_WITH(cudaStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies,
                    (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
                     unsigned int flags),
                    stream, nodes, (const CUgraphEdgeData *)data, count, flags)
GMT_RT_PAIR(cudaStreamUpdateCaptureDependencies, cudaStreamUpdateCaptureDependencies_ptsz,
            (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
             unsigned int flags),
            stream, nodes, data, count, flags)
