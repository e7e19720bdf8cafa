/* The life of streams and waiting for them. */
#include "simulator/stream.h"

#include <stdlib.h>

#include "simulator/capture.h"
#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/waiting.h"

static unsigned long long last_id;
static struct gmt_sim_stream *all; /* newest first */

struct gmt_sim_stream *gmt_sim_stream_new(struct gmt_sim_context *context, unsigned int flags, int priority)
{
    struct gmt_sim_stream *stream = calloc(1, sizeof *stream);
    if (!stream || !gmt_sim_handle_add(stream, GMT_SIM_STREAM)) {
        free(stream);
        return NULL;
    }
    stream->context = context;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = ++last_id;
    stream->next = all;
    all = stream;
    return stream;
}

/* Host functions of this stream, and of those that the default stream and this one wait for each other, are still to
 * run. */
bool gmt_sim_stream_busy(const struct gmt_sim_stream *stream)
{
    if (stream->pending > 0)
        return true;
    struct gmt_sim_context *context = stream->context;
    if (stream->flags & CU_STREAM_NON_BLOCKING)
        return false;
    if (stream != context->legacy_stream)
        return context->legacy_stream->pending > 0;
    for (struct gmt_sim_stream *other = all; other; other = other->next) {
        if (other->context == context && !(other->flags & CU_STREAM_NON_BLOCKING) && other->pending > 0)
            return true;
    }
    return false;
}

void gmt_sim_stream_drain(struct gmt_sim_stream *stream)
{
    while (gmt_sim_stream_busy(stream))
        gmt_sim_wait();
}

void gmt_sim_streams_drain(struct gmt_sim_context *context)
{
    for (struct gmt_sim_stream *stream = all; stream;) {
        if (stream->context == context && stream->pending > 0) {
            gmt_sim_wait();
            stream = all; /* the list may have changed meanwhile */
        } else {
            stream = stream->next;
        }
    }
}

