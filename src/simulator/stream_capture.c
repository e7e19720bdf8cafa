/* The calls that begin, end and look at captures. */
#include <string.h>

#include "simulator/assumed_answers.h"
#include "simulator/capture.h"
#include "simulator/stream.h"

static bool mode_known(CUstreamCaptureMode mode)
{
    return (unsigned int)mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

/* The nodes that the first captured one shall depend on. */
static CUresult depend_on(struct gmt_sim_stream *stream, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                          size_t count)
{
    if (count > 0 && !nodes)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        struct gmt_sim_node *node = gmt_sim_node_of(nodes[i]);
        if (!node || node->graph != stream->capture->graph)
            return CUDA_ERROR_INVALID_VALUE;
        if (!gmt_sim_capture_depend(&stream->tail, node, data ? &data[i] : NULL))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return CUDA_SUCCESS;
}

/* `graph` NULL: a new one. Lock held. */
static CUresult begin(struct gmt_sim_stream *stream, struct gmt_sim_graph *graph, const CUgraphNode *nodes,
                      const CUgraphEdgeData *data, size_t count, CUstreamCaptureMode mode)
{
    if (stream == stream->context->legacy_stream)
        return GMT_SIM_DEFAULT_CAPTURED;
    if (stream->capture)
        return GMT_SIM_CAPTURED_TWICE;
    struct gmt_sim_capture *capture = gmt_sim_capture_begin(stream, mode);
    if (!capture)
        return CUDA_ERROR_OUT_OF_MEMORY;
    capture->own_graph = graph == NULL;
    capture->graph = graph ? graph : gmt_sim_graph_new(false);
    CUresult result = capture->graph ? depend_on(stream, nodes, data, count) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS) {
        if (capture->own_graph && capture->graph)
            gmt_sim_graph_free(capture->graph);
        gmt_sim_capture_end(capture);
    }
    return result;
}

GMT_SIM_BODY(cuStreamBeginCapture_v2)(CUstream handle, CUstreamCaptureMode mode)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    return gmt_sim_leave(mode_known(mode) ? begin(stream, NULL, NULL, NULL, 0, mode) : CUDA_ERROR_INVALID_VALUE);
}
GMT_SIM_TWIN(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture_v2)

