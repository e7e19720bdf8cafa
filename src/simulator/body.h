/* How the body of a driver function is written.
 *
 *   GMT_SIM_BODY(cuMemAlloc_v2)(CUdeviceptr *p, size_t n) { ... }      checked against the prototype in cuda.h
 *   GMT_SIM_TWIN(cuMemFreeAsync_ptsz, cuMemFreeAsync)                   another exported name, the same body
 */
#ifndef GMT_SIMULATOR_BODY_H
#define GMT_SIMULATOR_BODY_H

/* Exact ABI names: without it cuda.h renames cuMemAlloc to cuMemAlloc_v2. */
#ifndef __CUDA_API_VERSION_INTERNAL
#error "compile the simulated driver with -D__CUDA_API_VERSION_INTERNAL"
#endif
#include <cuda.h>

#define GMT_SIM_BODY(name)                                                                                             \
    extern typeof(name) gmt_sim_##name;                                                                                \
    CUresult gmt_sim_##name

#define GMT_SIM_TWIN(twin, name) extern typeof(twin) gmt_sim_##twin __attribute__((alias("gmt_sim_" #name)));

#endif
