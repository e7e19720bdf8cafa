/* Blocks that are in use, found by any address inside them. What must not live here: where their memory comes from.
 */
#ifndef GMT_SIMULATOR_LIVE_BLOCK_H
#define GMT_SIMULATOR_LIVE_BLOCK_H

#include "simulator/state.h"

enum gmt_sim_block_kind {
    GMT_SIM_DEVICE, /* cuMemAlloc and pitched */
    GMT_SIM_MANAGED,
    GMT_SIM_HOST,       /* pinned */
    GMT_SIM_REGISTERED, /* the program's own host memory */
    GMT_SIM_POOLED,     /* stream-ordered */
    GMT_SIM_VARIABLE,   /* of a module; nobody frees it */
    GMT_SIM_MANAGED_VARIABLE,
    GMT_SIM_MAPPED,      /* physical memory at a reserved address */
    GMT_SIM_OPENED,      /* a block of another process */
    GMT_SIM_EXTERNAL,    /* a buffer in memory of another API */
    GMT_SIM_GRAPH_BLOCK, /* of an allocation node */
};

struct gmt_sim_block {
    uint64_t address, bytes; /* as asked for */
    enum gmt_sim_block_kind kind;
    bool low; /* taken by a 32-bit entry */
    unsigned int flags;
    unsigned long long id;
    struct gmt_sim_context *context; /* that it ends with; NULL: none */
    struct gmt_sim_device *device;   /* that it is on, the context's if none is given; NULL: the host */
    struct gmt_sim_pool *pool;
    struct gmt_sim_arena *arena;
    struct gmt_sim_span *span;
    struct gmt_sim_mapping *mapping;              /* of GMT_SIM_MAPPED */
    struct gmt_sim_opened *opened;                /* of GMT_SIM_OPENED */
    void (*release)(struct gmt_sim_block *block); /* gives its memory back; NULL: it has none of its own */
    struct gmt_sim_block *next, *before;          /* of the same context */
};

/* Adds a copy of the block; NULL when host memory is short or another block is there. Lock held. */
struct gmt_sim_block *gmt_sim_block_add(const struct gmt_sim_block *block);

/* Takes the block out and forgets it; its memory stays. Lock held. */
void gmt_sim_block_remove(struct gmt_sim_block *block);

/* The block that starts at this address, or that holds all of [address, address + bytes). NULL: none. Lock held. */
struct gmt_sim_block *gmt_sim_block_at(uint64_t address);
struct gmt_sim_block *gmt_sim_block_holding(uint64_t address, uint64_t bytes);

/* Whether all of the range is in one block, or in mappings side by side that something has access to. Lock held. */
bool gmt_sim_blocks_cover(uint64_t address, uint64_t bytes);

/* A block that shares a byte with the range. Lock held. */
struct gmt_sim_block *gmt_sim_block_touching(uint64_t address, uint64_t bytes);

/* What a block is to the program, whatever it was cut from: managed memory, or the host's. */
bool gmt_sim_block_is_managed(const struct gmt_sim_block *block);
bool gmt_sim_block_is_hosts(const struct gmt_sim_block *block);

/* Takes a block of `kind` out of a heap of the context: CUDA_SUCCESS, or CUDA_ERROR_OUT_OF_MEMORY. Lock held. */
CUresult gmt_sim_block_take(struct gmt_sim_context *context, struct gmt_sim_heap *heap, enum gmt_sim_block_kind kind,
                            uint64_t bytes, struct gmt_sim_block **block_out);

/* Gives the block and its memory back, whatever its kind. Lock held. */
void gmt_sim_block_give(struct gmt_sim_block *block);

/* Gives the block back in the order of a stream: it is gone at once, its memory is the device's when the program waits.
 */
void gmt_sim_block_give_later(struct gmt_sim_block *block);

/* Whether a block that was here has been given back in a stream, and the program has not waited since. Lock held. */
bool gmt_sim_block_is_deferred(const struct gmt_sim_device *device, uint64_t address);

/* The program has waited for the device: deferred blocks go, and every pool shrinks to its threshold. Lock held. */
void gmt_sim_device_settle(struct gmt_sim_device *device);

/* Ends all blocks of a context. Lock held. */
void gmt_sim_blocks_end(struct gmt_sim_context *context);

#endif
