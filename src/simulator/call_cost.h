/* Memory of the device that calls cost because a script says so: what a real driver takes for an executable graph, say.
 */
#ifndef GMT_SIMULATOR_CALL_COST_H
#define GMT_SIMULATOR_CALL_COST_H

#include "simulator/state.h"

/* Begins a call of the calling thread that costs `bytes` of the current context's device, or gives them back where they
 * are negative; 0 for an ordinary call. False when the device has not enough: the call must not happen. Takes the lock.
 */
bool gmt_sim_cost_begin(int64_t bytes);

/* Ends it: a call that failed costs nothing. Lock held. */
void gmt_sim_cost_end(CUresult result);

#endif
