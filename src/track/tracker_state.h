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
    uint32_t unused_block;         /* first of the chain of freed block records, linked by `site` */
    uint32_t open_ooms;            /* out-of-memory records that no success followed yet */
    uint64_t context_epoch;
};

/* Takes the lock of an open tracker. False when it is closed or the lock cannot be had (counted). */
bool gmt_tracker_enter(struct gmt_tracker *tracker);
void gmt_tracker_leave(struct gmt_tracker *tracker);

/* Nanoseconds since the trace began; also stamps the header. Under the lock. */
uint64_t gmt_tracker_time(struct gmt_tracker *tracker);

/* The totals that a site counts in, or NULL when its device is unknown. */
struct gmt_totals *gmt_tracker_totals(struct gmt_tracker *tracker, const struct gmt_site_record *site);

/* Moves a live block, whose node is out of the index, out of the totals and into `state`. Under the lock. */
void gmt_tracker_retire(struct gmt_tracker *tracker, uint32_t record, enum gmt_block_state state);

/* Walks everything and traps when a total differs from its records (builds with GMT_ASSERTIONS and tests). */
void gmt_tracker_audit(struct gmt_tracker *tracker);

#endif
