/* Size classes: multiples of 16 up to 128 bytes, then powers of two. Large blocks (uthash's bucket arrays) double at
 * each growth, so powers of two waste nothing there. */
#include "base/arena.h"

#include "base/syscall.h"

#define CHUNK_BYTES ((size_t)1 << 20)
#define SMALL_CLASSES 8

struct gmt_arena_chunk {
    struct gmt_arena_chunk *older;
    size_t bytes;
};

void gmt_arena_init(struct gmt_arena *arena, uint64_t limit)
{
    *arena = (struct gmt_arena){.limit = limit};
}

static unsigned class_of(size_t bytes, size_t *rounded_out)
{
    if (bytes <= SMALL_CLASSES * 16) {
        unsigned small = bytes == 0 ? 0 : (unsigned)((bytes - 1) / 16);
        *rounded_out = (small + 1) * 16;
        return small;
    }
    if (bytes > SIZE_MAX / 2) { /* no power of two that can be written down */
        *rounded_out = 0;
        return GMT_ARENA_CLASSES;
    }
    unsigned shift = 64u - (unsigned)__builtin_clzll(bytes - 1);
    *rounded_out = (size_t)1 << shift;
    return SMALL_CLASSES + shift - 8;
}

static int add_chunk(struct gmt_arena *arena, size_t need)
{
    size_t bytes = CHUNK_BYTES;
    need += 16 + sizeof(struct gmt_arena_chunk);
    if (need > bytes)
        bytes = (need + CHUNK_BYTES - 1) & ~(CHUNK_BYTES - 1);
    if (arena->mapped + bytes > arena->limit)
        return 0;
    struct gmt_arena_chunk *chunk = gmt_sys_map(bytes);
    if (!chunk)
        return 0;
    chunk->older = arena->chunks;
    chunk->bytes = bytes;
    arena->chunks = chunk;
    arena->mapped += bytes;
    arena->next = (char *)(chunk + 1);
    arena->end = (char *)chunk + bytes;
    return 1;
}

void *gmt_arena_take(struct gmt_arena *arena, size_t bytes)
{
    size_t rounded;
    unsigned class = class_of(bytes, &rounded);
    if (class >= GMT_ARENA_CLASSES)
        return NULL;
    void *block = arena->free_lists[class];
    if (block) {
        arena->free_lists[class] = *(void **)block;
        return block;
    }
    if ((size_t)(arena->end - arena->next) < rounded && !add_chunk(arena, rounded))
        return NULL;
    block = arena->next;
    arena->next += rounded;
    return block;
}

void gmt_arena_give(struct gmt_arena *arena, void *memory, size_t bytes)
{
    if (!memory)
        return;
    size_t rounded;
    unsigned class = class_of(bytes, &rounded);
    *(void **)memory = arena->free_lists[class];
    arena->free_lists[class] = memory;
}

void gmt_arena_drop(struct gmt_arena *arena)
{
    struct gmt_arena_chunk *chunk = arena->chunks;
    while (chunk) {
        struct gmt_arena_chunk *older = chunk->older;
        gmt_sys_unmap(chunk, chunk->bytes);
        chunk = older;
    }
    gmt_arena_init(arena, arena->limit);
}
