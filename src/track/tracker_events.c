/* Everything that is not a block: failed calls, out-of-memory errors, coverage, the end. */
#include <string.h>

#include "base/clock.h"
#include "track/tracker_state.h"

/* The live block that starts nearest below `address`. A walk over all records: not for every failure of a stack. */
static void find_nearest(struct gmt_tracker *tracker, uint64_t address, struct gmt_failure_record *failure)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    failure->near_site = GMT_NONE;
    failure->near_address = 0;
    failure->near_bytes = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[i];
        if (block->state != GMT_BLOCK_LIVE || block->address > address || block->address < failure->near_address)
            continue;
        failure->near_site = block->site;
        failure->near_address = block->address;
        failure->near_bytes = block->bytes;
    }
}

static struct gmt_failure_record *new_failure(struct gmt_tracker *tracker, struct gmt_key key)
{
    uint32_t index = gmt_trace_append(&tracker->trace, GMT_SECTION_FAILURES, 1);
    if (index == GMT_NONE)
        return NULL;
    if (gmt_key_table_add(&tracker->failures, &tracker->arena, key, index) != 0)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
    return &GMT_RECORDS(&tracker->trace, FAILURES)[index];
}

static void record_failure(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind)
{
    struct gmt_key key = {event->stack, (uint32_t)event->entry << 8 | kind, (uint32_t)event->code, 0};
    uint32_t index = gmt_key_table_find(&tracker->failures, key);
    struct gmt_failure_record *failure =
        index != GMT_NONE ? &GMT_RECORDS(&tracker->trace, FAILURES)[index] : new_failure(tracker, key);
    if (!failure)
        return;
    uint64_t now = gmt_tracker_time(tracker);
    if (failure->count == 0) {
        failure->stack = event->stack;
        failure->entry = event->entry;
        failure->kind = (uint16_t)kind;
        failure->code = event->code;
        failure->first_ns = now;
        failure->near_site = GMT_NONE;
    }
    /* A stray's address and the block near it belong together: both are renewed for the 1st, 2nd, 4th, 8th … */
    if (kind != GMT_FAILURE_STRAY || (failure->count & (failure->count + 1)) == 0) {
        failure->last_address = event->address;
        if (kind == GMT_FAILURE_STRAY)
            find_nearest(tracker, event->address, failure);
    }
    failure->last_bytes = event->bytes;
    failure->last_ns = now;
    failure->count++;
    __atomic_store_n(&failure->state, 1, __ATOMIC_RELEASE);
}

void gmt_tracker_failure(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind)
{
    if (!gmt_tracker_enter(tracker))
        return;
    record_failure(tracker, event, kind);
    gmt_tracker_leave(tracker);
}

/* Puts a site into its place among the largest. */
static void rank_site(struct gmt_oom_record *oom, uint32_t site, const struct gmt_site_record *record)
{
    unsigned place = oom->top_count;
    while (place > 0 && oom->top[place - 1].live_bytes < record->live_bytes)
        place--;
    if (place == GMT_OOM_TOP_SITES)
        return;
    unsigned last = oom->top_count < GMT_OOM_TOP_SITES ? oom->top_count++ : GMT_OOM_TOP_SITES - 1;
    for (unsigned i = last; i > place; i--)
        oom->top[i] = oom->top[i - 1];
    oom->top[place].site = site;
    oom->top[place].reserved = 0;
    oom->top[place].live_bytes = record->live_bytes;
    oom->top[place].live_count = record->live_count;
}

