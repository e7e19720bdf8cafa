/* The walk. Each step turns a frame's registers into its caller's by one rule; memory is read only where it is known to
 * be mapped, so that a wrong rule or a smashed stack ends the walk and not the program. */
#include "base/unwind.h"

#include <stddef.h>

#include "base/syscall.h"
#include "base/unwind_rule.h"

#define PAGE ((uintptr_t)4096)
#define WORD sizeof(uintptr_t)

/* Part of a stack that is known to be mapped. Kept per thread, since a thread unwinds the same stack again and again.
 */
struct window {
    uintptr_t low;
    uintptr_t high;
};

static __thread struct window thread_window __attribute__((tls_model("initial-exec")));

/* Asks the kernel whether a word can be read: rt_sigprocmask copies its set in before it refuses the unknown `how`. */
static bool is_readable(uintptr_t address)
{
    return gmt_syscall(SYS_rt_sigprocmask, ~0L, address, NULL, 8) != -14 /* EFAULT */;
}

/* Makes sure that the word at `address`, outside of the window, can be read. */
static bool widen(struct window *window, uintptr_t address)
{
    uintptr_t page = address & ~(PAGE - 1);
    if (!is_readable(address))
        return false;
    if (page == window->high)
        window->high += PAGE;
    else if (page + PAGE == window->low)
        window->low = page;
    return true;
}

static inline bool read_word(struct window *window, uintptr_t address, uintptr_t *word_out)
{
    if (__builtin_expect(address % WORD != 0, 0))
        return false;
    if (__builtin_expect(address - window->low >= window->high - window->low, 0) && !widen(window, address))
        return false;
    *word_out = *(const uintptr_t *)address;
    return true;
}

enum step { STEPPED, AT_END, LOST };

static inline enum step step_frame(struct gmt_registers *registers, gmt_rule_word rule, struct window *window)
{
    uintptr_t base = rule & GMT_RULE_CFA_FROM_FP ? registers->fp : registers->sp;
    uintptr_t cfa = base + (uintptr_t)gmt_rule_cfa_offset(rule);
    uintptr_t pc;
    if (__builtin_expect(rule & GMT_RULE_CFA_INDIRECT, 0) && !read_word(window, cfa, &cfa))
        return LOST;
    if (__builtin_expect(rule & GMT_RULE_RA_SAVED, 1)) {
        if (!read_word(window, cfa + (uintptr_t)gmt_rule_ra_offset(rule), &pc))
            return LOST;
    } else {
#if defined(__aarch64__)
        pc = registers->lr;
        registers->lr = 0; /* good for the innermost frame only */
#else
        return LOST;
#endif
    }
    if (rule & GMT_RULE_FP_SAVED) {
        uintptr_t near = __builtin_expect(rule & GMT_RULE_FP_FROM_FP, 0) ? registers->fp : cfa;
        if (!read_word(window, near + (uintptr_t)gmt_rule_fp_offset(rule), &registers->fp))
            return LOST;
    }
    /* A stack grows down: the caller lies higher, or as high when a function without a frame left its address in a
     * register. */
    if (cfa < registers->sp || (cfa == registers->sp && (rule & GMT_RULE_RA_SAVED)))
        return LOST;
    registers->sp = cfa;
    registers->pc = gmt_strip_address(pc);
    return registers->pc == 0 ? AT_END : STEPPED;
}

static enum step step_signal(struct gmt_registers *registers, struct window *window)
{
    uintptr_t frame = registers->sp;
    if (!read_word(window, frame + GMT_SIGNAL_FRAME_FP, &registers->fp) ||
        !read_word(window, frame + GMT_SIGNAL_FRAME_SP, &registers->sp) ||
        !read_word(window, frame + GMT_SIGNAL_FRAME_PC, &registers->pc))
        return LOST;
    return registers->pc == 0 ? AT_END : STEPPED;
}

/* Code without rules (a JIT's, or hand-written): if it keeps a frame pointer, that leads on. */
static enum step step_frame_pointer(struct gmt_registers *registers, struct window *window)
{
    uintptr_t fp = registers->fp;
    uintptr_t next;
    uintptr_t pc;
    if (fp < registers->sp || !read_word(window, fp, &next) || !read_word(window, fp + WORD, &pc))
        return LOST;
    pc = gmt_strip_address(pc);
    if (next != 0 && next <= fp)
        return LOST;
    if (pc < PAGE)
        return pc == 0 ? AT_END : LOST;
    registers->fp = next;
    registers->sp = fp + 2 * WORD;
    registers->pc = pc;
    return STEPPED;
}

/* One step outward. `exact` says that pc is an instruction that was interrupted, and not a return address. */
static inline enum step step(struct gmt_registers *registers, bool *exact, uint32_t epoch, struct window *window)
{
    gmt_rule_word rule = gmt_unwind_rule(registers->pc - !*exact, epoch);
    *exact = false;
    if (__builtin_expect(gmt_rule_kind(rule) == GMT_RULE_FRAME, 1))
        return step_frame(registers, rule, window);
    if (gmt_rule_kind(rule) == GMT_RULE_END)
        return AT_END;
    if (gmt_rule_kind(rule) == GMT_RULE_NONE)
        return step_frame_pointer(registers, window);
    *exact = true;
    return step_signal(registers, window);
}

void gmt_unwind(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, struct gmt_unwound *unwound_out)
{
    struct gmt_registers registers = *from;
    struct window window = thread_window;
    bool exact = true;
    if (registers.sp < window.low || registers.sp >= window.high) { /* another stack than last time */
        window.low = registers.sp & ~(PAGE - 1);
        window.high = window.low + PAGE;
    }
    unwound_out->depth = 0;
    unwound_out->cut = false;
    unwound_out->incomplete = false;
    uint64_t hash = 0;
    for (;;) {
        enum step result = step(&registers, &exact, epoch, &window);
        if (result != STEPPED) {
            unwound_out->incomplete = result == LOST;
            break;
        }
        if (unwound_out->depth == limit) {
            unwound_out->cut = true;
            break;
        }
        uintptr_t pc = registers.pc - !exact;
        unwound_out->pcs[unwound_out->depth++] = pc;
        hash = (hash ^ pc) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    unwound_out->hash = hash;
    thread_window = window;
}
