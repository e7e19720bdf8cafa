/* Call stacks, each stored once. Two levels: program counters as they were unwound (valid for one code epoch) lead to
 * the stack at once; below, (module, offset) frames find a stack again after code was unloaded and loaded elsewhere. */
#ifndef GMT_TRACK_STACK_TABLE_H
#define GMT_TRACK_STACK_TABLE_H

#include <stdint.h>

#include "base/unwind.h"
#include "track/module_table.h"

struct gmt_pcs_node;
struct gmt_frames_node;

struct gmt_stack_table {
    struct gmt_pcs_node *by_pcs;
    struct gmt_frames_node *by_frames;
    uint32_t epoch; /* code epoch of by_pcs */
};

/* The number of the stack, or GMT_NONE when there is no room for a new one (counted). `epoch` is the code epoch read
 * before the stack was unwound. Call it without the tracker's lock; it takes it (context->lock). */
uint32_t gmt_stack_table_intern(struct gmt_stack_table *table, const struct gmt_module_context *context,
                                const struct gmt_unwound *unwound, uint32_t epoch);

#endif
