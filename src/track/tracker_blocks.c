/* Blocks and objects: taken, given back, put back when that failed. Contexts that end are in tracker_contexts.c,
 * mappings in tracker_mappings.c, the memory of graphs in tracker_graphs.c. */
#include "base/assert.h"
#include "track/freed_history.h"
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
    struct gmt_site_record *site = GMT_SITE(tracker, index);
    site->stack = event->stack;
    site->entry = event->entry;
    site->kind = event->kind;
    site->device = event->device;
    site->first_ns = now;
    site->freed_stack = GMT_NONE;
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
        tracker->unused_block = GMT_BLOCK(tracker, record)->site;
        return record;
    }
    record = gmt_trace_append(&tracker->trace, GMT_SECTION_BLOCKS, 1);
    if (record == GMT_NONE)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_BLOCKS_FULL);
    return record;
}

enum gmt_family gmt_tracker_family(struct gmt_tracker *tracker, const struct gmt_block_record *block)
{
    return gmt_kind_facts(GMT_SITE(tracker, block->site)->kind)->family;
}

uint32_t gmt_tracker_find(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address)
{
    const struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, family, address);
    return node ? gmt_block_node_record(node) : GMT_NONE;
}

void gmt_tracker_recycle(struct gmt_tracker *tracker, uint32_t record)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    set_state(block, GMT_BLOCK_UNUSED);
    block->site = tracker->unused_block;
    tracker->unused_block = record;
}

void gmt_tracker_retire(struct gmt_tracker *tracker, uint32_t record, enum gmt_block_state state)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    struct gmt_site_record *site = GMT_SITE(tracker, block->site);
    GMT_ASSERT(block->state == GMT_BLOCK_LIVE);
    gmt_totals_remove(gmt_tracker_totals(tracker, site), site, block->bytes);
    set_state(block, state);
}

/* A block came back because its free failed. */
static void revive(struct gmt_tracker *tracker, uint32_t record)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    struct gmt_site_record *site = GMT_SITE(tracker, block->site);
    set_state(block, GMT_BLOCK_LIVE);
    gmt_totals_restore(gmt_tracker_totals(tracker, site), site, block->bytes, gmt_tracker_time(tracker));
}

/* What hangs on a block that is gone goes with it. */
static void drop_dependents(struct gmt_tracker *tracker, uint32_t record)
{
    const struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    switch (gmt_tracker_family(tracker, block)) {
    case GMT_FAMILY_MAPPING:
        gmt_tracker_mapping_gone(tracker, block->owner);
        break;
    case GMT_FAMILY_MODULE:
    case GMT_FAMILY_LIBRARY:
        gmt_tracker_variables_gone(tracker, record);
        break;
    case GMT_FAMILY_VARIABLE:
        tracker->variables--;
        break;
    case GMT_FAMILY_GRAPH:
    case GMT_FAMILY_GRAPH_EXEC:
        gmt_tracker_graph_gone(tracker, block->address);
        break;
    case GMT_FAMILY_POOL:
        gmt_tracker_pool_gone(tracker, block->address);
        break;
    default:
        break;
    }
}

/* A block in no index and no total is gone: remembers who gave it back. */
static void finish(struct gmt_tracker *tracker, uint32_t record, const struct gmt_event *event)
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
        uint32_t number = gmt_tracker_record_failure(tracker, &export, GMT_FAILURE_EXPORTED);
        if (number != GMT_NONE) {
            struct gmt_failure_record *failure = &GMT_RECORDS(&tracker->trace, FAILURES)[number];
            failure->near_site = block->site;
            failure->near_stack = block->note_stack;
            failure->near_address = block->address;
            failure->near_bytes = block->bytes;
        }
    }
    drop_dependents(tracker, record);
    gmt_tracker_recycle(tracker, record);
}

void gmt_tracker_remove_block(struct gmt_tracker *tracker, struct gmt_block_node *node, const struct gmt_event *event)
{
    uint32_t record = gmt_block_node_record(node);
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
    finish(tracker, record, event);
}

/* The driver handed out an address that is still live here: its free went past the hooks. A mapping that is being
 * unmapped stays in the index until that is over, and its address may come back before. */
static void drop_stale(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    uint32_t record = gmt_block_node_record(node);
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    if (GMT_BLOCK(tracker, record)->state == GMT_BLOCK_LIVE) {
        gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_ADDRESS_REUSED);
    }
    drop_dependents(tracker, record);
    gmt_tracker_recycle(tracker, record);
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

uint32_t gmt_tracker_add_block(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    uint64_t now = gmt_tracker_time(tracker);
    const struct gmt_kind_facts *facts = gmt_kind_facts(event->kind);
    if (tracker->open_ooms > 0)
        note_recovery(tracker, event->device);
    struct gmt_block_node *stale = gmt_block_index_find(&tracker->blocks, facts->family, event->address);
    if (stale)
        drop_stale(tracker, stale);
    gmt_freed_history_drop(&tracker->trace, facts->family, event->address);
    uint32_t site = site_of(tracker, event, now);
    uint32_t record = site == GMT_NONE ? GMT_NONE : unused_record(tracker);
    if (record == GMT_NONE)
        return GMT_NONE;
    if (!gmt_block_index_add(&tracker->blocks, &tracker->arena, facts->family, event->address, record)) {
        gmt_tracker_recycle(tracker, record);
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return GMT_NONE;
    }
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    *block = (struct gmt_block_record){
        .address = event->address,
        .bytes = event->bytes,
        .time_ns = now,
        .sequence = ++tracker->trace.header->next_sequence,
        .site = site,
        .context = facts->life == GMT_LIFE_CONTEXT ? event->context : GMT_NONE,
        .thread = event->thread,
        .state = GMT_BLOCK_UNUSED,
        .owner = GMT_NONE,
        .references = 1,
        .note_stack = GMT_NONE,
        .failed_next = GMT_NONE,
    };
    tracker->variables += facts->family == GMT_FAMILY_VARIABLE;
    set_state(block, GMT_BLOCK_LIVE);
    gmt_totals_add(gmt_tracker_totals(tracker, GMT_SITE(tracker, site)), GMT_SITE(tracker, site), event->bytes, now);
    return record;
}

