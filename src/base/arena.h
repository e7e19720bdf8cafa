/* Memory for the tracer's indexes, straight from the kernel: a hook never calls malloc. Blocks of a size class are used
 * again, nothing is given back before gmt_arena_drop. Not thread-safe: the owner's lock guards it. */
#ifndef GMT_BASE_ARENA_H
#define GMT_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define GMT_ARENA_CLASSES 40

struct gmt_arena_chunk;

struct gmt_arena {
    uint64_t limit;  /* bytes that may be mapped in all */
    uint64_t mapped; /* bytes mapped now */
    struct gmt_arena_chunk *chunks;
    char *next; /* free part of the newest chunk */
    char *end;
    void *free_lists[GMT_ARENA_CLASSES];
};

/* An empty arena that maps at most `limit` bytes. */
void gmt_arena_init(struct gmt_arena *arena, uint64_t limit);

/* `bytes` of memory, 16-byte aligned, not cleared; NULL when the limit is reached or the kernel refuses. */
void *gmt_arena_take(struct gmt_arena *arena, size_t bytes);

/* Gives a block of gmt_arena_take back; `bytes` as asked for. NULL is fine. */
void gmt_arena_give(struct gmt_arena *arena, void *memory, size_t bytes);

/* Unmaps everything. */
void gmt_arena_drop(struct gmt_arena *arena);

#endif
