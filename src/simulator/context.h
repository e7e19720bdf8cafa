/* Contexts: their life, what they cost, and which one is current.
 */
#ifndef GMT_SIMULATOR_CONTEXT_H
#define GMT_SIMULATOR_CONTEXT_H

#include "simulator/state.h"

/* Bytes of the device that a context takes (measured): the first one on a device, every further one. Both hold the
 * kernel stacks of the default limit, GMT_SIM_STACKS threads times 1 KiB. */
#define GMT_SIM_FIRST_CONTEXT 552402944ull
#define GMT_SIM_FURTHER_CONTEXT 548995072ull
#define GMT_SIM_STACKS (2048ull * 132)

/* A context that is not alive yet; it stays known for ever. NULL when host memory is short. Lock held, or before cuInit
 * has returned. */
struct gmt_sim_context *gmt_sim_context_new(struct gmt_sim_device *device, bool primary);

/* Makes the context alive and pays for it: CUDA_SUCCESS or CUDA_ERROR_OUT_OF_MEMORY. Lock held. */
CUresult gmt_sim_context_start(struct gmt_sim_context *context);

/* Ends the context with all that lives in it. Lock held. */
void gmt_sim_context_end(struct gmt_sim_context *context);

/* Gives every thread that can be resident on the device a stack of this size, paid for at once: CUDA_SUCCESS,
 * CUDA_ERROR_INVALID_VALUE for more than a real driver accepts, CUDA_ERROR_OUT_OF_MEMORY. Lock held. */
CUresult gmt_sim_context_set_stack(struct gmt_sim_context *context, size_t bytes);

/* The context of a handle, NULL for a handle that never was one. Lock held. */
struct gmt_sim_context *gmt_sim_context_of(CUcontext handle);

/* The calling thread's stack of contexts. Not locked: each thread has its own. */
void gmt_sim_current_set(struct gmt_sim_context *context);
bool gmt_sim_current_push(struct gmt_sim_context *context);
bool gmt_sim_current_pop(struct gmt_sim_context **context_out);

/* As gmt_sim_enter, for the 32-bit entries: they refuse (201) contexts that were not made by the 32-bit cuCtxCreate. */
CUresult gmt_sim_enter_old(struct gmt_sim_context **context_out);

#endif
