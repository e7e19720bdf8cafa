/* Graphs and captures: a stream that is being recorded into a graph takes and frees nothing; its graph does when
 * launched. */
#ifndef GMT_HOOK_CALL_GRAPHS_H
#define GMT_HOOK_CALL_GRAPHS_H

#include "hook/call.h"

/* The graph that `stream` is being recorded into, or NULL. Costs nothing while no stream of the process is recorded. */
CUgraph gmt_call_capturing(CUstream stream);

/* True while some stream of the process may be recorded into a graph: asking a pool would spoil that. */
bool gmt_captures_under_way(void);

#endif