GMT_SIM_BODY(cuStreamBeginCapture)(CUstream handle)
{
    return gmt_sim_cuStreamBeginCapture_v2(handle, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
GMT_SIM_TWIN(cuStreamBeginCapture_ptsz, cuStreamBeginCapture)

GMT_SIM_BODY(cuStreamBeginCaptureToGraph)
(CUstream handle, CUgraph graph_handle, const CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count,
 CUstreamCaptureMode mode)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_graph *graph = gmt_sim_graph_of(graph_handle);
    return gmt_sim_leave(graph && mode_known(mode) ? begin(stream, graph, nodes, data, count, mode)
                                                   : CUDA_ERROR_INVALID_VALUE);
}
GMT_SIM_TWIN(cuStreamBeginCaptureToGraph_ptsz, cuStreamBeginCaptureToGraph)

/* What ends a capture of this stream, in the order in which a real driver looks. Lock held. */
static CUresult judge_end(const struct gmt_sim_stream *stream)
{
    struct gmt_sim_capture *capture = stream->capture;
    if (!capture)
        return GMT_SIM_NOT_CAPTURED;
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    if (capture->origin != stream) {
        capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (capture->invalidated)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return gmt_sim_capture_joined(capture) ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

GMT_SIM_BODY(cuStreamEndCapture)(CUstream handle, CUgraph *graph)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (!graph)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *graph = NULL;
    struct gmt_sim_capture *capture = stream->capture;
    result = judge_end(stream);
    if (!capture || capture->origin != stream || result == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
        return gmt_sim_leave(result);
    if (result == CUDA_SUCCESS)
        *graph = (CUgraph)capture->graph;
    else if (capture->own_graph)
        gmt_sim_graph_free(capture->graph);
    gmt_sim_capture_end(capture);
    return gmt_sim_leave(result);
}
GMT_SIM_TWIN(cuStreamEndCapture_ptsz, cuStreamEndCapture)

static CUstreamCaptureStatus status_of(const struct gmt_sim_stream *stream)
{
    if (!stream->capture)
        return CU_STREAM_CAPTURE_STATUS_NONE;
    return stream->capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/* Takes the lock for a question about a capture, or returns why there is no answer, without the lock. */
static CUresult enter_question(CUstream handle, bool asked, struct gmt_sim_stream **stream_out)
{
    CUresult result = gmt_sim_enter_stream_now(handle, stream_out);
    if (result != CUDA_SUCCESS)
        return result;
    if (!asked)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = gmt_sim_capture_check_default(*stream_out, false);
    return result == CUDA_SUCCESS ? CUDA_SUCCESS : gmt_sim_leave(result);
}

GMT_SIM_BODY(cuStreamIsCapturing)(CUstream handle, CUstreamCaptureStatus *status)
{
    struct gmt_sim_stream *stream;
    CUresult result = enter_question(handle, status, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    *status = status_of(stream);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamIsCapturing_ptsz, cuStreamIsCapturing)

static bool plain(const struct gmt_sim_edges *edges)
{
    static const CUgraphEdgeData none;
    for (size_t i = 0; i < edges->count; i++) {
        if (memcmp(&edges->items[i].data, &none, sizeof none) != 0)
            return false;
    }
    return true;
}

GMT_SIM_BODY(cuStreamGetCaptureInfo_v3)
(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
 const CUgraphEdgeData **data, size_t *count)
{
    struct gmt_sim_stream *stream;
    CUresult result = enter_question(handle, status, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    *status = status_of(stream);
    bool active = *status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (id)
        *id = active ? stream->capture->id : 0;
    if (count)
        *count = active ? stream->tail.count : 0;
    if (!active)
        return gmt_sim_leave(CUDA_SUCCESS);
    if (graph)
        *graph = (CUgraph)stream->capture->graph;
    if (!gmt_sim_stream_tell_tail(stream))
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    if (nodes)
        *nodes = stream->told_nodes;
    if (data)
        *data = stream->told_data;
    return gmt_sim_leave(nodes && !data && !plain(&stream->tail) ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamGetCaptureInfo_v3_ptsz, cuStreamGetCaptureInfo_v3)

GMT_SIM_BODY(cuStreamGetCaptureInfo_v2)
(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph, const CUgraphNode **nodes,
 size_t *count)
{
    return gmt_sim_cuStreamGetCaptureInfo_v3(handle, status, id, graph, nodes, NULL, count);
}
GMT_SIM_TWIN(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v2)

GMT_SIM_BODY(cuStreamGetCaptureInfo)(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id)
{
    return gmt_sim_cuStreamGetCaptureInfo_v3(handle, status, id, NULL, NULL, NULL, NULL);
}
GMT_SIM_TWIN(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo)

GMT_SIM_BODY(cuStreamUpdateCaptureDependencies_v2)
(CUstream handle, CUgraphNode *nodes, const CUgraphEdgeData *data, size_t count, unsigned int flags)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (!stream->capture)
        return gmt_sim_leave(GMT_SIM_NOT_CAPTURED);
    if (stream->capture->invalidated)
        return gmt_sim_leave(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    size_t before = stream->tail.count;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        stream->tail.count = 0;
    result = depend_on(stream, nodes, data, count);
    if (result != CUDA_SUCCESS && flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES)
        stream->tail.count = before;
    return gmt_sim_leave(result);
}
GMT_SIM_TWIN(cuStreamUpdateCaptureDependencies_v2_ptsz, cuStreamUpdateCaptureDependencies_v2)

GMT_SIM_BODY(cuStreamUpdateCaptureDependencies)
(CUstream handle, CUgraphNode *nodes, size_t count, unsigned int flags)
{
    return gmt_sim_cuStreamUpdateCaptureDependencies_v2(handle, nodes, NULL, count, flags);
}
GMT_SIM_TWIN(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies)

GMT_SIM_BODY(cuThreadExchangeStreamCaptureMode)(CUstreamCaptureMode *mode)
{
    if (!mode || !mode_known(*mode))
        return CUDA_ERROR_INVALID_VALUE;
    *mode = gmt_sim_capture_exchange_mode(*mode);
    return CUDA_SUCCESS;
}
