/* The walk. Each step turns a frame's registers into its caller's by one rule; memory is read only where it is known to
 * be mapped, so that a wrong rule or a smashed stack ends the walk and not the program. */
#include "base/unwind.h"

#include <stddef.h>

#include "base/syscall.h"
#include "base/unwind_rule.h"
#include "base/unwind_state.h"

#define PAGE ((uintptr_t)4096)
#define WORD sizeof(uintptr_t)

GMT_UNWIND_THREAD_LOCAL struct gmt_stack_window gmt_unwind_window;
GMT_UNWIND_THREAD_LOCAL struct gmt_walk_memory gmt_unwind_memory;

#define WIDEN_MAX (256 * PAGE)

/* Makes sure that the word at `address`, outside of the window, can be read. The window grows up to it, also over the
 * pages of a frame that is larger than one; only far from the window each word is asked for by itself. */
static bool widen(struct gmt_stack_window *window, uintptr_t address)
{
    if (address >= window->high && address - window->high < WIDEN_MAX) {
        while (window->high <= address && gmt_sys_is_readable(window->high))
            window->high += PAGE;
        return address < window->high;
    }
    if (!gmt_sys_is_readable(address))
        return false;
    if ((address & ~(PAGE - 1)) + PAGE == window->low)
        window->low -= PAGE;
    return true;
}

static inline bool read_word(struct gmt_stack_window *window, uintptr_t address, uintptr_t *word_out)
{
    if (__builtin_expect(address % WORD != 0, 0))
        return false;
    if (__builtin_expect(address - window->low >= window->high - window->low, 0) && !widen(window, address))
        return false;
    *word_out = *(const uintptr_t *)address;
    return true;
}

enum step {
    STEPPED,
    AT_END,  /* the code's tables say so */
    AT_ZERO, /* the end, too, but said by a slot that may hold something else next time */
    LOST,
};

#define SLOT_REACH ((uintptr_t)1 << 28) /* a slot further from its frame than this is not remembered */

/* A walk under way. */
struct walk {
    struct gmt_walk_state at; /* the frame reached */
    uintptr_t lr;             /* aarch64: return address of the innermost frame while it is in no slot */
    bool exact;               /* at.pc is an instruction that was interrupted, and not a return address */
    bool sp_is_bound;         /* at.sp is only known to be no higher than the frame's stack pointer */
    uint32_t epoch;
    uint32_t limit;
    struct gmt_stack_window window;
    struct gmt_walk_fresh fresh;
};

/* Only on processors where a frame record may lie anywhere in its frame. */
static inline bool sp_is_bound(const struct walk *walk)
{
    return !GMT_FRAME_RECORD_ENDS_FRAME && __builtin_expect(walk->sp_is_bound, 0);
}

/* Out of a frame whose stack pointer is not known: its frame pointer points to its record, if it keeps one. */
static bool find_sp(struct walk *walk, gmt_rule_word rule)
{
    struct gmt_walk_state *at = &walk->at;
    bool keeps_record = (rule & GMT_RULE_FP_SAVED) && (rule & GMT_RULE_RA_SAVED) && !(rule & GMT_RULE_FP_FROM_FP) &&
                        gmt_rule_ra_offset(rule) == gmt_rule_fp_offset(rule) + (intptr_t)WORD;
    uintptr_t cfa = at->fp - (uintptr_t)gmt_rule_fp_offset(rule);
    uintptr_t sp = cfa - (uintptr_t)gmt_rule_cfa_offset(rule);
    walk->sp_is_bound = false;
    if (rule & GMT_RULE_CFA_FROM_FP)
        return true; /* a rule that does without */
    if (!keeps_record || sp < at->sp || at->fp < sp || cfa <= at->fp)
        return false;
    at->sp = sp;
    return true;
}

static inline enum step step_frame(struct walk *walk, gmt_rule_word rule)
{
    struct gmt_walk_state *at = &walk->at;
    if (sp_is_bound(walk) && !find_sp(walk, rule))
        return LOST;
    uintptr_t cfa = (rule & GMT_RULE_CFA_FROM_FP ? at->fp : at->sp) + (uintptr_t)gmt_rule_cfa_offset(rule);
    if (__builtin_expect(rule & GMT_RULE_CFA_INDIRECT, 0)) {
        walk->fresh.unusable = true; /* the stack pointer comes from memory, too */
        if (!read_word(&walk->window, cfa, &cfa))
            return LOST;
    }
    bool ra_saved = rule & GMT_RULE_RA_SAVED;
    at->pc_slot = (int32_t)gmt_rule_ra_offset(rule);
    at->fp_loaded = false;
    if (__builtin_expect(ra_saved, 1)) {
        if (!read_word(&walk->window, cfa + (uintptr_t)gmt_rule_ra_offset(rule), &at->pc))
            return LOST;
    } else if (walk->lr != 0) {
        at->pc = walk->lr;
        walk->fresh.unusable = true;
    } else {
        return LOST;
    }
    walk->lr = 0;
    if (rule & GMT_RULE_FP_SAVED) {
        uintptr_t base = __builtin_expect(rule & GMT_RULE_FP_FROM_FP, 0) ? at->fp : cfa;
        uintptr_t slot = base + (uintptr_t)gmt_rule_fp_offset(rule);
        at->fp_loaded = true;
        at->fp_slot = (int32_t)(slot - cfa);
        walk->fresh.unusable |= slot - cfa + SLOT_REACH >= 2 * SLOT_REACH;
        if (!read_word(&walk->window, slot, &at->fp))
            return LOST;
    }
    /* A stack grows down: the caller lies higher, or as high when a function without a frame left its address in a
     * register. */
    if (cfa < at->sp || (cfa == at->sp && ra_saved))
        return LOST;
    at->sp = cfa;
    at->pc = gmt_strip_address(at->pc);
    return at->pc == 0 ? AT_ZERO : STEPPED;
}

