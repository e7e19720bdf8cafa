/* Which handles are alive: a stale or made-up one is told from a real one without touching it.
 */
#ifndef GMT_SIMULATOR_HANDLE_H
#define GMT_SIMULATOR_HANDLE_H

#include <stdbool.h>
#include <stddef.h>

enum gmt_sim_handle_kind {
    GMT_SIM_STREAM,
    GMT_SIM_EVENT,
    GMT_SIM_MODULE,
    GMT_SIM_LIBRARY,
    GMT_SIM_FUNCTION,
    GMT_SIM_ARRAY,
    GMT_SIM_MIPMAPPED_ARRAY,
    GMT_SIM_TEXTURE_REFERENCE,
    GMT_SIM_GRAPH,
    GMT_SIM_NODE,
    GMT_SIM_GRAPH_EXEC,
    GMT_SIM_USER_OBJECT,
    GMT_SIM_PHYSICAL,
    GMT_SIM_EXTERNAL_MEMORY,
    GMT_SIM_EXTERNAL_SEMAPHORE
};

/* False when host memory is short. Lock of state.h held, for all of these. */
bool gmt_sim_handle_add(const void *object, enum gmt_sim_handle_kind kind);

/* An object of zeros with a live handle, for gmt_sim_handle_remove and free(); NULL when host memory is short. */
void *gmt_sim_handle_new(size_t bytes, enum gmt_sim_handle_kind kind);

void gmt_sim_handle_remove(const void *object);
bool gmt_sim_handle_is(const void *object, enum gmt_sim_handle_kind kind);

#endif
