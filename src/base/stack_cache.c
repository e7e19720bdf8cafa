/* See stack_cache.h. Set-associative: a loop that allocates at a few places by way of the same function has all of them
 * in one set. A set is written under its lock and read without: a reader that met a writer counts as a miss. */
#include "base/stack_cache.h"

#include <stddef.h>

#include "base/walk_proof.h"

#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic ignored                                                                                         \
    "-Wtsan" /* it does not know fences; what they order here is not looked at by it anyway */
#endif

#define SETS 256u
#define WAYS 4u

struct way {
    struct gmt_walk_proof proof;
    uint32_t limit;
    uint32_t epoch;
    uint32_t generation; /* 0 marks an unused one */
    uint32_t number;
};

struct set {
    uint32_t version;     /* odd while a writer is at it */
    uint32_t newest;      /* the way that was found or filled last */
    uint32_t after[WAYS]; /* which way was found after this one: a loop meets its places in turn */
    struct way ways[WAYS];
};

static struct set sets[SETS];
static uint32_t generation = 1;

static struct set *set_of(const struct gmt_registers *from)
{
    uint64_t hash = (from->pc ^ (uint64_t)from->sp << 17) * 0x9e3779b97f4a7c15ull;
    return &sets[hash >> 56];
}

/* Hints: any value is right, and one that another thread has just written is as good. */
static uint32_t hint(const uint32_t *hint_in)
{
    return __atomic_load_n(hint_in, __ATOMIC_RELAXED) % WAYS;
}

static void note_found(struct set *set, uint32_t before, uint32_t found)
{
    if (hint(&set->after[before]) != found)
        __atomic_store_n(&set->after[before], found, __ATOMIC_RELAXED);
    if (before != found)
        __atomic_store_n(&set->newest, found, __ATOMIC_RELAXED);
}

/* The thread sanitizer cannot know that what was read is thrown away when the version has changed. */
__attribute__((no_sanitize("thread"))) bool gmt_stack_cache_find(const struct gmt_registers *from, uint32_t limit,
                                                                 uint32_t epoch, uint32_t *number_out)
{
    struct set *set = set_of(from);
    uint32_t version = __atomic_load_n(&set->version, __ATOMIC_ACQUIRE);
    uint32_t now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    uint32_t before = hint(&set->newest);
    uint32_t first = hint(&set->after[before]);
    if (version % 2 != 0)
        return false;
    for (uint32_t i = 0; i < WAYS; i++) {
        uint32_t place = first ^ i;
        const struct way *way = &set->ways[place];
        if (way->generation != now || way->epoch != epoch || way->limit != limit ||
            !gmt_walk_proof_holds(&way->proof, from))
            continue;
        uint32_t number = way->number;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&set->version, __ATOMIC_RELAXED) != version)
            return false;
        *number_out = number;
        note_found(set, before, place);
        return true;
    }
    return false;
}

void gmt_stack_cache_add(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, uint32_t number)
{
    struct gmt_walk_proof proof;
    struct set *set = set_of(from);
    uint32_t version = __atomic_load_n(&set->version, __ATOMIC_RELAXED);
    if (version % 2 != 0 || !gmt_walk_proof_of_last(from, &proof) ||
        !__atomic_compare_exchange_n(&set->version, &version, version + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    uint32_t before = hint(&set->newest);
    uint32_t place = (before + 1) % WAYS;
    set->ways[place] = (struct way){proof, limit, epoch, __atomic_load_n(&generation, __ATOMIC_RELAXED), number};
    note_found(set, before, place);
    __atomic_store_n(&set->version, version + 2, __ATOMIC_RELEASE);
}

void gmt_stack_cache_forget(void)
{
    for (unsigned i = 0; i < SETS; i++)
        sets[i].version &=
            ~1u; /* in a fork child: whoever was writing is gone, and what it wrote has an old generation */
    if (__atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&generation, 1, __ATOMIC_RELAXED);
}
