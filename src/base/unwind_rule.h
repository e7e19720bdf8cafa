/* The rule for a program counter, from a cache without locks: a rule is one word.
 *
 * An entry is two words that are written one after the other, without a lock: the second is the key scrambled with the
 * rule, so that a reader that meets halves of two entries sees a wrong key (Hyatt and Mann, "A lock-less transposition
 * table implementation", 2002). */
#ifndef GMT_BASE_UNWIND_RULE_H
#define GMT_BASE_UNWIND_RULE_H

#include <stdint.h>

#include "base/cfi.h"

/* A rule in one word: 2 bits kind, then the flags below, 24 bits CFA offset, 16 frame pointer, 16 return address;
 * offsets in units of 8 bytes, signed. Never 0. */
typedef uint64_t gmt_rule_word;

#define GMT_RULE_CFA_FROM_FP (1u << 2)
#define GMT_RULE_CFA_INDIRECT (1u << 3)
#define GMT_RULE_FP_SAVED (1u << 4)
#define GMT_RULE_RA_SAVED (1u << 5)
#define GMT_RULE_FP_FROM_FP (1u << 6)
#define GMT_RULE_KNOWN (1u << 7)

static inline unsigned gmt_rule_kind(gmt_rule_word word)
{
    return word & 3;
}

static inline intptr_t gmt_rule_cfa_offset(gmt_rule_word word)
{
    return (intptr_t)((int32_t)(word & 0xffffff00u) >> 8) * 8;
}

static inline intptr_t gmt_rule_fp_offset(gmt_rule_word word)
{
    return (intptr_t)(int16_t)(word >> 32) * 8;
}

static inline intptr_t gmt_rule_ra_offset(gmt_rule_word word)
{
    return (intptr_t)(int16_t)(word >> 48) * 8;
}

#define GMT_RULE_CACHE_BITS 14

struct gmt_rule_entry {
    gmt_rule_word rule;
    uint64_t check;
};

extern struct gmt_rule_entry gmt_rule_cache[1u << GMT_RULE_CACHE_BITS] __attribute__((visibility("hidden")));

static inline uint64_t gmt_rule_scramble(gmt_rule_word rule)
{
    rule *= 0x9e3779b97f4a7c15ull;
    return rule ^ rule >> 32;
}

static inline uint64_t gmt_rule_key(uintptr_t pc, uint32_t epoch)
{
    return (uint64_t)pc ^ (uint64_t)epoch << 48;
}

static inline struct gmt_rule_entry *gmt_rule_slot(uint64_t key)
{
    return &gmt_rule_cache[(key * 0x9e3779b97f4a7c15ull) >> (64 - GMT_RULE_CACHE_BITS)];
}

/* Works a rule out through dl_iterate_phdr and puts it into the cache. */
gmt_rule_word gmt_unwind_rule_miss(uintptr_t pc, uint32_t epoch);

/* The rule at `pc`, valid in code epoch `epoch`. A hit takes a few loads and no lock. Thread-safe, also in signal
 * handlers. */
static inline gmt_rule_word gmt_unwind_rule(uintptr_t pc, uint32_t epoch)
{
    uint64_t key = gmt_rule_key(pc, epoch);
    const struct gmt_rule_entry *entry = gmt_rule_slot(key);
    gmt_rule_word word = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
    uint64_t check = __atomic_load_n(&entry->check, __ATOMIC_RELAXED);
    if (__builtin_expect(word != 0 && (check ^ gmt_rule_scramble(word)) == key, 1))
        return word;
    return gmt_unwind_rule_miss(pc, epoch);
}

#endif
