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

static bool read_word(struct window *window, uintptr_t address, uintptr_t *word_out)
{
    if (address % WORD != 0)
        return false;
    if (address < window->low || address >= window->high) {
        uintptr_t page = address & ~(PAGE - 1);
        if (!is_readable(address))
            return false;
        if (page == window->high)
            window->high += PAGE;
        else if (page + PAGE == window->low)
            window->low = page;
    }
    *word_out = *(const uintptr_t *)address;
    return true;
}

enum step { STEPPED, AT_END, LOST };

static enum step step_frame(struct gmt_registers *registers, const struct gmt_rule *rule, struct window *window)
{
    uintptr_t cfa = (rule->cfa_from_fp ? registers->fp : registers->sp) + (uintptr_t)(intptr_t)rule->cfa_offset;
    if (rule->cfa_indirect && !read_word(window, cfa, &cfa))
        return LOST;
    uintptr_t pc;
    if (rule->ra_saved) {
        if (!read_word(window, cfa + (uintptr_t)(intptr_t)rule->ra_offset, &pc))
            return LOST;
    } else {
#if defined(__aarch64__)
        pc = registers->lr;
        registers->lr = 0; /* good for the innermost frame only */
#else
        return LOST;
#endif
    }
    if (rule->fp_saved) {
        uintptr_t base = rule->fp_from_fp ? registers->fp : cfa;
        if (!read_word(window, base + (uintptr_t)(intptr_t)rule->fp_offset, &registers->fp))
            return LOST;
    }
    if (cfa < registers->sp ||
        (cfa == registers->sp && rule->ra_saved)) /* a stack grows down: the caller lies higher */
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
static enum step step(struct gmt_registers *registers, bool *exact, uint32_t epoch, struct window *window)
{
    struct gmt_rule rule = gmt_unwind_rule(registers->pc - !*exact, epoch);
    *exact = false;
    switch (rule.kind) {
    case GMT_RULE_FRAME:
        return step_frame(registers, &rule, window);
    case GMT_RULE_SIGNAL:
        *exact = true;
        return step_signal(registers, window);
    case GMT_RULE_END:
        return AT_END;
    default:
        return step_frame_pointer(registers, window);
    }
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
        unwound_out->pcs[unwound_out->depth++] = registers.pc - !exact;
    }
    thread_window = window;
}
