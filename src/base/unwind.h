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

#define GMT_WALK_PROOF_WORDS 96

/* All that a walk depends on: while it holds, a walk from the same registers, with the same limit and in the same code
 * epoch, meets the same frames. */
struct gmt_walk_proof {
    struct gmt_registers from;
    bool needs_fp;                            /* the frame pointer of `from` counts */
    uint32_t word_count;                      /* of the stack that were read */
    uint32_t distances[GMT_WALK_PROOF_WORDS]; /* of the words above from.sp, in bytes */
    uintptr_t words[GMT_WALK_PROOF_WORDS];
};

/* What this thread's last walk, which started from `from`, depended on. False when that cannot be said, or takes too
 * many words. */
bool gmt_walk_proof_of_last(const struct gmt_registers *from, struct gmt_walk_proof *proof_out);

/* Whether a proof holds for a walk of this thread from `from`. */
bool gmt_walk_proof_holds(const struct gmt_walk_proof *proof, const struct gmt_registers *from);

#endif
