/* Opening the tracker, and blocks: taken, freed, put back. */
#include "track/tracker.h"

#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/errors.h"
#include "base/syscall.h"
#include "track/process_identity.h"
#include "track/totals.h"
#include "track/tracker_state.h"

static const uint8_t space_of_kind[] = {
#define GMT_KIND(name, json, words, space) GMT_SPACE_##space,
#include "track/trace_kinds.def"
#undef GMT_KIND
};

struct gmt_tracker *gmt_tracker_of_process(void)
{
    static struct gmt_tracker tracker;
    return &tracker;
}

static bool open_tables(struct gmt_tracker *tracker, const struct gmt_tracker_setup *setup)
{
    struct gmt_trace *trace = &tracker->trace;
    gmt_arena_init(&tracker->arena, setup->max_memory);
    if (!gmt_block_index_init(&tracker->blocks, &tracker->arena))
        return false;
    if (gmt_trace_append(trace, GMT_SECTION_ENTRIES, setup->entry_count) == GMT_NONE ||
        gmt_trace_append(trace, GMT_SECTION_DEVICES, (uint32_t)trace->header->sections[GMT_SECTION_DEVICES].capacity) ==
            GMT_NONE)
        return false;
    for (uint32_t i = 0; i < setup->entry_count; i++)
        GMT_RECORDS(trace, ENTRIES)
    [i].name = gmt_trace_add_string(trace, setup->entry_names[i], strlen(setup->entry_names[i]));
    tracker->unused_block = GMT_NONE;
    return true;
}

int gmt_tracker_open(struct gmt_tracker *tracker, const struct gmt_tracker_setup *setup)
{
    memset(tracker, 0, sizeof *tracker);
    int failed = gmt_trace_create(&tracker->trace, setup->folder, setup->max_blocks);
    if (failed)
        return failed;
    struct gmt_trace_header *header = tracker->trace.header;
    gmt_process_identify(&tracker->trace);
    if (!open_tables(tracker, setup)) {
        if (tracker->trace.path[0] != '\0') /* nobody could read it */
            gmt_syscall(SYS_unlinkat, AT_FDCWD, tracker->trace.path, 0);
        gmt_tracker_close(tracker);
        return -GMT_E_NO_MEMORY;
    }
    header->options = gmt_trace_add_string(&tracker->trace, setup->options, strlen(setup->options));
    header->driver_version = setup->driver_version;
    header->first_init_stack = GMT_NONE;
    header->flags |= GMT_TRACE_READY | (setup->simulated ? GMT_TRACE_SIMULATED : 0);
    return 0;
}

void gmt_tracker_close(struct gmt_tracker *tracker)
{
    gmt_arena_drop(&tracker->arena);
    gmt_trace_close(&tracker->trace);
    memset(tracker, 0, sizeof *tracker);
}

void gmt_tracker_forget(struct gmt_tracker *tracker)
{
    gmt_arena_drop(&tracker->arena);
    memset(tracker, 0, sizeof *tracker);
}

struct gmt_trace_header *gmt_tracker_header(const struct gmt_tracker *tracker)
{
    return tracker->trace.header;
}

const char *gmt_tracker_path(const struct gmt_tracker *tracker)
{
    return tracker->trace.path;
}

bool gmt_tracker_enter(struct gmt_tracker *tracker)
{
    if (!tracker->trace.header)
        return false;
    int failed = gmt_lock_take(&tracker->lock);
    if (failed)
        gmt_trace_trouble(&tracker->trace,
                          failed == -GMT_E_REENTERED ? GMT_TROUBLE_LOCK_REENTERED : GMT_TROUBLE_LOCK_TIMEOUT);
    return failed == 0;
}

void gmt_tracker_leave(struct gmt_tracker *tracker)
{
    tracker->trace.header->own_bytes = tracker->arena.mapped;
    gmt_lock_give(&tracker->lock);
}

uint64_t gmt_tracker_time(struct gmt_tracker *tracker)
{
    struct gmt_trace_header *header = tracker->trace.header;
    header->last_event_ns = gmt_clock_now() - header->start_monotonic_ns;
    return header->last_event_ns;
}

struct gmt_totals *gmt_tracker_totals(struct gmt_tracker *tracker, const struct gmt_site_record *site)
{
    if (site->device >= tracker->trace.header->sections[GMT_SECTION_DEVICES].used)
        return NULL;
    return &GMT_RECORDS(&tracker->trace, DEVICES)[site->device].totals[space_of_kind[site->kind]];
}

uint32_t gmt_tracker_stack(struct gmt_tracker *tracker, const struct gmt_unwound *unwound, uint32_t epoch)
{
    if (!tracker->trace.header)
        return GMT_NONE;
    struct gmt_module_context context = {&tracker->modules, &tracker->trace, &tracker->arena, &tracker->lock};
    return gmt_stack_table_intern(&tracker->stacks, &context, unwound, epoch);
}

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
