/* Cuts mapped address space into blocks. First fit over the free spans, newest first, neighbours joined when freed. */
#include "simulator/heap_arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "simulator/address_range.h"
#include "simulator/held_memory.h"

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct gmt_sim_arena *gmt_sim_arena_over(void *memory, uint64_t bytes)
{
    struct gmt_sim_arena *arena = calloc(1, sizeof *arena);
    struct gmt_sim_span *span = calloc(1, sizeof *span);
    if (!memory || !arena || !span) {
        if (memory)
            gmt_sim_range_unmap((uintptr_t)memory, bytes);
        free(arena);
        free(span);
        return NULL;
    }
    span->bytes = bytes;
    arena->address = (uintptr_t)memory;
    arena->bytes = arena->largest = bytes;
    arena->first = arena->free = span;
    arena->shared.fd = -1;
    return arena;
}

struct gmt_sim_arena *gmt_sim_arena_map(uint64_t bytes, uint64_t hint, bool low)
{
    int flags = 0;
#ifdef MAP_32BIT
    flags = low ? MAP_32BIT : 0;
#else
    if (low && !hint)
        hint = 1u << 30;
#endif
    void *memory = gmt_sim_range_map(bytes, GMT_SIM_CHUNK, hint, PROT_READ | PROT_WRITE, flags);
    if (memory && low && ((uintptr_t)memory + bytes) >> 32 != 0) {
        gmt_sim_range_unmap((uintptr_t)memory, bytes);
        memory = NULL;
    }
    return gmt_sim_arena_over(memory, bytes);
}

void gmt_sim_arena_unmap(struct gmt_sim_arena *arena)
{
    gmt_sim_range_unmap(arena->address, arena->bytes);
    gmt_sim_shared_close(&arena->shared);
    while (arena->first) {
        struct gmt_sim_span *next = arena->first->after;
        free(arena->first);
        arena->first = next;
    }
    free(arena);
}

static void free_list_add(struct gmt_sim_arena *arena, struct gmt_sim_span *span)
{
    span->used = false;
    span->free_before = NULL;
    span->free_after = arena->free;
    if (arena->free)
        arena->free->free_before = span;
    arena->free = span;
    if (span->bytes > arena->largest)
        arena->largest = span->bytes;
}

static void free_list_remove(struct gmt_sim_arena *arena, struct gmt_sim_span *span)
{
    if (span->free_before)
        span->free_before->free_after = span->free_after;
    else
        arena->free = span->free_after;
    if (span->free_after)
        span->free_after->free_before = span->free_before;
}

struct gmt_sim_span *gmt_sim_arena_cut(struct gmt_sim_arena *arena, uint64_t bytes)
{
    uint64_t size = round_up(bytes, GMT_SIM_GRANULE), largest = 0;
    if (size > arena->largest)
        return NULL;
    struct gmt_sim_span *span = arena->free;
    for (; span && span->bytes < size; span = span->free_after)
        largest = span->bytes > largest ? span->bytes : largest;
    if (!span) {
        arena->largest = largest;
        return NULL;
    }
    if (span->bytes > size) {
        /* The rest stays where it is in the list, so that the untouched end of an arena is used last. */
        struct gmt_sim_span *front = calloc(1, sizeof *front);
        if (!front)
            return NULL;
        *front = (struct gmt_sim_span){.offset = span->offset, .bytes = size, .before = span->before, .after = span};
        if (span->before)
            span->before->after = front;
        else
            arena->first = front;
        span->before = front;
        span->offset += size;
        span->bytes -= size;
        span = front;
    } else {
        free_list_remove(arena, span);
    }
    span->used = true;
    arena->used_spans++;
    return span;
}

/* Joins `right` into its left neighbour. Neither is in the free list. */
static struct gmt_sim_span *join(struct gmt_sim_span *left, struct gmt_sim_span *right)
{
    left->bytes += right->bytes;
    left->after = right->after;
    if (right->after)
        right->after->before = left;
    free(right);
    return left;
}

void gmt_sim_arena_return(struct gmt_sim_arena *arena, struct gmt_sim_span *span)
{
    arena->used_spans--;
    struct gmt_sim_span *after = span->after;
    if (after && !after->used) {
        /* The following free span grows downwards in place, which keeps the end of the arena at the end of the list. */
        after->offset = span->offset;
        after->bytes += span->bytes;
        after->before = span->before;
        if (span->before)
            span->before->after = after;
        else
            arena->first = after;
        free(span);
        span = after;
        if (span->before && !span->before->used) {
            free_list_remove(arena, span->before);
            span->offset = span->before->offset;
            span->bytes += span->before->bytes;
            struct gmt_sim_span *gone = span->before;
            span->before = gone->before;
            if (gone->before)
                gone->before->after = span;
            else
                arena->first = span;
            free(gone);
        }
        if (span->bytes > arena->largest)
            arena->largest = span->bytes;
        return;
    }
    if (span->before && !span->before->used) {
        free_list_remove(arena, span->before);
        span = join(span->before, span);
    }
    free_list_add(arena, span);
}

/* A new arena of the heap, paid for by its device. */
static struct gmt_sim_arena *heap_grow(struct gmt_sim_heap *heap, uint64_t bytes)
{
    if (heap->device && !gmt_sim_device_take(heap->device, bytes))
        return NULL;
    struct gmt_sim_arena *arena = gmt_sim_arena_map(bytes, 0, heap->low);
    if (!arena) {
        if (heap->device)
            gmt_sim_device_give(heap->device, bytes);
        return NULL;
    }
    arena->heap = heap;
    arena->next = heap->arenas;
    if (heap->arenas)
        heap->arenas->before = arena;
    heap->arenas = arena;
    return arena;
}

bool gmt_sim_heap_cut(struct gmt_sim_heap *heap, uint64_t bytes, struct gmt_sim_arena **arena_out,
                      struct gmt_sim_span **span_out)
{
    if (bytes > UINT64_MAX / 2)
        return false;
    struct gmt_sim_span *span = NULL;
    struct gmt_sim_arena *arena = NULL;
    if (bytes < GMT_SIM_CHUNK) {
        /* A large block's own mapping is never shared, not even its unused end. */
        for (arena = heap->arenas; arena; arena = arena->next) {
            span = arena->bytes == GMT_SIM_CHUNK ? gmt_sim_arena_cut(arena, bytes) : NULL;
            if (span)
                break;
        }
    }
    if (!span) {
        arena = heap_grow(heap, round_up(bytes, GMT_SIM_CHUNK));
        span = arena ? gmt_sim_arena_cut(arena, bytes) : NULL;
    }
    *arena_out = arena;
    *span_out = span;
    return span != NULL;
}

void gmt_sim_heap_return(struct gmt_sim_arena *arena, struct gmt_sim_span *span)
{
    struct gmt_sim_heap *heap = arena->heap;
    gmt_sim_arena_return(arena, span);
    if (arena->used_spans > 0)
        return;
    if (arena->before)
        arena->before->next = arena->next;
    else
        heap->arenas = arena->next;
    if (arena->next)
        arena->next->before = arena->before;
    if (heap->device)
        gmt_sim_held_give(heap->device, arena->bytes, &arena->shared);
    gmt_sim_arena_unmap(arena);
}
