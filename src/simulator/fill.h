/* Fills, apart from the calls that ask for them.
 */
#ifndef GMT_SIMULATOR_FILL_H
#define GMT_SIMULATOR_FILL_H

#include "simulator/state.h"

/* Whether these could be the parameters of a fill, wherever it goes to. */
bool gmt_sim_fill_possible(const CUDA_MEMSET_NODE_PARAMS_v2 *fill);

/* Fills now, whatever else is pending: CUDA_SUCCESS or CUDA_ERROR_INVALID_VALUE. Lock held. */
CUresult gmt_sim_fill_now(const CUDA_MEMSET_NODE_PARAMS_v2 *fill);

#endif
