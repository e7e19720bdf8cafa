/* Working rules out, and storing them. */
#include "base/unwind_rule.h"

#include "base/elf_image.h"
#include "base/registers.h"
#include "base/syscall.h"

#define UNIT 8

struct gmt_rule_entry gmt_rule_cache[1u << GMT_RULE_CACHE_BITS];

static bool fits(int32_t offset, int32_t limit)
{
    return offset % UNIT == 0 && offset / UNIT >= -limit && offset / UNIT < limit;
}

static gmt_rule_word pack(const struct gmt_rule *rule)
{
    if (!fits(rule->cfa_offset, 1 << 23) || !fits(rule->fp_offset, 1 << 15) || !fits(rule->ra_offset, 1 << 15))
        return GMT_RULE_NONE | GMT_RULE_KNOWN;
    return rule->kind | (rule->cfa_from_fp ? GMT_RULE_CFA_FROM_FP : 0) |
           (rule->cfa_indirect ? GMT_RULE_CFA_INDIRECT : 0) | (rule->fp_saved ? GMT_RULE_FP_SAVED : 0) |
           (rule->ra_saved ? GMT_RULE_RA_SAVED : 0) | (rule->fp_from_fp ? GMT_RULE_FP_FROM_FP : 0) | GMT_RULE_KNOWN |
           (uint64_t)((uint32_t)(rule->cfa_offset / UNIT) & 0xffffff) << 8 |
           (uint64_t)(uint16_t)(rule->fp_offset / UNIT) << 32 | (uint64_t)(uint16_t)(rule->ra_offset / UNIT) << 48;
}

struct lookup {
    uintptr_t pc;
    struct gmt_rule rule;
    bool signal_frame; /* its tables call the code a signal trampoline */
};

static int visit_object(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    struct lookup *lookup = argument;
    if (!gmt_elf_contains(info, lookup->pc))
        return 0;
    struct gmt_unwind_code code;
    if (gmt_eh_frame_find(info, lookup->pc, &code)) {
        lookup->rule = gmt_cfi_run(&code, lookup->pc);
        lookup->signal_frame = code.signal_frame;
    }
    return 1;
}

/* The code may lie outside of all objects: emulators put it into a page of its own, perhaps without a page before it.
 */
static bool is_trampoline(uintptr_t pc)
{
    return gmt_sys_is_readable(pc) && gmt_sys_is_readable(pc + GMT_SIGNAL_TRAMPOLINE_BYTES - sizeof(uint64_t)) &&
           gmt_is_signal_trampoline((const void *)pc);
}

gmt_rule_word gmt_unwind_rule_miss(uintptr_t pc, uint32_t epoch)
{
    struct lookup lookup = {.pc = pc, .rule = {.kind = GMT_RULE_NONE}};
    gmt_elf_each(visit_object, &lookup);
    /* The address looked up is one below the trampoline when a signal handler "returns" to it. */
    if ((lookup.rule.kind == GMT_RULE_NONE || lookup.signal_frame) && (is_trampoline(pc + 1) || is_trampoline(pc)))
        lookup.rule.kind = GMT_RULE_SIGNAL;
    gmt_rule_word word = pack(&lookup.rule);
    uint64_t key = gmt_rule_key(pc, epoch);
    struct gmt_rule_entry *entry = gmt_rule_slot(key);
    __atomic_store_n(&entry->rule, word, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->check, key ^ gmt_rule_scramble(word), __ATOMIC_RELAXED);
    return word;
}
