/* What a walk depended on: the registers that it started from, and the words of the stack that it read. */
#ifndef GMT_BASE_WALK_PROOF_H
#define GMT_BASE_WALK_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registers.h"

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