uint32_t gmt_tracker_add(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker)) /* a request of 0 bytes may succeed with null */
        return GMT_NONE;
    uint32_t record = gmt_tracker_add_block(tracker, event);
    gmt_tracker_leave(tracker);
    return record;
}

uint32_t gmt_tracker_add_reference(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t record = gmt_tracker_find(tracker, gmt_kind_facts(event->kind)->family, event->address);
    if (record != GMT_NONE)
        GMT_BLOCK(tracker, record)->references++;
    else
        record = gmt_tracker_add_block(tracker, event);
    gmt_tracker_leave(tracker);
    return record;
}

uint32_t gmt_tracker_add_once(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_family owner_family,
                              uint64_t owner)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t record = gmt_tracker_find(tracker, gmt_kind_facts(event->kind)->family, event->address);
    if (record == GMT_NONE) {
        record = gmt_tracker_add_block(tracker, event);
        if (record != GMT_NONE)
            GMT_BLOCK(tracker, record)->owner = gmt_tracker_find(tracker, owner_family, owner);
    }
    gmt_tracker_leave(tracker);
    return record;
}

bool gmt_tracker_free_begin(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address,
                            struct gmt_taken *taken_out)
{
    *taken_out = (struct gmt_taken){NULL, false};
    if (address == 0 || !gmt_tracker_enter(tracker))
        return false;
    struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, family, address);
    if (node) {
        uint32_t record = gmt_block_node_record(node);
        struct gmt_block_record *block = GMT_BLOCK(tracker, record);
        *taken_out = (struct gmt_taken){node, block->references > 1};
        block->references--;
        if (!taken_out->reference_only) {
            gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
            if (block->mappings == 0)
                gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
        }
    }
    gmt_tracker_leave(tracker);
    return node != NULL;
}

void gmt_tracker_free_commit(struct gmt_tracker *tracker, struct gmt_taken *taken, const struct gmt_event *event)
{
    if (taken->reference_only || !gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_block_node_record(taken->node);
    gmt_block_node_drop(&tracker->arena, taken->node);
    if (GMT_BLOCK(tracker, record)->state == GMT_BLOCK_FREEING) /* else mappings hold it */
        finish(tracker, record, event);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_free_abort(struct gmt_tracker *tracker, struct gmt_taken *taken)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_block_node_record(taken->node);
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    block->references++;
    if (block->state == GMT_BLOCK_FREEING)
        revive(tracker, record);
    if (!taken->reference_only && !gmt_block_index_put(&tracker->blocks, &tracker->arena, taken->node))
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_free_late(struct gmt_tracker *tracker, struct gmt_taken *taken)
{
    if (taken->reference_only || !gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_block_node_record(taken->node);
    if (GMT_BLOCK(tracker, record)->state == GMT_BLOCK_LIVE) /* held by mappings */
        gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
    set_state(GMT_BLOCK(tracker, record), GMT_BLOCK_LATE);
    gmt_block_node_drop(&tracker->arena, taken->node);
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

bool gmt_tracker_is_live(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address)
{
    if (!gmt_tracker_enter(tracker))
        return false;
    bool live = gmt_tracker_find(tracker, family, address) != GMT_NONE;
    gmt_tracker_leave(tracker);
    return live;
}

void gmt_tracker_place_of(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address, uint32_t *context,
                          uint32_t *device)
{
    const struct gmt_trace_header *header = tracker->trace.header;
    if (!header || header->sections[GMT_SECTION_CONTEXTS].used < 2 || !gmt_tracker_enter(tracker))
        return;
    uint32_t record = gmt_tracker_find(tracker, family, address);
    if (record != GMT_NONE) {
        *context = GMT_BLOCK(tracker, record)->context;
        *device = GMT_SITE(tracker, GMT_BLOCK(tracker, record)->site)->device;
    }
    gmt_tracker_leave(tracker);
}

void gmt_tracker_variables_gone(struct gmt_tracker *tracker, uint32_t module)
{
    uint64_t count = tracker->variables > 0 ? tracker->trace.header->sections[GMT_SECTION_BLOCKS].used : 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
        if (block->state != GMT_BLOCK_LIVE || block->owner != module ||
            gmt_tracker_family(tracker, block) != GMT_FAMILY_VARIABLE)
            continue;
        struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, GMT_FAMILY_VARIABLE, block->address);
        struct gmt_event none = {.stack = GMT_NONE, .thread = GMT_NONE};
        if (node)
            gmt_tracker_remove_block(tracker, node, &none);
    }
}
