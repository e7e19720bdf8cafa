/* The cache: a rule fits into one word. An entry is two words that are written one after the other, without a lock: the
 * second is the key scrambled with the rule, so that a reader that meets halves of two entries sees a wrong key (Hyatt
 * and Mann, "A lock-less transposition table implementation", 2002). */
#include "base/unwind_rule.h"

#include "base/elf_image.h"
#include "base/registers.h"

#define CACHE_BITS 14
#define CACHE_ENTRIES (1u << CACHE_BITS)
#define UNIT 8 /* offsets are multiples of this */

struct entry {
    uint64_t rule;
    uint64_t check;
};

static struct entry cache[CACHE_ENTRIES];

/* Bits: 2 kind, 5 flags, 1 "known" (so that no valid word is 0), 24 CFA offset, 16 frame pointer, 16 return address. */
static uint64_t pack(const struct gmt_rule *rule)
{
    return (uint64_t)(rule->kind & 3) | (uint64_t)rule->cfa_from_fp << 2 | (uint64_t)rule->cfa_indirect << 3 |
           (uint64_t)rule->fp_saved << 4 | (uint64_t)rule->ra_saved << 5 | (uint64_t)rule->fp_from_fp << 6 | 1u << 7 |
           (uint64_t)((uint32_t)(rule->cfa_offset / UNIT) & 0xffffff) << 8 |
           (uint64_t)(uint16_t)(rule->fp_offset / UNIT) << 32 | (uint64_t)(uint16_t)(rule->ra_offset / UNIT) << 48;
}

static inline struct gmt_rule unpack(uint64_t word)
{
    return (struct gmt_rule){
        .kind = word & 3,
        .cfa_from_fp = word >> 2 & 1,
        .cfa_indirect = word >> 3 & 1,
        .fp_saved = word >> 4 & 1,
        .ra_saved = word >> 5 & 1,
        .fp_from_fp = word >> 6 & 1,
        .cfa_offset = ((int32_t)(word & 0xffffff00u) >> 8) * UNIT,
        .fp_offset = (int16_t)(word >> 32) * UNIT,
        .ra_offset = (int16_t)(word >> 48) * UNIT,
    };
}

static bool fits(int32_t offset, int32_t limit)
{
    return offset % UNIT == 0 && offset / UNIT >= -limit && offset / UNIT < limit;
}

static uint64_t scramble(uint64_t rule)
{
    rule *= 0x9e3779b97f4a7c15ull;
    return rule ^ rule >> 32;
}

struct lookup {
    uintptr_t pc;
    struct gmt_rule rule;
};

static int visit_object(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    struct lookup *lookup = argument;
    if (!gmt_elf_contains(info, lookup->pc))
        return 0;
    struct gmt_unwind_code code;
    bool found = gmt_eh_frame_find(info, lookup->pc, &code);
    /* The address looked up is one below the trampoline when a signal handler "returns" to it. */
    const char *place = (const char *)lookup->pc;
    if ((!found || code.signal_frame) && gmt_elf_contains(info, lookup->pc + GMT_SIGNAL_TRAMPOLINE_BYTES) &&
        (gmt_is_signal_trampoline(place) || gmt_is_signal_trampoline(place + 1)))
        lookup->rule.kind = GMT_RULE_SIGNAL;
    else if (found)
        lookup->rule = gmt_cfi_run(&code, lookup->pc);
    return 1;
}

static struct gmt_rule work_out(uintptr_t pc)
{
    struct lookup lookup = {.pc = pc, .rule = {.kind = GMT_RULE_NONE}};
    gmt_elf_each(visit_object, &lookup);
    const struct gmt_rule *rule = &lookup.rule;
    if (!fits(rule->cfa_offset, 1 << 23) || !fits(rule->fp_offset, 1 << 15) || !fits(rule->ra_offset, 1 << 15))
        return (struct gmt_rule){.kind = GMT_RULE_NONE};
    return lookup.rule;
}

struct gmt_rule gmt_unwind_rule(uintptr_t pc, uint32_t epoch)
{
    uint64_t key = (uint64_t)pc ^ (uint64_t)epoch << 48;
    struct entry *entry = &cache[(key * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS)];
    uint64_t word = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
    uint64_t check = __atomic_load_n(&entry->check, __ATOMIC_RELAXED);
    if (word != 0 && (check ^ scramble(word)) == key)
        return unpack(word);
    struct gmt_rule rule = work_out(pc);
    word = pack(&rule);
    __atomic_store_n(&entry->rule, word, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->check, key ^ scramble(word), __ATOMIC_RELAXED);
    return rule;
}
