/* Call stacks of the calling thread. No lock of ours is ever held while one is taken. */
#ifndef GMT_BASE_UNWIND_H
#define GMT_BASE_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

#define GMT_UNWIND_DEPTH_MAX 256

struct gmt_unwound {
    uintptr_t pcs[GMT_UNWIND_DEPTH_MAX]; /* innermost first; each is a return address less 1 */
    uint32_t depth;
    bool cut;        /* outermost frames beyond the limit are missing */
    bool incomplete; /* stopped at code that it does not understand */
};

/* Takes the stack from `caller` outward: `caller` is the return address of the hooked function, so that the tracer's
 * own frames are left out. `limit` <= GMT_UNWIND_DEPTH_MAX. */
void gmt_unwind(const void *caller, uint32_t limit, struct gmt_unwound *unwound_out);

/* Makes the unwinder do its first-use work (loading, tables) now, outside any hook. */
void gmt_unwind_warm_up(void);

#endif
