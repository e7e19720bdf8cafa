/* See stack_cache.h. Set-associative: a loop that allocates at a few places by way of the same function has all of them
 * in one set. */
#include "base/stack_cache.h"

#include <stddef.h>

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
    uint32_t busy;
    uint32_t newest; /* the way that was found or filled last */
    struct way ways[WAYS];
};

static struct set sets[SETS];
static uint32_t generation = 1;

static struct set *set_of(const struct gmt_registers *from)
{
    uint64_t hash = (from->pc ^ (uint64_t)from->sp << 17) * 0x9e3779b97f4a7c15ull;
    return &sets[hash >> 56];
}

static bool take(struct set *set)
{
    return __atomic_exchange_n(&set->busy, 1, __ATOMIC_ACQUIRE) == 0;
}

static void give(struct set *set)
{
    __atomic_store_n(&set->busy, 0, __ATOMIC_RELEASE);
}

bool gmt_stack_cache_find(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, uint32_t *number_out)
{
    struct set *set = set_of(from);
    uint32_t now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    bool found = false;
    if (!take(set))
        return false;
    for (uint32_t i = 0; i < WAYS && !found; i++) {
        uint32_t place = (set->newest + i) % WAYS;
        const struct way *way = &set->ways[place];
        if (way->generation != now || way->epoch != epoch || way->limit != limit ||
            !gmt_walk_proof_holds(&way->proof, from))
            continue;
        *number_out = way->number;
        set->newest = place;
        found = true;
    }
    give(set);
    return found;
}

void gmt_stack_cache_add(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, uint32_t number)
{
    struct set *set = set_of(from);
    if (!take(set))
        return;
    uint32_t place = (set->newest + WAYS - 1) % WAYS;
    struct way *way = &set->ways[place];
    way->generation = 0;
    if (gmt_walk_proof_of_last(from, &way->proof)) {
        way->limit = limit;
        way->epoch = epoch;
        way->number = number;
        way->generation = __atomic_load_n(&generation, __ATOMIC_RELAXED);
        set->newest = place;
    }
    give(set);
}

void gmt_stack_cache_forget(void)
{
    for (unsigned i = 0; i < SETS; i++)
        give(&sets[i]); /* in a fork child: whoever held it is gone */
    if (__atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&generation, 1, __ATOMIC_RELAXED);
}
