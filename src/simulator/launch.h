/* Launches, apart from the calls that ask for them.
 */
#ifndef GMT_SIMULATOR_LAUNCH_H
#define GMT_SIMULATOR_LAUNCH_H

#include "simulator/state.h"

/* Whether the kernel exists and its shape fits: CUDA_SUCCESS, CUDA_ERROR_INVALID_HANDLE,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_INVALID_VALUE. The kernel is `func`, or `kern` where that is NULL. Lock
 * held. */
CUresult gmt_sim_launch_check(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel);

/* Checks, and does what a launch does to the context: a kernel that needs a larger stack raises the limit. Lock held.
 */
CUresult gmt_sim_launch_now(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel, struct gmt_sim_context *context);

#endif
