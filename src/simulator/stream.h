/* Streams. All work is done at once by the caller; only host functions run later, in order, on a thread of their
 * stream.
 */
#ifndef GMT_SIMULATOR_STREAM_H
#define GMT_SIMULATOR_STREAM_H

#include "simulator/state.h"

enum { GMT_SIM_PRIORITY_GREATEST = -5 };

struct gmt_sim_host_call;

struct gmt_sim_stream {
    struct gmt_sim_context *context;
    struct gmt_sim_stream *next;
    unsigned int flags;
    int priority;
    unsigned long long id;
    bool has_worker;
    int pending; /* host functions that have not returned */
    struct gmt_sim_host_call *first, *last;
};

/* A stream of the context, with a live handle; NULL when host memory is short. Lock held. */
struct gmt_sim_stream *gmt_sim_stream_new(struct gmt_sim_context *context, unsigned int flags, int priority);

/* Takes the lock and gives the stream of a handle (NULL and the special handles mean the current context's) after
 * everything that comes before in the stream has been done; or returns why not, without the lock. */
CUresult gmt_sim_enter_stream(CUstream handle, struct gmt_sim_stream **stream_out);

/* The same without waiting. */
CUresult gmt_sim_enter_stream_now(CUstream handle, struct gmt_sim_stream **stream_out);

/* Waits until nothing is pending before new work of the stream, or in the whole context. Lock held; lets go while
 * waiting. */
void gmt_sim_stream_drain(struct gmt_sim_stream *stream);
void gmt_sim_streams_drain(struct gmt_sim_context *context);
bool gmt_sim_stream_busy(const struct gmt_sim_stream *stream);

/* Runs `function(argument)` after all work of the stream, on the stream's thread. Lock held. */
CUresult gmt_sim_stream_call(struct gmt_sim_stream *stream, void (*function)(void *), void *argument);

#endif
