/* What a thread's last walk met. The next walk mostly has the same outer frames: where it reaches a frame that it met
 * last time, with the same registers, each further frame needs one comparison (is the return address still in its
 * slot?) instead of a rule look-up that waits for the one before. Exact: equal registers and unchanged slots lead to
 * equal frames.
 *
 * States are kept outermost first, so that the shared part stays in place. */
#ifndef GMT_BASE_WALK_MEMORY_H
#define GMT_BASE_WALK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#define GMT_WALK_MEMORY_STATES 66

/* A frame's registers, and where they were read from. */
struct gmt_walk_state {
    uintptr_t pc; /* without authentication bits */
    uintptr_t sp;
    uintptr_t fp;
    uintptr_t pc_slot; /* 0 for the first state, which was read from nowhere */
    uintptr_t fp_slot; /* 0 when the frame inside left it alone */
};

struct gmt_walk_memory {
    bool busy;  /* a walk is under way in this thread: one in a signal handler goes without */
    bool ended; /* states[0] is the outermost frame; else the walk was cut there */
    uint32_t epoch;
    uint32_t count;
    uint64_t hash; /* of the whole stack */
    struct gmt_walk_state states[GMT_WALK_MEMORY_STATES];
};

/* States met in the current walk before it joined the remembered ones, innermost first. */
struct gmt_walk_fresh {
    uint32_t count;
    bool unusable; /* too many, or a frame whose registers cannot be checked by slots */
    struct gmt_walk_state states[GMT_WALK_MEMORY_STATES];
};

static inline void gmt_walk_fresh_push(struct gmt_walk_fresh *fresh, const struct gmt_walk_state *state)
{
    if (fresh->count == GMT_WALK_MEMORY_STATES)
        fresh->unusable = true;
    else
        fresh->states[fresh->count++] = *state;
}

/* The index of the remembered state that equals `state`, or -1. `*from` is where the search stands: states from it on
 * are known to lie further in. Start with the count; both walks go outward, so it only falls. */
static inline int gmt_walk_memory_find(const struct gmt_walk_memory *memory, uint32_t *from,
                                       const struct gmt_walk_state *state)
{
    while (*from > 0 && memory->states[*from - 1].sp < state->sp)
        --*from;
    if (*from == 0)
        return -1;
    const struct gmt_walk_state *met = &memory->states[*from - 1];
    return met->sp == state->sp && met->pc == state->pc && met->fp == state->fp ? (int)*from - 1 : -1;
}

/* After a walk: `kept` remembered states stay, the fresh ones go on top. */
static inline void gmt_walk_memory_store(struct gmt_walk_memory *memory, uint32_t kept,
                                         const struct gmt_walk_fresh *fresh)
{
    if (fresh->unusable || kept + fresh->count > GMT_WALK_MEMORY_STATES) {
        memory->count = 0;
        return;
    }
    for (uint32_t i = 0; i < fresh->count; i++)
        memory->states[kept + fresh->count - 1 - i] = fresh->states[i];
    memory->count = kept + fresh->count;
}

#endif
