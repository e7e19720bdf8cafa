/* Streams. All work is done at once by the caller; only host functions run later, in order, on a thread of their
 * stream.
 */
#ifndef GMT_SIMULATOR_STREAM_H
#define GMT_SIMULATOR_STREAM_H

#include "simulator/graph.h"

enum { GMT_SIM_PRIORITY_GREATEST = -5 };

struct gmt_sim_capture;
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
    struct gmt_sim_capture *capture; /* that it takes part in, or NULL */
    struct gmt_sim_edges tail;       /* what its next node will depend on */
    CUgraphNode *told_nodes;         /* the same as told to the program, until it is told again */
    CUgraphEdgeData *told_data;
};

/* A stream of the context, with a live handle; NULL when host memory is short. Lock held. */
struct gmt_sim_stream *gmt_sim_stream_new(struct gmt_sim_context *context, unsigned int flags, int priority);

/* Takes the lock and gives the stream of a handle (NULL and the special handles mean the current context's) after
 * everything that comes before in the stream has been done; or returns why not, without the lock. A stream that is
 * captured is none to work in. */
CUresult gmt_sim_enter_stream(CUstream handle, struct gmt_sim_stream **stream_out);

/* The same for work that can be captured: a stream that is captured, and whose capture is valid, comes at once. */
CUresult gmt_sim_enter_work(CUstream handle, struct gmt_sim_stream **stream_out);

/* As gmt_sim_enter_work, without waiting: for what is put behind the rest. */
CUresult gmt_sim_enter_queue(CUstream handle, struct gmt_sim_stream **stream_out);

/* The same without waiting, and without a look at captures. */
CUresult gmt_sim_enter_stream_now(CUstream handle, struct gmt_sim_stream **stream_out);

/* Ends the streams that the program made in a context. Lock held. */
void gmt_sim_streams_end(struct gmt_sim_context *context);

/* All streams, newest first. */
struct gmt_sim_stream *gmt_sim_streams(void);

/* Writes the stream's tail where the program can read it. False when host memory is short. Lock held. */
bool gmt_sim_stream_tell_tail(struct gmt_sim_stream *stream);

/* Waits until nothing is pending before new work of the stream, or in the whole context. Lock held; lets go while
 * waiting. */
void gmt_sim_stream_drain(struct gmt_sim_stream *stream);
void gmt_sim_streams_drain(struct gmt_sim_context *context);
bool gmt_sim_stream_busy(const struct gmt_sim_stream *stream);

/* Runs `function(argument)` after all work of the stream, on the stream's thread. Lock held. */
CUresult gmt_sim_stream_call(struct gmt_sim_stream *stream, void (*function)(void *), void *argument);

#endif
