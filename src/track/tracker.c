/* The tracker itself: opening and closing, its lock, time, stacks. */
#include "track/tracker.h"

#include <string.h>

#include "base/clock.h"
#include "base/errors.h"
#include "base/syscall.h"
#include "track/freed_history.h"
#include "track/process_identity.h"
#include "track/tracker_state.h"

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
    gmt_freed_history_init(trace);
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

uint64_t gmt_tracker_now(const struct gmt_tracker *tracker)
{
    return gmt_clock_now() - tracker->trace.header->start_monotonic_ns;
}

uint64_t gmt_tracker_time(struct gmt_tracker *tracker)
{
    tracker->trace.header->last_event_ns = gmt_tracker_now(tracker);
    return tracker->trace.header->last_event_ns;
}

struct gmt_totals *gmt_tracker_totals(struct gmt_tracker *tracker, const struct gmt_site_record *site)
{
    if (site->device >= tracker->trace.header->sections[GMT_SECTION_DEVICES].used)
        return NULL;
    return &GMT_RECORDS(&tracker->trace, DEVICES)[site->device].totals[gmt_kind_facts(site->kind)->space];
}

uint32_t gmt_tracker_stack(struct gmt_tracker *tracker, const struct gmt_unwound *unwound, uint32_t epoch)
{
    if (!tracker->trace.header)
        return GMT_NONE;
    struct gmt_module_context context = {&tracker->modules, &tracker->trace, &tracker->arena, &tracker->lock};
    return gmt_stack_table_intern(&tracker->stacks, &context, unwound, epoch);
}
