/* Coverage: which functions were called and by whom; the start and the end. */
#include <string.h>

#include "base/clock.h"
#include "track/tracker_state.h"

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
