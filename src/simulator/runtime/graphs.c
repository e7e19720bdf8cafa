/* Graphs and executable graphs: life, structure, launches, memory. What has edge data has other prototypes in other
 * versions of the library, and is in graph_edges.c.
 */
#include "simulator/runtime/forward.h"

GMT_RT_FORWARD(cudaGraphCreate, cuGraphCreate, (cudaGraph_t * graph, unsigned int flags), graph, flags)
GMT_RT_FORWARD(cudaGraphClone, cuGraphClone, (cudaGraph_t * clone, cudaGraph_t graph), clone, graph)
GMT_RT_FORWARD(cudaGraphDestroy, cuGraphDestroy, (cudaGraph_t graph), graph)
GMT_RT_FORWARD(cudaGraphDestroyNode, cuGraphDestroyNode, (cudaGraphNode_t node), node)
GMT_RT_FORWARD(cudaGraphNodeFindInClone, cuGraphNodeFindInClone,
               (cudaGraphNode_t * found, cudaGraphNode_t original, cudaGraph_t clone), found, original, clone)
GMT_RT_FORWARD(cudaGraphNodeGetType, cuGraphNodeGetType, (cudaGraphNode_t node, enum cudaGraphNodeType *type), node,
               (CUgraphNodeType *)type)
GMT_RT_FORWARD(cudaGraphGetNodes, cuGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count), graph,
               nodes, count)
GMT_RT_FORWARD(cudaGraphGetRootNodes, cuGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
               graph, nodes, count)

GMT_RT_FORWARD(cudaGraphInstantiateWithFlags, cuGraphInstantiateWithFlags,
               (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), exec, graph, flags)

/* Parameters of an instantiation are laid out alike in driver and runtime. */
GMT_RT_FORWARD_WITH(cudaGraphInstantiateWithParams, cuGraphInstantiateWithParams,
                    (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params), exec, graph,
                    (CUDA_GRAPH_INSTANTIATE_PARAMS *)params)
GMT_RT_PAIR(cudaGraphInstantiateWithParams, cudaGraphInstantiateWithParams_ptsz,
            (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params), exec, graph, params)

GMT_RT_FORWARD(cudaGraphExecDestroy, cuGraphExecDestroy, (cudaGraphExec_t exec), exec)
GMT_RT_FORWARD(cudaGraphExecGetFlags, cuGraphExecGetFlags, (cudaGraphExec_t exec, unsigned long long *flags), exec,
               (cuuint64_t *)flags)
GMT_RT_FORWARD(cudaGraphNodeSetEnabled, cuGraphNodeSetEnabled,
               (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled), exec, node, enabled)
GMT_RT_FORWARD(cudaGraphNodeGetEnabled, cuGraphNodeGetEnabled,
               (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *enabled), exec, node, enabled)

GMT_RT_FORWARD_WITH(cudaGraphLaunch, cuGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), exec, stream)
GMT_RT_PAIR(cudaGraphLaunch, cudaGraphLaunch_ptsz, (cudaGraphExec_t exec, cudaStream_t stream), exec, stream)

GMT_RT_FORWARD_WITH(cudaGraphUpload, cuGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), exec, stream)
GMT_RT_PAIR(cudaGraphUpload, cudaGraphUpload_ptsz, (cudaGraphExec_t exec, cudaStream_t stream), exec, stream)

/* Memory of graphs. */
GMT_RT_FORWARD(cudaDeviceGetGraphMemAttribute, cuDeviceGetGraphMemAttribute,
               (int device, enum cudaGraphMemAttributeType attribute, void *value), device,
               (CUgraphMem_attribute)attribute, value)
GMT_RT_FORWARD(cudaDeviceSetGraphMemAttribute, cuDeviceSetGraphMemAttribute,
               (int device, enum cudaGraphMemAttributeType attribute, void *value), device,
               (CUgraphMem_attribute)attribute, value)
GMT_RT_FORWARD(cudaDeviceGraphMemTrim, cuDeviceGraphMemTrim, (int device), device)

/* User objects. */
GMT_RT_FORWARD(cudaUserObjectCreate, cuUserObjectCreate,
               (cudaUserObject_t * object, void *data, cudaHostFn_t destroy, unsigned int references,
                unsigned int flags),
               object, data, destroy, references, flags)
GMT_RT_FORWARD(cudaUserObjectRetain, cuUserObjectRetain, (cudaUserObject_t object, unsigned int count), object, count)
GMT_RT_FORWARD(cudaUserObjectRelease, cuUserObjectRelease, (cudaUserObject_t object, unsigned int count), object, count)
GMT_RT_FORWARD(cudaGraphRetainUserObject, cuGraphRetainUserObject,
               (cudaGraph_t graph, cudaUserObject_t object, unsigned int count, unsigned int flags), graph, object,
               count, flags)
GMT_RT_FORWARD(cudaGraphReleaseUserObject, cuGraphReleaseUserObject,
               (cudaGraph_t graph, cudaUserObject_t object, unsigned int count), graph, object, count)

/* Capture. */
GMT_RT_FORWARD_WITH(cudaStreamBeginCapture, cuStreamBeginCapture,
                    (cudaStream_t stream, enum cudaStreamCaptureMode mode), stream, (CUstreamCaptureMode)mode)
GMT_RT_PAIR(cudaStreamBeginCapture, cudaStreamBeginCapture_ptsz, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
            stream, mode)

GMT_RT_FORWARD_WITH(cudaStreamEndCapture, cuStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), stream, graph)
GMT_RT_PAIR(cudaStreamEndCapture, cudaStreamEndCapture_ptsz, (cudaStream_t stream, cudaGraph_t *graph), stream, graph)

/* Edge data is laid out alike in driver and runtime. */
GMT_RT_FORWARD_WITH(cudaStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph,
                    (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes,
                     const cudaGraphEdgeData *data, size_t count, enum cudaStreamCaptureMode mode),
                    stream, graph, nodes, (const CUgraphEdgeData *)data, count, (CUstreamCaptureMode)mode)
GMT_RT_PAIR(cudaStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph_ptsz,
            (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data,
             size_t count, enum cudaStreamCaptureMode mode),
            stream, graph, nodes, data, count, mode)

/* Needs no context. */
GMT_RT_API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)mode));
    return gmt_rt_end(error);
}
