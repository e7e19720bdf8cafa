/* Stacks by the compiler's unwinder, behind the interface that hides which one it is. */
#include "base/unwind.h"

#include <unwind.h>

struct walk {
    uintptr_t caller;
    uint32_t limit;
    bool inside; /* `caller` was reached */
    uint32_t skipped;
    struct gmt_unwound *unwound;
};

/* Frames of the tracer below the hooked function: a handful. Beyond this many, `caller` will not come any more (a tail
 * call replaced the frame), and what follows is recorded as it is. */
#define OWN_FRAMES_MAX 8

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    struct gmt_unwound *unwound = walk->unwound;
    int before_instruction = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
    if (pc == 0)
        return _URC_END_OF_STACK;
    if (!walk->inside) {
        walk->inside = pc == walk->caller || ++walk->skipped > OWN_FRAMES_MAX;
        if (!walk->inside)
            return _URC_NO_REASON;
    }
    if (unwound->depth == walk->limit) {
        unwound->cut = true;
        return _URC_END_OF_STACK;
    }
    unwound->pcs[unwound->depth++] = before_instruction ? pc : pc - 1;
    return _URC_NO_REASON;
}

void gmt_unwind(const void *caller, uint32_t limit, struct gmt_unwound *unwound_out)
{
    struct walk walk = {.caller = (uintptr_t)caller, .limit = limit, .unwound = unwound_out};
    unwound_out->depth = 0;
    unwound_out->cut = false;
    unwound_out->incomplete = false;
    if (limit == 0)
        return;
    _Unwind_Backtrace(step, &walk);
    if (unwound_out->depth == 0) { /* no unwind information at all: the caller itself is known */
        unwound_out->pcs[unwound_out->depth++] = (uintptr_t)caller - 1;
        unwound_out->incomplete = true;
    }
}

void gmt_unwind_warm_up(void)
{
    struct gmt_unwound unwound;
    gmt_unwind(__builtin_return_address(0), 4, &unwound);
}
