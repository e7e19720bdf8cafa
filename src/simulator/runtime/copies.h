/* What the copies of the runtime share.
 */
#ifndef GMT_SIMULATOR_RUNTIME_COPIES_H
#define GMT_SIMULATOR_RUNTIME_COPIES_H

#include "simulator/runtime/runtime.h"

/* cudaErrorInvalidMemcpyDirection for a direction that there is not. */
cudaError_t gmt_rt_copy_check(enum cudaMemcpyKind kind);

/* Where the memory at one end of a copy of this direction is. */
CUmemorytype gmt_rt_copy_side(enum cudaMemcpyKind kind, bool source);

/* The driver's description of a copy, which counts in bytes where the runtime's counts in elements of an array. */
cudaError_t gmt_rt_copy_describe(const struct cudaMemcpy3DParms *wanted, CUDA_MEMCPY3D *copy_out);

/* The way back. */
cudaError_t gmt_rt_copy_tell(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *told_out);

/* A copy of one row between two addresses, as a description. */
struct cudaMemcpy3DParms gmt_rt_copy_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);

#endif
