/* Kinds of memory that pools hold, and which pool is the standard and which the current one of each.
 */
#ifndef GMT_SIMULATOR_POOL_PLACES_H
#define GMT_SIMULATOR_POOL_PLACES_H

#include "simulator/memory_pool.h"

/* Where the two pools of a kind are kept; *standard may be NULL: not asked for yet. */
struct gmt_sim_pool_place {
    struct gmt_sim_pool **standard, **current;
};

/* The place of memory of this type and location. CUDA_ERROR_INVALID_DEVICE for a device that is none, and
 * CUDA_ERROR_INVALID_VALUE for no such memory. Lock held. */
CUresult gmt_sim_pool_place(const CUmemLocation *location, CUmemAllocationType type,
                            struct gmt_sim_pool_place *place_out);

/* A new, empty pool of such memory; NULL when host memory is short. Lock held. */
struct gmt_sim_pool *gmt_sim_pool_at(const CUmemLocation *location, CUmemAllocationType type);

#endif
