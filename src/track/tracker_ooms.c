/* Out-of-memory errors, with what was live then. */
#include <string.h>

#include "track/tracker_state.h"

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

/* The same for objects, by their number. */
static void rank_object(struct gmt_oom_record *oom, uint32_t site, const struct gmt_site_record *record)
{
    unsigned place = GMT_OOM_TOP_OBJECTS;
    while (place > 0 && oom->object_counts[place - 1] < record->live_count)
        place--;
    if (place == GMT_OOM_TOP_OBJECTS)
        return;
    for (unsigned i = GMT_OOM_TOP_OBJECTS - 1; i > place; i--) {
        oom->objects[i] = oom->objects[i - 1];
        oom->object_counts[i] = oom->object_counts[i - 1];
    }
    oom->objects[place] = site;
    oom->object_counts[place] = record->live_count;
}

/* Fills in what was live. Address space that is only reserved takes nothing of a device. */
static void rank_sites(struct gmt_tracker *tracker, const struct gmt_event *event, struct gmt_oom_record *oom)
{
    uint64_t sites = tracker->trace.header->sections[GMT_SECTION_SITES].used;
    for (unsigned i = 0; i < GMT_OOM_TOP_OBJECTS; i++)
        oom->objects[i] = GMT_NONE;
    for (uint64_t i = 0; i < sites; i++) {
        const struct gmt_site_record *site = GMT_SITE(tracker, i);
        if (site->state != 1)
            continue;
        oom->live_of_kind[site->kind] += site->live_count;
        enum gmt_space space = gmt_kind_facts(site->kind)->space;
        if (space == GMT_SPACE_OBJECT)
            rank_object(oom, (uint32_t)i, site);
        else if (space != GMT_SPACE_ADDRESSES && site->live_bytes > 0 && site->device == event->device)
            rank_site(oom, (uint32_t)i, site);
    }
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
        rank_sites(tracker, event, oom);
        __atomic_store_n(&oom->state, 1, __ATOMIC_RELEASE);
        tracker->open_ooms |= gmt_tracker_device_bit(event->device);
    }
    gmt_tracker_leave(tracker);
    return index;
}
