/* Blocks and objects: taken, looked up, replaced. How they are given back is in tracker_frees.c, contexts that end are
 * in tracker_contexts.c, mappings in tracker_mappings.c, the memory of graphs in tracker_graphs.c. */
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

uint32_t gmt_tracker_find(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address)
{
    const struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, family, address);
    return node ? gmt_block_node_record(node) : GMT_NONE;
}

void gmt_tracker_drop_names(struct gmt_tracker *tracker, uint32_t record)
{
    tracker->second_names -= gmt_block_index_drop_record(&tracker->blocks, &tracker->arena, GMT_FAMILY_HANDLE, record);
}

void gmt_tracker_recycle(struct gmt_tracker *tracker, uint32_t record)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    gmt_tracker_set_state(block, GMT_BLOCK_UNUSED);
    block->site = tracker->unused_block;
    tracker->unused_block = record;
}

void gmt_tracker_retire(struct gmt_tracker *tracker, uint32_t record, enum gmt_block_state state)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    struct gmt_site_record *site = GMT_SITE(tracker, block->site);
    GMT_ASSERT(block->state == GMT_BLOCK_LIVE);
    gmt_totals_remove(gmt_tracker_totals(tracker, site), site, block->bytes);
    gmt_tracker_set_state(block, state);
}

void gmt_tracker_drop_dependents(struct gmt_tracker *tracker, uint32_t record)
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

/* The driver handed out an address that is still live here: its free went past the hooks. A mapping that is being
 * unmapped stays in the index until that is over, and its address may come back before. Memory that mappings hold
 * outlives its handle. */
static void drop_stale(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    uint32_t record = gmt_block_node_record(node);
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    if (tracker->second_names > 0)
        gmt_tracker_drop_names(tracker, record);
    if (block->state == GMT_BLOCK_LIVE)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_ADDRESS_REUSED);
    if (block->mappings > 0) {
        block->references = 0;
        return;
    }
    if (block->state == GMT_BLOCK_LIVE)
        gmt_tracker_retire(tracker, record, GMT_BLOCK_FREEING);
    gmt_tracker_drop_dependents(tracker, record);
    gmt_tracker_recycle(tracker, record);
}

static void note_recovery(struct gmt_tracker *tracker, uint32_t device)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_OOMS].used;
    for (uint64_t i = 0; i < count; i++) {
        struct gmt_oom_record *oom = &GMT_RECORDS(&tracker->trace, OOMS)[i];
        if (oom->device == device)
            oom->later_success = 1;
    }
    tracker->open_ooms &= ~gmt_tracker_device_bit(device);
}

uint32_t gmt_tracker_add_block(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    uint64_t now = gmt_tracker_time(tracker);
    const struct gmt_kind_facts *facts = gmt_kind_facts(event->kind);
    if (tracker->open_ooms & gmt_tracker_device_bit(event->device))
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
    gmt_tracker_set_state(block, GMT_BLOCK_LIVE);
    gmt_totals_add(gmt_tracker_totals(tracker, GMT_SITE(tracker, site)), GMT_SITE(tracker, site), event->bytes, now);
    return record;
}

uint32_t gmt_tracker_add(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker)) /* a request of 0 bytes may succeed with null */
        return GMT_NONE;
    enum gmt_family family = gmt_kind_facts(event->kind)->family;
    if (family == GMT_FAMILY_GRAPH || family == GMT_FAMILY_GRAPH_EXEC)
        gmt_tracker_graph_gone(tracker, event->address); /* a new one has no nodes yet */
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
    if (!header || __atomic_load_n(&header->sections[GMT_SECTION_CONTEXTS].used, __ATOMIC_RELAXED) < 2 ||
        !gmt_tracker_enter(tracker))
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
