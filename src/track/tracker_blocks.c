/* Blocks: taken, freed, put back when the free failed, ended with their context. */
#include "base/assert.h"
#include "track/totals.h"
#include "track/tracker_state.h"

/* Finds or makes the call site of an allocation. */
static uint32_t site_of(struct gmt_tracker *tracker, const struct gmt_event *event, uint64_t now)
{
    struct gmt_key key = {event->stack, (uint32_t)event->entry << 8 | event->kind, event->device, 0};
    uint32_t index = gmt_key_table_find(&tracker->sites, key);
    if (index != GMT_NONE)
        return index;
    index = gmt_trace_append(&tracker->trace, GMT_SECTION_SITES, 1);
    if (index == GMT_NONE) {
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_SITES_FULL);
        return GMT_NONE;
    }
    if (gmt_key_table_add(&tracker->sites, &tracker->arena, key, index) != 0)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY); /* usable, but the next event makes another one */
    struct gmt_site_record *site = &GMT_RECORDS(&tracker->trace, SITES)[index];
    site->stack = event->stack;
    site->entry = event->entry;
    site->kind = event->kind;
    site->device = event->device;
    site->first_ns = now;
    const struct gmt_totals *totals = gmt_tracker_totals(tracker, site);
    site->at_peak_generation = totals ? totals->peak_generation : 0; /* held nothing at the mark */
    __atomic_store_n(&site->state, 1, __ATOMIC_RELEASE);
    return index;
}

static void set_state(struct gmt_block_record *block, enum gmt_block_state state)
{
    __atomic_store_n(&block->state, state, __ATOMIC_RELEASE);
}

static uint32_t unused_record(struct gmt_tracker *tracker)
{
    uint32_t record = tracker->unused_block;
    if (record != GMT_NONE) {
        tracker->unused_block = GMT_RECORDS(&tracker->trace, BLOCKS)[record].site;
        return record;
    }
    record = gmt_trace_append(&tracker->trace, GMT_SECTION_BLOCKS, 1);
    if (record == GMT_NONE)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_BLOCKS_FULL);
    return record;
}

static void recycle_record(struct gmt_tracker *tracker, uint32_t record)
{
    struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[record];
    set_state(block, GMT_BLOCK_UNUSED);
    block->site = tracker->unused_block;
    tracker->unused_block = record;
}

void gmt_tracker_retire(struct gmt_tracker *tracker, uint32_t record, enum gmt_block_state state)
{
    struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[record];
    struct gmt_site_record *site = &GMT_RECORDS(&tracker->trace, SITES)[block->site];
    GMT_ASSERT(block->state == GMT_BLOCK_LIVE);
    gmt_totals_remove(gmt_tracker_totals(tracker, site), site, block->bytes);
    set_state(block, state);
}

/* The driver handed out an address that is still live here: its free went past the hooks. */
static void drop_stale(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    uint32_t record = gmt_block_node_record(node);
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
    recycle_record(tracker, record);
    gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_ADDRESS_REUSED);
}

static void note_recovery(struct gmt_tracker *tracker, uint32_t device)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_OOMS].used;
    for (uint64_t i = 0; i < count && tracker->open_ooms > 0; i++) {
        struct gmt_oom_record *oom = &GMT_RECORDS(&tracker->trace, OOMS)[i];
        if (oom->later_success || oom->device != device)
            continue;
        oom->later_success = 1;
        tracker->open_ooms--;
    }
}

static void add_block(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    uint64_t now = gmt_tracker_time(tracker);
    if (tracker->open_ooms > 0)
        note_recovery(tracker, event->device);
    struct gmt_block_node *stale = gmt_block_index_find(&tracker->blocks, event->address);
    if (stale)
        drop_stale(tracker, stale);
    uint32_t site = site_of(tracker, event, now);
    uint32_t record = site == GMT_NONE ? GMT_NONE : unused_record(tracker);
    if (record == GMT_NONE)
        return;
    if (!gmt_block_index_add(&tracker->blocks, &tracker->arena, event->address, record)) {
        recycle_record(tracker, record);
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return;
    }
    struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[record];
    block->address = event->address;
    block->bytes = event->bytes;
    block->time_ns = now;
    block->sequence = ++tracker->trace.header->next_sequence;
    block->site = site;
    block->context = event->context;
    block->thread = event->thread;
    set_state(block, GMT_BLOCK_LIVE);
    struct gmt_site_record *record_of_site = &GMT_RECORDS(&tracker->trace, SITES)[site];
    gmt_totals_add(gmt_tracker_totals(tracker, record_of_site), record_of_site, event->bytes, now);
}

void gmt_tracker_add(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker)) /* a request of 0 bytes may succeed with null */
        return;
    add_block(tracker, event);
    gmt_tracker_leave(tracker);
}

struct gmt_block_node *gmt_tracker_free_begin(struct gmt_tracker *tracker, uint64_t address)
{
    if (address == 0 || !gmt_tracker_enter(tracker))
        return NULL;
    struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, address);
    if (node) {
        gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
        gmt_tracker_retire(tracker, gmt_block_node_record(node), GMT_BLOCK_FREEING);
    }
    gmt_tracker_leave(tracker);
    return node;
}

void gmt_tracker_free_commit(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    if (!gmt_tracker_enter(tracker))
        return;
    gmt_tracker_time(tracker);
    recycle_record(tracker, gmt_block_node_record(node));
    gmt_block_node_drop(&tracker->arena, node);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_free_abort(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_block_node_record(node);
    struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[record];
    struct gmt_site_record *site = &GMT_RECORDS(&tracker->trace, SITES)[block->site];
    set_state(block, GMT_BLOCK_LIVE);
    gmt_totals_restore(gmt_tracker_totals(tracker, site), site, block->bytes, gmt_tracker_time(tracker));
    if (!gmt_block_index_put(&tracker->blocks, &tracker->arena, node))
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
    gmt_tracker_leave(tracker);
}
