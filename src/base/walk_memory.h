/* What a thread's last walk met. The next walk mostly has the same outer frames: where it reaches a frame that it met
 * last time, with the same registers, each further frame needs one comparison (is the return address still in its
 * slot?) instead of a rule look-up that waits for the one before. Exact: equal registers and unchanged slots lead to
 * equal frames.
 *
 * States are kept innermost first, in two arrays: the last walk's, and the one that the current walk fills. */
#ifndef GMT_BASE_WALK_MEMORY_H
#define GMT_BASE_WALK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define GMT_WALK_MEMORY_STATES 66

/* A frame's registers, and where they were read from: half a cache line, because a walk writes one for each frame.
 * Slots are distances from sp, in bytes. */
struct gmt_walk_state {
    uintptr_t pc; /* without authentication bits */
    uintptr_t sp;
    uintptr_t fp;
    int32_t pc_slot;
    int32_t fp_slot : 30;
    bool fp_loaded : 1; /* fp was read from fp_slot; else the frame inside left it alone */
    bool uses_fp : 1;   /* the way out of this frame goes by its frame pointer */
};

struct gmt_walk_memory {
    bool busy;    /* a walk is under way in this thread: one in a signal handler goes without */
    bool ended;   /* the last state is the outermost frame; else the walk was cut there */
    uint8_t last; /* which array is the last walk's */
    uint32_t epoch;
    uint32_t count;
    uint64_t hash; /* of the whole stack */
    struct gmt_walk_state states[2][GMT_WALK_MEMORY_STATES];
};

/* States met in the current walk. */
struct gmt_walk_fresh {
    struct gmt_walk_state *states; /* NULL when nothing is to be remembered */
    uint32_t count;
    bool unusable; /* too many, or a frame whose registers cannot be checked by slots */
};

static inline void gmt_walk_fresh_push(struct gmt_walk_fresh *fresh, const struct gmt_walk_state *state)
{
    if (__builtin_expect(fresh->count == GMT_WALK_MEMORY_STATES || !fresh->states, 0))
        fresh->unusable = true;
    else
        fresh->states[fresh->count++] = *state;
}

/* The index of the remembered state with the same stack pointer and counter, or -1; the frame pointer may differ.
 * `*from` is where the search stands: states before it lie further in. Start with 0; both walks go outward, so it only
 * rises. */
static inline int gmt_walk_memory_find(const struct gmt_walk_memory *memory, uint32_t *from,
                                       const struct gmt_walk_state *state)
{
    const struct gmt_walk_state *states = memory->states[memory->last];
    while (*from < memory->count && states[*from].sp < state->sp)
        ++*from;
    if (*from == memory->count)
        return -1;
    return states[*from].sp == state->sp && states[*from].pc == state->pc ? (int)*from : -1;
}

/* After a walk: its states are the fresh ones and, from index `kept` on, the remembered ones. */
static inline void gmt_walk_memory_store(struct gmt_walk_memory *memory, uint32_t kept,
                                         const struct gmt_walk_fresh *fresh)
{
    uint32_t old = memory->count - kept;
    if (fresh->unusable || fresh->count + old > GMT_WALK_MEMORY_STATES) {
        memory->count = 0;
        return;
    }
    memcpy(&fresh->states[fresh->count], &memory->states[memory->last][kept], old * sizeof *fresh->states);
    memory->last = !memory->last;
    memory->count = fresh->count + old;
}

#endif