static enum step step_signal(struct walk *walk)
{
    struct gmt_walk_state *at = &walk->at;
    uintptr_t frame = at->sp;
    walk->fresh.unusable = true;
    walk->exact = true;
    at->fp_loaded = false;
    if (sp_is_bound(walk) || !read_word(&walk->window, frame + GMT_SIGNAL_FRAME_FP, &at->fp) ||
        !read_word(&walk->window, frame + GMT_SIGNAL_FRAME_SP, &at->sp) ||
        !read_word(&walk->window, frame + GMT_SIGNAL_FRAME_PC, &at->pc))
        return LOST;
#if defined(__aarch64__)
    if (!read_word(&walk->window, frame + GMT_SIGNAL_FRAME_LR, &walk->lr))
        return LOST;
#endif
    return at->pc == 0 ? AT_ZERO : STEPPED;
}

/* Code without rules (a JIT's, or hand-written): if it keeps a frame pointer, that leads on. */
static enum step step_frame_pointer(struct walk *walk)
{
    struct gmt_walk_state *at = &walk->at;
    uintptr_t fp = at->fp;
    uintptr_t next;
    uintptr_t pc;
    if (fp < at->sp || !read_word(&walk->window, fp, &next) || !read_word(&walk->window, fp + WORD, &pc))
        return LOST;
    pc = gmt_strip_address(pc);
    if (next != 0 && next <= fp)
        return LOST;
    if (pc < PAGE)
        return pc == 0 ? AT_ZERO : LOST;
    *at = (struct gmt_walk_state){.pc = pc,
                                  .sp = fp + 2 * WORD,
                                  .fp = next,
                                  .pc_slot = -(int32_t)WORD,
                                  .fp_slot = -2 * (int32_t)WORD,
                                  .fp_loaded = true};
    walk->lr = 0;
    walk->sp_is_bound = !GMT_FRAME_RECORD_ENDS_FRAME;
    walk->fresh.unusable |= walk->sp_is_bound;
    return STEPPED;
}

/* One step outward; the frame that is left goes into memory. */
static inline enum step step(struct walk *walk)
{
    gmt_rule_word rule = gmt_unwind_rule(walk->at.pc - !walk->exact, walk->epoch);
    walk->exact = false;
    walk->at.uses_fp = (rule & (GMT_RULE_CFA_FROM_FP | GMT_RULE_FP_FROM_FP)) || gmt_rule_kind(rule) == GMT_RULE_NONE;
    gmt_walk_fresh_push(&walk->fresh, &walk->at);
    if (__builtin_expect(gmt_rule_kind(rule) == GMT_RULE_FRAME, 1))
        return step_frame(walk, rule);
    if (gmt_rule_kind(rule) == GMT_RULE_END)
        return AT_END;
    if (gmt_rule_kind(rule) == GMT_RULE_NONE)
        return step_frame_pointer(walk);
    return step_signal(walk);
}

static inline bool read_slot(const struct gmt_stack_window *window, uintptr_t slot, uintptr_t *word_out)
{
    if (slot - window->low >= window->high - window->low)
        return false;
    *word_out = *(const uintptr_t *)slot;
    return true;
}

/* Goes outward through remembered states from `index`, where the walk stands, as far as their slots still hold. Returns
 * the index of the last state that holds; *fp is the frame pointer there. */
static uint32_t follow(const struct walk *walk, const struct gmt_walk_memory *memory, uint32_t index, uintptr_t *fp,
                       struct gmt_unwound *out)
{
    const struct gmt_walk_state *states = memory->states[memory->last];
    uint32_t room = walk->limit - out->depth;
    while (index + 1 < memory->count && room-- > 0) {
        const struct gmt_walk_state *next = &states[index + 1];
        uintptr_t pc;
        if (states[index].uses_fp && *fp != states[index].fp)
            break;
        if (!read_slot(&walk->window, next->sp + (uintptr_t)(intptr_t)next->pc_slot, &pc) ||
            gmt_strip_address(pc) != next->pc)
            break;
        if (next->fp_loaded && !read_slot(&walk->window, next->sp + (uintptr_t)(intptr_t)next->fp_slot, fp))
            break;
        out->pcs[out->depth++] = next->pc - 1;
        index++;
    }
    return index;
}

enum join { JOINED_TO_END, JOINED_TO_LIMIT, JOINED_IN_PART, NOT_JOINED };

