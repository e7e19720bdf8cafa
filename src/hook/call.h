/* One hooked call, from the wrapper's point of view: what to do before and after the real function. */
#ifndef GMT_HOOK_CALL_H
#define GMT_HOOK_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registers.h"
#include "hook/entry.h"
#include "track/tracker.h"

struct gmt_call {
    uint16_t entry;
    int32_t code;
    int saved_errno;
    const void *caller;                    /* return address of the wrapper */
    const struct gmt_registers *registers; /* of the wrapper: where stacks start from */
    uint64_t recorded;                     /* the thread's count of recorded events when the call began */
    uint64_t address;                      /* of a free */
    struct gmt_block_node *taken;          /* record of the block that a free has taken out */
    uint64_t outer_freeing;                /* what an outer hooked call of this thread frees */
    bool nested_free;                      /* an outer hooked call of this thread frees the same block */
};

/* True while every hook is a bare jump (option off=1). */
extern bool gmt_hooks_off;

/* The steps, in order. `begin` makes sure that the real function is known. Between `begin` and `returned` lies the real
 * call, and no lock is held there. After `end` errno is what the real function left. */
void gmt_call_begin(struct gmt_call *call, uint16_t entry, enum gmt_door door, const void *caller,
                    const struct gmt_registers *registers);
void gmt_call_returned(struct gmt_call *call, int32_t code);
void gmt_call_end(struct gmt_call *call);

/* Moves the counts of calls from before the trace was open into it. Called once when it is opened. */
void gmt_call_flush_early(struct gmt_tracker *tracker);

/* What each rule of entry_points.def does; all are called between `returned` and `end`, but free_begin before the call.
 */
void gmt_call_free_begin(struct gmt_call *call, uint64_t address);
void gmt_call_free_end(struct gmt_call *call);
void gmt_call_allocated(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes);
void gmt_call_failed(struct gmt_call *call, uint64_t request);
void gmt_call_initialised(struct gmt_call *call);
void gmt_call_context_retained(struct gmt_call *call, const void *handle, int device, bool primary);
void gmt_call_context_released(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state);
void gmt_call_context_ended(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state);

/* The function to hand out instead of `found`, which cuGetProcAddress returned for `symbol`. */
void *gmt_call_handed_out(struct gmt_call *call, const char *symbol, void *found);

#endif
