/* Address space cut into blocks: arenas, and heaps of arenas. Sizes and rounding are the measured ones of a real
 * driver. What must not live here: who owns a block and what it is called.
 */
#ifndef GMT_SIMULATOR_HEAP_ARENA_H
#define GMT_SIMULATOR_HEAP_ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "simulator/shared_file.h"

#define GMT_SIM_GRANULE 512ull     /* blocks are cut at this many bytes */
#define GMT_SIM_CHUNK (2ull << 20) /* a heap grows by chunks of 2 MiB; larger blocks take whole ones */

struct gmt_sim_device;
struct gmt_sim_pool;

/* A piece of an arena, in use or free. */
struct gmt_sim_span {
    uint64_t offset, bytes;
    bool used;
    struct gmt_sim_span *before, *after;           /* by address */
    struct gmt_sim_span *free_before, *free_after; /* free ones, newest first */
};

struct gmt_sim_arena {
    uint64_t address, bytes;
    uint64_t largest; /* no free span is larger; may be smaller than this says */
    struct gmt_sim_span *first, *free;
    int used_spans;
    struct gmt_sim_heap *heap; /* NULL: the arena of a pool */
    struct gmt_sim_pool *pool;
    struct gmt_sim_shared shared; /* the file that its memory is in, if another process can map it; else fd -1 */
    struct gmt_sim_arena *next, *before;
};

struct gmt_sim_heap {
    struct gmt_sim_arena *arenas;
    struct gmt_sim_device *device; /* whose memory chunks cost; NULL: none of the device's */
    bool low;                      /* addresses below 4 GiB, for the 32-bit entries */
};

/* Maps `bytes` (a multiple of 2 MiB) of host memory, backed when touched. NULL when the address space is full. `hint`
 * is an address to try first, 0 for none. */
struct gmt_sim_arena *gmt_sim_arena_map(uint64_t bytes, uint64_t hint, bool low);

/* An arena over mapped memory, which it owns from now on. NULL, and unmapped, when host memory is short; NULL also for
 * no memory. */
struct gmt_sim_arena *gmt_sim_arena_over(void *memory, uint64_t bytes);

/* Unmaps the arena and closes its file. */
void gmt_sim_arena_unmap(struct gmt_sim_arena *arena);

/* Cuts `bytes` (any size > 0) out of the arena; NULL when no free span is large enough. Prefers what was freed last. */
struct gmt_sim_span *gmt_sim_arena_cut(struct gmt_sim_arena *arena, uint64_t bytes);
void gmt_sim_arena_return(struct gmt_sim_arena *arena, struct gmt_sim_span *span);

/* Cuts a block out of a heap, which grows when it must. False: the device or the address space is full. Lock held. */
bool gmt_sim_heap_cut(struct gmt_sim_heap *heap, uint64_t bytes, struct gmt_sim_arena **arena_out,
                      struct gmt_sim_span **span_out);

/* Returns a block; a chunk goes back to the device with its last block. Lock held. */
void gmt_sim_heap_return(struct gmt_sim_arena *arena, struct gmt_sim_span *span);

#endif
