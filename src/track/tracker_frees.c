/* Blocks and objects that are given back, and put back when that failed. While the driver is at it the record belongs
 * to the free: it is FREEING, or mappings hold it and the free counts as one of them. */
#include "track/freed_history.h"
#include "track/totals.h"
#include "track/tracker_state.h"

/* Remembers who gave it back. */
static void remember(struct gmt_tracker *tracker, uint32_t record, const struct gmt_event *event)
{
    const struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    struct gmt_site_record *site = GMT_SITE(tracker, block->site);
    site->freed_stack = event->stack;
    site->freed_entry = event->entry;
    struct gmt_freed_record freed = {.address = block->address,
                                     .bytes = block->bytes,
                                     .time_ns = gmt_tracker_time(tracker),
                                     .site = block->site,
                                     .stack = event->stack,
                                     .family = gmt_tracker_family(tracker, block),
                                     .thread = event->thread};
    gmt_freed_history_add(&tracker->trace, &freed);
    if (block->flags & GMT_BLOCK_EXPORTED) {
        struct gmt_event export = *event;
        export.address = block->address;
        export.code = 0;
        gmt_tracker_record_failure(tracker, &export, GMT_FAILURE_EXPORTED, record);
    }
}

/* A block in no index and no total is gone. */
static void finish(struct gmt_tracker *tracker, uint32_t record)
{
    gmt_tracker_drop_dependents(tracker, record);
    gmt_tracker_recycle(tracker, record);
}

void gmt_tracker_remove_block(struct gmt_tracker *tracker, struct gmt_block_node *node, const struct gmt_event *event)
{
    uint32_t record = gmt_block_node_record(node);
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
    remember(tracker, record, event);
    finish(tracker, record);
}

bool gmt_tracker_free_begin(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address,
                            struct gmt_taken *taken_out)
{
    *taken_out = (struct gmt_taken){.node = NULL};
    if (address == 0 || !gmt_tracker_enter(tracker))
        return false;
    struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, family, address);
    if (node) {
        uint32_t record = gmt_block_node_record(node);
        struct gmt_block_record *block = GMT_BLOCK(tracker, record);
        taken_out->node = node;
        taken_out->sequence = block->sequence;
        taken_out->record = record;
        taken_out->reference_only = block->references > 1;
        block->references--;
        if (!taken_out->reference_only) {
            gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
            if (tracker->second_names > 0 && family == GMT_FAMILY_HANDLE) /* a walk over the whole index */
                gmt_tracker_drop_names(tracker, record);
            if (block->mappings > 0)
                block->mappings++; /* the free's own: another thread may unmap the last one meanwhile */
            else
                gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
        }
    }
    gmt_tracker_leave(tracker);
    return node != NULL;
}

/* Puts a block whose free is over back: it has references. Its address cannot be somebody else's, unless two threads
 * gave it back at once and it was handed out again. */
static void put_back(struct gmt_tracker *tracker, struct gmt_taken *taken)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, taken->record);
    const struct gmt_context_record *contexts = GMT_RECORDS(&tracker->trace, CONTEXTS);
    uint32_t other = gmt_tracker_find(tracker, gmt_tracker_family(tracker, block), gmt_block_node_address(taken->node));
    bool ended = block->context != GMT_NONE && contexts[block->context].state != GMT_CONTEXT_LIVE;
    if (block->state == GMT_BLOCK_FREEING && (other != GMT_NONE || ended)) {
        gmt_block_node_drop(&tracker->arena, taken->node);
        if (ended) {
            gmt_tracker_set_state(block, GMT_BLOCK_ENDED);
            return;
        }
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_ADDRESS_REUSED);
        finish(tracker, taken->record);
        return;
    }
    if (block->state == GMT_BLOCK_FREEING) {
        struct gmt_site_record *site = GMT_SITE(tracker, block->site);
        gmt_tracker_set_state(block, GMT_BLOCK_LIVE);
        gmt_totals_restore(gmt_tracker_totals(tracker, site), site, block->bytes, gmt_tracker_time(tracker));
    }
    if (other != GMT_NONE) /* the same memory: retained anew, and found by that already */
        gmt_block_node_drop(&tracker->arena, taken->node);
    else if (!gmt_block_index_put(&tracker->blocks, &tracker->arena, taken->node))
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
}

void gmt_tracker_free_commit(struct gmt_tracker *tracker, struct gmt_taken *taken, const struct gmt_event *event)
{
    if (taken->reference_only || !gmt_tracker_enter(tracker))
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, taken->record);
    bool mapped = block->state == GMT_BLOCK_LIVE;
    block->mappings -= mapped;
    if (block->references > 0) { /* came meanwhile */
        put_back(tracker, taken);
    } else {
        gmt_block_node_drop(&tracker->arena, taken->node);
        remember(tracker, taken->record, event);
        if (mapped && block->mappings == 0)
            gmt_tracker_retire(tracker, taken->record, GMT_BLOCK_FREEING);
        if (block->mappings == 0)
            finish(tracker, taken->record);
    }
    gmt_tracker_leave(tracker);
}

/* Whether a record is still that of the block whose reference was taken: its last one may have gone since. */
static bool is_still(const struct gmt_block_record *block, const struct gmt_taken *taken)
{
    return block->sequence == taken->sequence && (block->state == GMT_BLOCK_LIVE || block->state == GMT_BLOCK_FREEING);
}

void gmt_tracker_free_abort(struct gmt_tracker *tracker, struct gmt_taken *taken)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, taken->record);
    if (!taken->reference_only) {
        block->references++;
        block->mappings -= block->state == GMT_BLOCK_LIVE;
        put_back(tracker, taken);
    } else if (is_still(block, taken)) {
        block->references++;
    }
    gmt_tracker_leave(tracker);
}

void gmt_tracker_free_late(struct gmt_tracker *tracker, struct gmt_taken *taken, const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, taken->record);
    bool known = !taken->reference_only || is_still(block, taken);
    gmt_tracker_record_failure(tracker, event, GMT_FAILURE_LATE, known ? taken->record : GMT_NONE);
    if (!taken->reference_only) {
        if (block->state == GMT_BLOCK_LIVE) { /* held by mappings */
            block->mappings--;
            gmt_tracker_retire(tracker, taken->record, GMT_BLOCK_FREEING);
        }
        gmt_tracker_set_state(block, GMT_BLOCK_LATE);
        gmt_block_node_drop(&tracker->arena, taken->node);
    }
    gmt_tracker_leave(tracker);
}

void gmt_tracker_exported(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_tracker_find(tracker, event->family, event->address);
    if (record != GMT_NONE) {
        GMT_BLOCK(tracker, record)->note_stack = event->stack;
        GMT_BLOCK(tracker, record)->flags |= GMT_BLOCK_EXPORTED;
    }
    gmt_tracker_leave(tracker);
}
