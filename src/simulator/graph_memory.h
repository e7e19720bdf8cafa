/* Memory of allocation nodes: an address from the node's creation on, memory of the device from the first launch on.
 * Each device has one pool for all graphs, which keeps what was freed until it is trimmed.
 */
#ifndef GMT_SIMULATOR_GRAPH_MEMORY_H
#define GMT_SIMULATOR_GRAPH_MEMORY_H

#include "simulator/state.h"

/* Of one allocation node, shared by the node, its copies and the block. */
struct gmt_sim_graph_range {
    struct gmt_sim_graph_range *next, *before; /* all of them, newest first */
    int references;
    struct gmt_sim_device *device;
    struct gmt_sim_arena *arena; /* address space */
    uint64_t address, bytes;     /* as asked for */
    uint64_t size;               /* that the pool needs for it */
};

/* Address space for an allocation node, with one reference; NULL when there is none. Lock held, for all of these. */
struct gmt_sim_graph_range *gmt_sim_graph_range_new(struct gmt_sim_device *device, uint64_t bytes);
struct gmt_sim_graph_range *gmt_sim_graph_range_hold(struct gmt_sim_graph_range *range);
void gmt_sim_graph_range_drop(struct gmt_sim_graph_range *range);

/* The range that begins at an address; NULL for none. */
struct gmt_sim_graph_range *gmt_sim_graph_range_at(uint64_t address);

/* Makes a live block of the range, from memory that was reserved before; it outlives contexts (measured). False when
 * host memory is short. */
bool gmt_sim_graph_range_take(struct gmt_sim_graph_range *range);

/* Lets the pool have room for `bytes` beside what is in use; false when the device has not. */
bool gmt_sim_graph_pool_reserve(struct gmt_sim_device *device, uint64_t bytes);

/* Gives back what no block uses. */
void gmt_sim_graph_pool_trim(struct gmt_sim_device *device);

#endif
