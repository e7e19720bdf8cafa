/* Multicast objects: the team of devices behind one, and what each of them has bound.
 */
#ifndef GMT_SIMULATOR_MULTICAST_H
#define GMT_SIMULATOR_MULTICAST_H

#include "simulator/physical_memory.h"

/* The team of an object that lives in `file`, as this process sees it; NULL when the system refuses. Lock held. */
struct gmt_sim_team *gmt_sim_team_new(const struct gmt_sim_shared *file, uint64_t bytes);

/* Unbinds everything that this process has bound. Lock held. */
void gmt_sim_team_end(struct gmt_sim_team *team);

/* Waits until all devices of the team have joined, in whatever process; lets go of the lock meanwhile. CUDA_SUCCESS, or
 * why the handle is no multicast object (any more). Lock held. */
CUresult gmt_sim_team_wait(CUmemGenericAllocationHandle handle);

#endif
