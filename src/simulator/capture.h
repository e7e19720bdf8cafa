/* Stream capture: work put into a capturing stream becomes nodes of a graph. What must not live here: what the nodes
 * do.
 */
#ifndef GMT_SIMULATOR_CAPTURE_H
#define GMT_SIMULATOR_CAPTURE_H

#include <pthread.h>

#include "simulator/graph.h"

struct gmt_sim_stream;

struct gmt_sim_capture {
    struct gmt_sim_capture *next; /* all that are under way */
    unsigned long long id;
    struct gmt_sim_graph *graph;
    bool own_graph; /* handed out at the end; else the program's */
    struct gmt_sim_stream *origin;
    CUstreamCaptureMode mode;
    pthread_t thread; /* that began it */
    bool invalidated;
};

/* Where a recorded event stands in a capture. */
struct gmt_sim_capture_point {
    unsigned long long id; /* of the capture; 0: none */
    struct gmt_sim_edges nodes;
};

/* Whether any capture is under way, for those who do not want to wait for the lock. */
bool gmt_sim_captures_any(void);

/* Whether a call that may wait, or may change what a capture rests on, is forbidden to this thread now; captures that
 * forbid it become invalid. Takes the lock. */
bool gmt_sim_captures_forbid(void);

/* Adds a node behind what the stream has captured. An allocation node gets its address in `params`. Lock held, as for
 * all that follows. */
CUresult gmt_sim_capture_add(struct gmt_sim_stream *stream, CUgraphNodeParams *params);

/* The answer to a call that no stream takes while it is captured; the capture becomes invalid. */
CUresult gmt_sim_capture_refuse(struct gmt_sim_stream *stream);

/* The default stream waits for blocking streams: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT where one of them is captured. The
 * capture becomes invalid if `use`, and stays as it is for a question. */
CUresult gmt_sim_capture_check_default(const struct gmt_sim_stream *stream, bool use);

/* Remembers where the stream is; false when host memory is short. `stream` may capture nothing. */
bool gmt_sim_capture_mark(const struct gmt_sim_stream *stream, struct gmt_sim_capture_point *point);

/* Lets the stream wait for a point: it joins the capture, if it is under way, or waits for more of its own. */
CUresult gmt_sim_capture_wait(struct gmt_sim_stream *stream, const struct gmt_sim_capture_point *point);

/* Forgets a stream that ends; its capture becomes invalid. */
void gmt_sim_capture_forget(struct gmt_sim_stream *stream);

/* Ends the captures that began in a context, which ends. */
void gmt_sim_captures_end(const struct gmt_sim_context *context);

/* The capture under way that has this number; NULL for none. */
struct gmt_sim_capture *gmt_sim_capture_of(unsigned long long id);

/* Begins a capture by the calling thread; ends it, and detaches all its streams. */
struct gmt_sim_capture *gmt_sim_capture_begin(struct gmt_sim_stream *origin, CUstreamCaptureMode mode);
void gmt_sim_capture_end(struct gmt_sim_capture *capture);

/* Whether a capture under way fills this graph. */
bool gmt_sim_captures_into(const struct gmt_sim_graph *graph);

/* Whether everything that other streams captured is joined into the origin again. */
bool gmt_sim_capture_joined(const struct gmt_sim_capture *capture);

/* Sets the calling thread's mode and returns the one before. Needs no lock. */
CUstreamCaptureMode gmt_sim_capture_exchange_mode(CUstreamCaptureMode mode);

/* Adds a node to those that the stream's next one depends on. False when host memory is short. */
bool gmt_sim_capture_depend(struct gmt_sim_edges *tail, struct gmt_sim_node *node, const CUgraphEdgeData *data);

#endif
