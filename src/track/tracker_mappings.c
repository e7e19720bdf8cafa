/* Virtual memory: physical memory lives as long as a reference or a mapping holds it. Its node is in the index while
 * the program has a handle to it; afterwards its record is reached through the mappings that own it.
 *
 * An unmapping covers a range of mappings. They stay in the index, marked, until the driver has answered: another
 * thread may get the addresses before, and finds the mark. */
#include "track/freed_history.h"
#include "track/totals.h"
#include "track/tracker_state.h"

uint32_t gmt_tracker_mapped(struct gmt_tracker *tracker, const struct gmt_event *event, uint64_t handle)
{
    if (event->address == 0 || !gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t record = gmt_tracker_add_block(tracker, event);
    uint32_t memory = gmt_tracker_find(tracker, GMT_FAMILY_HANDLE, handle);
    if (record != GMT_NONE && memory != GMT_NONE) {
        GMT_BLOCK(tracker, record)->owner = memory;
        GMT_BLOCK(tracker, memory)->mappings++;
    }
    gmt_tracker_leave(tracker);
    return record;
}

void gmt_tracker_mapping_gone(struct gmt_tracker *tracker, uint32_t memory)
{
    if (memory == GMT_NONE)
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, memory);
    if (--block->mappings > 0 || block->references > 0 || block->state != GMT_BLOCK_LIVE)
        return;
    gmt_tracker_retire(tracker, memory, GMT_BLOCK_FREEING);
    gmt_tracker_recycle(tracker, memory);
}

/* The node of the mapping that `address` lies in, when one starts there. */
static struct gmt_block_node *mapping_at(struct gmt_tracker *tracker, uint64_t address)
{
    return gmt_block_index_find(&tracker->blocks, GMT_FAMILY_MAPPING, address);
}

/* A handle may be asked for by any address inside of a mapping. */
static uint32_t mapping_around(struct gmt_tracker *tracker, uint64_t address)
{
    struct gmt_block_node *node = mapping_at(tracker, address);
    if (node)
        return gmt_block_node_record(node);
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
        if (block->state == GMT_BLOCK_LIVE && block->address <= address && address - block->address < block->bytes &&
            gmt_tracker_family(tracker, block) == GMT_FAMILY_MAPPING)
            return (uint32_t)i;
    }
    return GMT_NONE;
}

/* The memory that is mapped around `address` has the name `handle` now, maybe beside another one. GMT_NONE when there
 * is none, or no room for the name. */
static uint32_t name_memory(struct gmt_tracker *tracker, uint64_t handle, uint64_t address)
{
    uint32_t mapping = mapping_around(tracker, address);
    uint32_t memory = mapping == GMT_NONE ? GMT_NONE : GMT_BLOCK(tracker, mapping)->owner;
    if (memory == GMT_NONE)
        return GMT_NONE;
    if (!gmt_block_index_add(&tracker->blocks, &tracker->arena, GMT_FAMILY_HANDLE, handle, memory)) {
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return GMT_NONE;
    }
    gmt_freed_history_drop(&tracker->trace, GMT_FAMILY_HANDLE, handle);
    if (GMT_BLOCK(tracker, memory)->references > 0)
        tracker->second_names++;
    else
        GMT_BLOCK(tracker, memory)->address = handle;
    return memory;
}

void gmt_tracker_retained(struct gmt_tracker *tracker, uint64_t handle, uint64_t address)
{
    if (handle == 0 || !gmt_tracker_enter(tracker))
        return;
    uint32_t memory = gmt_tracker_find(tracker, GMT_FAMILY_HANDLE, handle);
    if (memory == GMT_NONE)
        memory = name_memory(tracker, handle, address);
    if (memory != GMT_NONE)
        GMT_BLOCK(tracker, memory)->references++;
    gmt_tracker_leave(tracker);
}

typedef void mapping_visitor(struct gmt_tracker *tracker, struct gmt_block_node *node);

/* Calls `visit` with the mappings that start in [at, end), by a walk over all records. */
static void each_mapping_behind_hole(struct gmt_tracker *tracker, uint64_t at, uint64_t end, mapping_visitor *visit)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
        bool there = block->state == GMT_BLOCK_LIVE || block->state == GMT_BLOCK_FREEING;
        if (!there || block->address < at || block->address >= end ||
            gmt_tracker_family(tracker, block) != GMT_FAMILY_MAPPING)
            continue;
        struct gmt_block_node *node = mapping_at(tracker, block->address);
        if (node && gmt_block_node_record(node) == i)
            visit(tracker, node);
    }
}

/* Calls `visit` with each mapping of the range. The driver takes whole mappings only, but holes between them too: from
 * the first one on one walk finds the rest, because a walk for each hole would keep the lock for seconds. */
static void each_mapping(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes, mapping_visitor *visit)
{
    uint64_t end = address + bytes < address ? UINT64_MAX : address + bytes;
    for (uint64_t at = address; at < end;) {
        struct gmt_block_node *node = mapping_at(tracker, at);
        uint64_t size = node ? GMT_BLOCK(tracker, gmt_block_node_record(node))->bytes : 0;
        if (size == 0) {
            each_mapping_behind_hole(tracker, at, end, visit);
            return;
        }
        visit(tracker, node);
        at = size < end - at ? at + size : end;
    }
}

static void mark(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    if (GMT_BLOCK(tracker, gmt_block_node_record(node))->state == GMT_BLOCK_LIVE)
        gmt_tracker_retire(tracker, gmt_block_node_record(node), GMT_BLOCK_FREEING);
}

static void unmap(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    uint32_t record = gmt_block_node_record(node);
    if (GMT_BLOCK(tracker, record)->state != GMT_BLOCK_FREEING)
        return; /* mapped anew meanwhile */
    gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
    gmt_block_node_drop(&tracker->arena, node);
    gmt_tracker_mapping_gone(tracker, GMT_BLOCK(tracker, record)->owner);
    gmt_tracker_recycle(tracker, record);
}

static void unmark(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    struct gmt_block_record *block = GMT_BLOCK(tracker, gmt_block_node_record(node));
    if (block->state != GMT_BLOCK_FREEING)
        return;
    struct gmt_site_record *site = GMT_SITE(tracker, block->site);
    __atomic_store_n(&block->state, GMT_BLOCK_LIVE, __ATOMIC_RELEASE);
    gmt_totals_restore(gmt_tracker_totals(tracker, site), site, block->bytes, gmt_tracker_time(tracker));
}

static void allow(struct gmt_tracker *tracker, struct gmt_block_node *node)
{
    GMT_BLOCK(tracker, gmt_block_node_record(node))->flags |= GMT_BLOCK_ACCESSIBLE;
}

static void visit_range(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes, mapping_visitor *visit)
{
    if (!gmt_tracker_enter(tracker))
        return;
    each_mapping(tracker, address, bytes, visit);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_unmap_begin(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes)
{
    visit_range(tracker, address, bytes, mark);
}

void gmt_tracker_unmap_commit(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes)
{
    visit_range(tracker, address, bytes, unmap);
}

void gmt_tracker_unmap_abort(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes)
{
    visit_range(tracker, address, bytes, unmark);
}

void gmt_tracker_accessible(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes)
{
    visit_range(tracker, address, bytes, allow);
}