uint32_t gmt_tracker_out_of_memory(struct gmt_tracker *tracker, const struct gmt_event *event, uint64_t free_bytes,
                                   uint64_t total_bytes)
{
    if (!gmt_tracker_enter(tracker))
        return GMT_NONE;
    struct gmt_trace *trace = &tracker->trace;
    uint32_t index = gmt_trace_append(trace, GMT_SECTION_OOMS, 1);
    if (index != GMT_NONE) {
        struct gmt_oom_record *oom = &GMT_RECORDS(trace, OOMS)[index];
        oom->stack = event->stack;
        oom->entry = event->entry;
        oom->code = event->code;
        oom->device = event->device;
        oom->time_ns = gmt_tracker_time(tracker);
        oom->request_bytes = event->bytes;
        oom->free_bytes = free_bytes;
        oom->total_bytes = total_bytes;
        if (event->device < trace->header->sections[GMT_SECTION_DEVICES].used)
            memcpy(oom->totals, GMT_RECORDS(trace, DEVICES)[event->device].totals, sizeof oom->totals);
        uint64_t sites = trace->header->sections[GMT_SECTION_SITES].used;
        for (uint64_t i = 0; i < sites; i++) {
            const struct gmt_site_record *site = &GMT_RECORDS(trace, SITES)[i];
            if (site->state == 1 && site->live_bytes > 0 && site->device == event->device)
                rank_site(oom, (uint32_t)i, site);
        }
        __atomic_store_n(&oom->state, 1, __ATOMIC_RELEASE);
        tracker->open_ooms++;
    }
    gmt_tracker_leave(tracker);
    return index;
}

void gmt_tracker_called(struct gmt_tracker *tracker, uint16_t entry, int32_t code, uint64_t count)
{
    if (!tracker->trace.header)
        return;
    struct gmt_entry_record *record = &GMT_RECORDS(&tracker->trace, ENTRIES)[entry];
    __atomic_fetch_add(&record->calls, count, __ATOMIC_RELAXED);
    if (code != 0)
        __atomic_fetch_add(&record->failures, count, __ATOMIC_RELAXED);
}

/* Finds or makes the record of a module. Under the lock. */
static uint32_t client_of(struct gmt_tracker *tracker, uint32_t module)
{
    struct gmt_key key = {module, 0, 0, 0};
    uint32_t index = gmt_key_table_find(&tracker->clients, key);
    if (index != GMT_NONE)
        return index;
    index = gmt_trace_append(&tracker->trace, GMT_SECTION_CLIENTS, 1);
    if (index == GMT_NONE || gmt_key_table_add(&tracker->clients, &tracker->arena, key, index) != 0)
        return GMT_NONE;
    struct gmt_client_record *client = &GMT_RECORDS(&tracker->trace, CLIENTS)[index];
    client->module = module;
    __atomic_store_n(&client->state, 1, __ATOMIC_RELEASE);
    return index;
}

uint32_t gmt_tracker_client(struct gmt_tracker *tracker, const void *caller)
{
    if (!tracker->trace.header)
        return GMT_NONE;
    uintptr_t pc = (uintptr_t)caller - 1;
    struct gmt_frame_record frame;
    struct gmt_module_context context = {&tracker->modules, &tracker->trace, &tracker->arena, &tracker->lock};
    gmt_modules_resolve(&context, &pc, 1, &frame);
    if (!gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t client = client_of(tracker, frame.module);
    gmt_tracker_leave(tracker);
    return client;
}

void gmt_tracker_client_used(struct gmt_tracker *tracker, uint32_t client, enum gmt_door door, uint64_t uses)
{
    if (tracker->trace.header && client != GMT_NONE)
        __atomic_fetch_add(&GMT_RECORDS(&tracker->trace, CLIENTS)[client].uses[door], uses, __ATOMIC_RELAXED);
}

void gmt_tracker_bypassed(struct gmt_tracker *tracker, const char *name, uint64_t count)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_trace_header *header = tracker->trace.header;
    header->bypassed += count;
    if (header->bypassed_name == 0)
        header->bypassed_name = gmt_trace_add_string(&tracker->trace, name, strlen(name));
    gmt_tracker_leave(tracker);
}

void gmt_tracker_initialised(struct gmt_tracker *tracker, uint32_t stack)
{
    if (!gmt_tracker_enter(tracker))
        return;
    if (tracker->trace.header->first_init_stack == GMT_NONE)
        __atomic_store_n(&tracker->trace.header->first_init_stack, stack, __ATOMIC_RELAXED);
    gmt_tracker_leave(tracker);
}

/* Without the lock: the process may end while another thread, or this one below a signal handler, holds it. */
void gmt_tracker_ended(struct gmt_tracker *tracker, enum gmt_end end, int32_t status)
{
    struct gmt_trace_header *header = tracker->trace.header;
    if (!header)
        return;
    header->end_ns = gmt_clock_now() - header->start_monotonic_ns;
    header->exit_status = status;
    __atomic_store_n(&header->end, end, __ATOMIC_RELEASE);
}