CUresult gmt_sim_enter_stream_now(CUstream handle, struct gmt_sim_stream **stream_out)
{
    struct gmt_sim_context *context;
    if (!handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        CUresult result = gmt_sim_enter(&context);
        if (result == CUDA_SUCCESS)
            *stream_out = handle == CU_STREAM_PER_THREAD ? context->thread_stream : context->legacy_stream;
        return result;
    }
    gmt_sim_lock();
    if (!gmt_sim_handle_is(handle, GMT_SIM_STREAM))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    *stream_out = (struct gmt_sim_stream *)handle;
    return (*stream_out)->context->alive ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

CUresult gmt_sim_enter_stream(CUstream handle, struct gmt_sim_stream **stream_out)
{
    CUresult result = gmt_sim_enter_work(handle, stream_out);
    if (result != CUDA_SUCCESS || !(*stream_out)->capture)
        return result;
    return gmt_sim_leave(gmt_sim_capture_refuse(*stream_out));
}

CUresult gmt_sim_enter_queue(CUstream handle, struct gmt_sim_stream **stream_out)
{
    CUresult result = gmt_sim_enter_stream_now(handle, stream_out);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_stream *stream = *stream_out;
    if (stream->capture)
        return stream->capture->invalidated ? gmt_sim_leave(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) : CUDA_SUCCESS;
    result = gmt_sim_capture_check_default(stream, true);
    return result == CUDA_SUCCESS ? CUDA_SUCCESS : gmt_sim_leave(result);
}

CUresult gmt_sim_enter_work(CUstream handle, struct gmt_sim_stream **stream_out)
{
    CUresult result = gmt_sim_enter_queue(handle, stream_out);
    if (result == CUDA_SUCCESS && !(*stream_out)->capture)
        gmt_sim_stream_drain(*stream_out);
    return result;
}

struct gmt_sim_stream *gmt_sim_streams(void)
{
    return all;
}

bool gmt_sim_stream_tell_tail(struct gmt_sim_stream *stream)
{
    size_t count = stream->tail.count ? stream->tail.count : 1;
    CUgraphNode *nodes = realloc(stream->told_nodes, count * sizeof *nodes);
    if (nodes)
        stream->told_nodes = nodes;
    CUgraphEdgeData *data = realloc(stream->told_data, count * sizeof *data);
    if (data)
        stream->told_data = data;
    for (size_t i = 0; i < stream->tail.count && nodes && data; i++) {
        nodes[i] = (CUgraphNode)stream->tail.items[i].node;
        data[i] = stream->tail.items[i].data;
    }
    return nodes && data;
}

/* Streams take 560 KiB each, paid for in chunks of which the context has the first: a thousand beside the first one
 * take 273 chunks (measured). What was paid is there for streams to come. */
static bool pay(struct gmt_sim_context *context)
{
    uint64_t needed = (context->streams + 1) * GMT_SIM_STREAM_BYTES / GMT_SIM_CHUNK * GMT_SIM_CHUNK;
    if (needed <= context->stream_bytes)
        return true;
    if (!gmt_sim_device_take(context->device, needed - context->stream_bytes))
        return false;
    context->charged += needed - context->stream_bytes;
    context->stream_bytes = needed;
    return true;
}

static CUresult create(CUstream *handle, unsigned int flags, int priority)
{
    struct gmt_sim_context *context;
    if (!handle || (flags & ~(unsigned int)CU_STREAM_NON_BLOCKING))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (priority > 0)
        priority = 0;
    if (priority < GMT_SIM_PRIORITY_GREATEST)
        priority = GMT_SIM_PRIORITY_GREATEST;
    struct gmt_sim_stream *stream = pay(context) ? gmt_sim_stream_new(context, flags, priority) : NULL;
    if (!stream)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    context->streams++;
    *handle = (CUstream)stream;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuStreamCreate)(CUstream *handle, unsigned int flags)
{
    return create(handle, flags, 0);
}

GMT_SIM_BODY(cuStreamCreateWithPriority)(CUstream *handle, unsigned int flags, int priority)
{
    return create(handle, flags, priority);
}

static void forget(struct gmt_sim_stream *stream)
{
    struct gmt_sim_stream **link = &all;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    free(stream->tail.items);
    free(stream->told_nodes);
    free(stream->told_data);
    free(stream);
}

/* One in which something is left to do may still be waited for, so it stays, without its handle. One that is being
 * destroyed is without it already. */
void gmt_sim_streams_end(struct gmt_sim_context *context)
{
    struct gmt_sim_stream *next;
    for (struct gmt_sim_stream *stream = all; stream; stream = next) {
        next = stream->next;
        bool own = stream == context->legacy_stream || stream == context->thread_stream;
        if (stream->context != context || own || !gmt_sim_handle_is(stream, GMT_SIM_STREAM))
            continue;
        gmt_sim_handle_remove(stream);
        if (stream->pending == 0 && !stream->has_worker)
            forget(stream);
    }
    context->streams = context->stream_bytes = 0;
}

GMT_SIM_BODY(cuStreamDestroy_v2)(CUstream handle)
{
    struct gmt_sim_stream *stream;
    if (!handle || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_handle_remove(stream);
    stream->context->streams--;
    gmt_sim_capture_forget(stream);
    while (stream->pending > 0 || stream->has_worker)
        gmt_sim_wait();
    forget(stream);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamDestroy, cuStreamDestroy_v2)

GMT_SIM_BODY(cuStreamSynchronize)(CUstream handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_device_settle(stream->context->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamSynchronize_ptsz, cuStreamSynchronize)

GMT_SIM_BODY(cuStreamQuery)(CUstream handle)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_stream_now(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (stream->capture)
        return gmt_sim_leave(gmt_sim_capture_refuse(stream));
    return gmt_sim_leave(gmt_sim_stream_busy(stream) ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuStreamQuery_ptsz, cuStreamQuery)
