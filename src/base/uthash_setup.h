/* uthash on the tracer's arena. Include this instead of uthash.h.
 *
 * A function that adds or deletes has two locals: `struct gmt_arena *arena`, where nodes' tables live, and
 * `bool hash_refused`, set when an addition found no memory (the element is then not in the table). */
#ifndef GMT_BASE_UTHASH_SETUP_H
#define GMT_BASE_UTHASH_SETUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(bytes) gmt_arena_take(arena, (bytes))
#define uthash_free(memory, bytes) gmt_arena_give(arena, (memory), (bytes))
#define uthash_nonfatal_oom(element) (hash_refused = true)
#include <uthash.h>

/* A hash of a 64-bit key: Fibonacci hashing, the upper half of the product (Knuth, TAOCP vol. 3, 6.4). */
static inline uint64_t gmt_hash_u64(uint64_t key)
{
    return (key ^ (key >> 29)) * 0x9e3779b97f4a7c15ull;
}

/* A hash of `count` 64-bit words; order matters. */
static inline uint64_t gmt_hash_words(const uint64_t *words, size_t count)
{
    uint64_t hash = 0x9e3779b97f4a7c15ull ^ count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ words[i]) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
