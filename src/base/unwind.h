/* Call stacks of the calling thread: an own unwinder over .eh_frame, with frame pointers where there is none. Takes no
 * lock of ours, allocates nothing, never faults on a damaged stack, and stops quietly at what it does not understand.
 */
#ifndef GMT_BASE_UNWIND_H
#define GMT_BASE_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registers.h"

#define GMT_UNWIND_DEPTH_MAX 256

struct gmt_unwound {
    uint32_t depth;
    bool cut;                            /* outermost frames beyond the limit are missing */
    bool incomplete;                     /* stopped at code that it does not understand */
    bool repeated;                       /* the same stack as this thread's last walk */
    uint64_t hash;                       /* of pcs: equal stacks have equal ones */
    uintptr_t pcs[GMT_UNWIND_DEPTH_MAX]; /* innermost first; each is a return address less 1, so inside the call */
};

/* A stack of no frames; pcs are left as they are. */
static inline void gmt_unwound_clear(struct gmt_unwound *unwound)
{
    unwound->depth = 0;
    unwound->cut = unwound->incomplete = unwound->repeated = false;
    unwound->hash = 0;
}

/* The frames outside of the one that `from` was taken in (gmt_registers_here), innermost first. `epoch` is the current
 * code epoch; `limit` <= GMT_UNWIND_DEPTH_MAX. Safe in signal handlers. */
void gmt_unwind(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, struct gmt_unwound *unwound_out);

#endif
