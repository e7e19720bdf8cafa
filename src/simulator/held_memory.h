/* Memory that was given back here while others have it open: exported descriptors, blocks that other processes opened,
 * buffers of external memory. It stays taken until the last of them is closed (measured).
 */
#ifndef GMT_SIMULATOR_HELD_MEMORY_H
#define GMT_SIMULATOR_HELD_MEMORY_H

#include "simulator/shared_file.h"
#include "simulator/state.h"

/* Gives `bytes` back to the device, at once when nobody else has `file` open. Takes the file over; one with fd -1 has
 * never left the process. Lock held. */
void gmt_sim_held_give(struct gmt_sim_device *device, uint64_t bytes, struct gmt_sim_shared *file);

/* Looks whether what is held has been closed meanwhile, for which nobody calls. Lock held. */
void gmt_sim_held_settle(struct gmt_sim_device *device);

#endif
