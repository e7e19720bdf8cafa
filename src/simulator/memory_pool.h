/* Memory pools: what stream-ordered blocks are cut from. A pool grows by 32 MiB and keeps what was freed until the
 * program waits for the device; then it shrinks to its threshold.
 */
#ifndef GMT_SIMULATOR_MEMORY_POOL_H
#define GMT_SIMULATOR_MEMORY_POOL_H

#include "simulator/device_access.h"
#include "simulator/state.h"

#define GMT_SIM_POOL_GRANULE (32ull << 20)

struct gmt_sim_pool {
    struct gmt_sim_pool *next;
    struct gmt_sim_device *device; /* that settles it and whose capacity bounds it */
    CUmemLocation location;        /* of its memory */
    CUmemAllocationType type;
    struct gmt_sim_arena *arena; /* address space for the whole device; NULL until first used */
    uint8_t *committed;          /* by granule: paid for by the device */
    uint64_t granules;
    uint64_t reserved, reserved_high, used, used_high; /* bytes; used as asked for */
    uint64_t threshold;
    uint64_t max_bytes; /* that may be reserved; 0: as much as there is */
    struct gmt_sim_access access;
    CUmemAccess_flags host_access;
    int reuse[3]; /* the three reuse policies, stored and not acted on */
    int live_blocks;
    bool changed;   /* blocks were returned, or the threshold was set, since the program last waited */
    bool destroyed; /* goes with its last block */
    CUmemAllocationHandleType handle_types; /* ways in which other processes can get at it */
    bool imported;                          /* another process's: no memory is taken from it here */
};

/* A new, empty pool of the device's own memory; NULL when host memory is short. Lock held. */
struct gmt_sim_pool *gmt_sim_pool_new(struct gmt_sim_device *device);

/* Whether its memory is the device's: not the host's, and not managed. */
bool gmt_sim_pool_is_charged(const struct gmt_sim_pool *pool);

/* A pool of another process, in `file`, which it takes over; NULL, and nothing taken, when the system refuses. Lock
 * held. */
struct gmt_sim_pool *gmt_sim_pool_import(struct gmt_sim_device *device, const struct gmt_sim_shared *file,
                                         uint64_t bytes);

/* Gives the pool its address space, where other processes can get at it if they shall. False when the system refuses.
 * Lock held. */
bool gmt_sim_pool_map(struct gmt_sim_pool *pool);

/* Counts a block that is live from now on. Lock held. */
void gmt_sim_pool_count(struct gmt_sim_pool *pool, uint64_t bytes);

/* Cuts a block; false when the device has no room. Lock held. */
bool gmt_sim_pool_cut(struct gmt_sim_pool *pool, uint64_t bytes, struct gmt_sim_span **span_out);

/* Returns the block's memory to the pool; a destroyed pool ends with its last block. Lock held. */
void gmt_sim_pool_return(struct gmt_sim_pool *pool, struct gmt_sim_span *span);

/* Gives granules without a block back to the device until `keep` bytes are left, or none can go. Lock held. */
void gmt_sim_pool_shrink(struct gmt_sim_pool *pool, uint64_t keep);

/* The program has waited for the device: every pool shrinks to its threshold. Lock held. */
void gmt_sim_pools_settle(struct gmt_sim_device *device);

/* The device is full: every pool gives back what it does not use, whatever its threshold. Lock held. */
void gmt_sim_pools_reclaim(struct gmt_sim_device *device);

/* The pool of a handle, NULL for none that is alive. Lock held. */
struct gmt_sim_pool *gmt_sim_pool_of(CUmemoryPool handle);

#endif