/* Tries to go on through the remembered states. In part means: the walk stands at a state further out and goes on from
 * there by rules, and the remembered states count as fresh. */
static enum join join(struct walk *walk, struct gmt_walk_memory *memory, uint32_t *search, uint32_t *kept_out,
                      struct gmt_unwound *out)
{
    int met = walk->exact && walk->fresh.count > 0 ? -1 : gmt_walk_memory_find(memory, search, &walk->at);
    if (met < 0)
        return NOT_JOINED;
    const struct gmt_walk_state *states = memory->states[memory->last];
    uintptr_t fp = walk->at.fp;
    uint32_t reached = follow(walk, memory, (uint32_t)met, &fp, out);
    bool all = reached + 1 == memory->count;
    bool from_start = walk->fresh.count == 0 && met == 0;
    if (all && from_start && (memory->ended || out->depth == walk->limit)) {
        *kept_out = 0;
        return memory->ended ? JOINED_TO_END : JOINED_TO_LIMIT;
    }
    bool to_end = all && memory->ended;
    if (!to_end && reached == (uint32_t)met) {
        ++*search;
        return NOT_JOINED;
    }
    /* The state met belongs to this walk: another frame led to it, from other slots. */
    walk->at.uses_fp = states[met].uses_fp;
    gmt_walk_fresh_push(&walk->fresh, &walk->at);
    if (to_end) {
        *kept_out = (uint32_t)met + 1;
        return JOINED_TO_END;
    }
    for (uint32_t i = (uint32_t)met + 1; i < reached; i++)
        gmt_walk_fresh_push(&walk->fresh, &states[i]);
    walk->at = states[reached];
    walk->at.fp = fp;
    walk->exact = false;
    walk->lr = 0;
    *search = reached + 1; /* further out the two may meet again */
    return JOINED_IN_PART;
}

/* A sum, so that the terms are independent of each other, but not of their order: recursion over a tree makes stacks by
 * the thousand that hold the same counters in another order. */
static uint64_t hash_of(const struct gmt_unwound *unwound)
{
    uint64_t hash = unwound->depth;
    for (uint32_t i = 0; i < unwound->depth; i++) {
        uint64_t term = (unwound->pcs[i] ^ i * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
        hash += term ^ term >> 32;
    }
    return hash ^ hash >> 29;
}

/* The walk proper. `memory` may be empty. */
static void run(struct walk *walk, struct gmt_walk_memory *memory, struct gmt_unwound *out)
{
    uint32_t search = 0;
    uint32_t kept = memory->count;
    bool ended = true;
    for (;;) {
        bool may_join = search < memory->count && !sp_is_bound(walk);
        enum join joined = may_join ? join(walk, memory, &search, &kept, out) : NOT_JOINED;
        if (joined == JOINED_TO_END || joined == JOINED_TO_LIMIT) {
            out->cut = joined == JOINED_TO_LIMIT;
            ended = joined == JOINED_TO_END;
            out->repeated = walk->fresh.count == 0 && kept == 0;
            break;
        }
        enum step result = step(walk);
        if (result != STEPPED) {
            out->incomplete = result == LOST;
            walk->fresh.unusable |= result != AT_END; /* what it met there may be different next time */
            break;
        }
        if (out->depth == walk->limit) {
            out->cut = true;
            ended = false;
            break;
        }
        out->pcs[out->depth++] = walk->at.pc - !walk->exact;
    }
    if (out->repeated) {
        out->hash = memory->hash;
        return;
    }
    out->hash = hash_of(out);
    if (!walk->fresh.states)
        return;
    gmt_walk_memory_store(memory, kept, &walk->fresh);
    memory->ended = ended;
    memory->hash = out->hash;
    memory->epoch = walk->epoch;
}

void gmt_unwind(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, struct gmt_unwound *unwound_out)
{
    struct walk walk;
    walk.at = (struct gmt_walk_state){.pc = from->pc, .sp = from->sp, .fp = from->fp};
    walk.lr = 0;
#if defined(__aarch64__)
    walk.lr = from->lr;
#endif
    walk.exact = true;
    walk.sp_is_bound = false;
    walk.epoch = epoch;
    walk.limit = limit;
    walk.window = gmt_unwind_window;
    walk.fresh = (struct gmt_walk_fresh){.states = NULL};
    if (from->sp < walk.window.low || from->sp >= walk.window.high) { /* another stack than last time */
        walk.window.low = from->sp & ~(PAGE - 1);
        walk.window.high = walk.window.low + PAGE;
    }
    gmt_unwound_clear(unwound_out);

    struct gmt_walk_memory *memory = &gmt_unwind_memory;
    if (memory->busy) {                     /* a signal handler inside a walk */
        static struct gmt_walk_memory none; /* stays empty */
        run(&walk, &none, unwound_out);
        return;
    }
    memory->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (memory->epoch != epoch)
        memory->count = 0;
    walk.fresh.states = memory->states[!memory->last];
    run(&walk, memory, unwound_out);
    gmt_unwind_window = walk.window;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memory->busy = false;
}
