/* The tracker's private data, shared by tracker*.c and the audit, and by nobody else. */
#ifndef GMT_TRACK_TRACKER_STATE_H
#define GMT_TRACK_TRACKER_STATE_H

#include "base/arena.h"
#include "base/lock.h"
#include "track/block_index.h"
#include "track/key_table.h"
#include "track/module_table.h"
#include "track/stack_table.h"
#include "track/trace.h"
#include "track/tracker.h"

struct gmt_tracker {
    struct gmt_lock lock; /* guards all of the following */
    struct gmt_trace trace;
    struct gmt_arena arena;
    struct gmt_block_index blocks;
    struct gmt_stack_table stacks;
    struct gmt_module_table modules;
    struct gmt_key_table sites;    /* stack, entry and kind, device */
    struct gmt_key_table failures; /* stack, entry and kind, code */
    struct gmt_key_table clients;  /* module */
    struct gmt_graph_plan *plans;  /* by handle: of graphs and executable graphs that allocate or free */
    uint32_t plan_count;           /* of them; read without the lock */
    uint32_t unused_block;         /* first of the chain of freed block records, linked by `site` */
    uint64_t open_ooms;            /* devices, a bit each, with out-of-memory records that no success followed yet */
    uint32_t variables;            /* live blocks that are part of a module */
    uint32_t second_names;         /* nodes in the index beyond one for each block */
    uint64_t context_epoch;
};

#define GMT_BLOCK(tracker, number) (&GMT_RECORDS(&(tracker)->trace, BLOCKS)[number])
#define GMT_SITE(tracker, number) (&GMT_RECORDS(&(tracker)->trace, SITES)[number])

/* All of the following: under the lock. */

/* The family of a block. */
static inline enum gmt_family gmt_tracker_family(struct gmt_tracker *tracker, const struct gmt_block_record *block)
{
    return gmt_kind_facts(GMT_SITE(tracker, block->site)->kind)->family;
}

/* The bit of a device in open_ooms; 0 when it is not known. */
static inline uint64_t gmt_tracker_device_bit(uint32_t device)
{
    return device < 64 ? (uint64_t)1 << device : 0;
}

/* Written last: a reader goes by it. */
static inline void gmt_tracker_set_state(struct gmt_block_record *block, enum gmt_block_state state)
{
    __atomic_store_n(&block->state, state, __ATOMIC_RELEASE);
}

/* The live block at `address` of `family`, or GMT_NONE. */
uint32_t gmt_tracker_find(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address);

/* Drops all nodes that lead to a block which has more than one. */
void gmt_tracker_drop_names(struct gmt_tracker *tracker, uint32_t record);

/* Records a block; see gmt_tracker_add. */
uint32_t gmt_tracker_add_block(struct gmt_tracker *tracker, const struct gmt_event *event);

/* What hangs on a block that is gone goes with it. */
void gmt_tracker_drop_dependents(struct gmt_tracker *tracker, uint32_t record);

/* A live block, its node still in the index, is given back: it leaves the totals, the index and its record. */
void gmt_tracker_remove_block(struct gmt_tracker *tracker, struct gmt_block_node *node, const struct gmt_event *event);

/* A block that left the totals is gone for good: its record can be used again. */
void gmt_tracker_recycle(struct gmt_tracker *tracker, uint32_t record);

/* One mapping less on physical memory; the last one gives it back when no reference is left. */
void gmt_tracker_mapping_gone(struct gmt_tracker *tracker, uint32_t memory);

/* Forgets what a graph or an executable graph would do. */
void gmt_tracker_graph_gone(struct gmt_tracker *tracker, uint64_t handle);

/* Everything that belongs to module `module` is gone with it. */
void gmt_tracker_variables_gone(struct gmt_tracker *tracker, uint32_t module);

/* A pool was destroyed. */
void gmt_tracker_pool_gone(struct gmt_tracker *tracker, uint64_t handle);

/* Counts a failure. `about` is the block it is about when that is in no index any more, else GMT_NONE. Its number, or
 * GMT_NONE. */
uint32_t gmt_tracker_record_failure(struct gmt_tracker *tracker, const struct gmt_event *event,
                                    enum gmt_failure_kind kind, uint32_t about);

/* Takes the lock of an open tracker. False when it is closed or the lock cannot be had (counted). */
bool gmt_tracker_enter(struct gmt_tracker *tracker);
void gmt_tracker_leave(struct gmt_tracker *tracker);

/* Nanoseconds since the trace began. The second also stamps the header, under the lock. */
uint64_t gmt_tracker_now(const struct gmt_tracker *tracker);
uint64_t gmt_tracker_time(struct gmt_tracker *tracker);

/* The totals that a site counts in, or NULL when its device is unknown. */
struct gmt_totals *gmt_tracker_totals(struct gmt_tracker *tracker, const struct gmt_site_record *site);

/* Moves a live block, whose node is out of the index, out of the totals and into `state`. */
void gmt_tracker_retire(struct gmt_tracker *tracker, uint32_t record, enum gmt_block_state state);

/* Walks everything and traps when a total differs from its records (builds with GMT_ASSERTIONS and tests). */
void gmt_tracker_audit(struct gmt_tracker *tracker);

#endif
