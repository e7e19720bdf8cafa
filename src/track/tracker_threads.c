/* Whose things those are that nobody gave back: threads that took them, and what became of them; registered ranges that
 * the program unmapped; code that was unloaded. Looked at when a report is due, never on the way of a call. */
#include <string.h>

#include "track/tracker_state.h"

uint32_t gmt_tracker_thread(struct gmt_tracker *tracker, uint32_t id, uint64_t start_ticks, const char *name)
{
    if (!gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t index = gmt_trace_append(&tracker->trace, GMT_SECTION_THREADS, 1);
    if (index != GMT_NONE) {
        struct gmt_thread_record *thread = &GMT_RECORDS(&tracker->trace, THREADS)[index];
        thread->id = id;
        thread->start_ticks = start_ticks;
        thread->name = gmt_trace_add_string(&tracker->trace, name, strlen(name));
        thread->first_ns = thread->checked_ns = gmt_tracker_time(tracker);
        __atomic_store_n(&thread->state, GMT_THREAD_RUNNING, __ATOMIC_RELEASE);
    }
    gmt_tracker_leave(tracker);
    return index;
}

/* The count of a section's records; 0 while the tracker is closed. Records never move, and only grow in number. */
static uint64_t count_of(const struct gmt_tracker *tracker, enum gmt_section_id section)
{
    const struct gmt_trace_header *header = tracker->trace.header;
    return header ? __atomic_load_n(&header->sections[section].used, __ATOMIC_ACQUIRE) : 0;
}

void gmt_tracker_check_threads(struct gmt_tracker *tracker, bool (*is_alive)(uint32_t id, uint64_t start_ticks))
{
    uint64_t count = count_of(tracker, GMT_SECTION_THREADS);
    for (uint64_t i = 0; i < count; i++) {
        struct gmt_thread_record *thread = &GMT_RECORDS(&tracker->trace, THREADS)[i];
        if (__atomic_load_n(&thread->state, __ATOMIC_ACQUIRE) != GMT_THREAD_RUNNING)
            continue;
        bool alive = is_alive(thread->id, thread->start_ticks);
        __atomic_store_n(&thread->checked_ns, gmt_tracker_now(tracker), __ATOMIC_RELAXED);
        if (!alive)
            __atomic_store_n(&thread->state, GMT_THREAD_ENDED, __ATOMIC_RELEASE);
    }
}

/* The registration at number `i`, or false when that is none. */
static bool registration_at(struct gmt_tracker *tracker, uint64_t i, struct gmt_block_record *copy_out)
{
    if (!gmt_tracker_enter(tracker))
        return false;
    const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
    bool found = block->state == GMT_BLOCK_LIVE && !(block->flags & GMT_BLOCK_UNMAPPED) &&
                 GMT_SITE(tracker, block->site)->kind == GMT_KIND_REGISTERED;
    *copy_out = *block;
    gmt_tracker_leave(tracker);
    return found;
}

static void mark_unmapped(struct gmt_tracker *tracker, uint64_t i, uint64_t sequence)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, i);
    if (block->sequence == sequence && block->state == GMT_BLOCK_LIVE) /* still the one that was looked at */
        block->flags |= GMT_BLOCK_UNMAPPED;
    gmt_tracker_leave(tracker);
}

void gmt_tracker_check_registrations(struct gmt_tracker *tracker, bool (*is_mapped)(uint64_t address, uint64_t bytes))
{
    uint64_t sites = count_of(tracker, GMT_SECTION_SITES);
    bool any = false;
    for (uint64_t i = 0; i < sites && !any; i++)
        any = GMT_SITE(tracker, i)->kind == GMT_KIND_REGISTERED && GMT_SITE(tracker, i)->live_count > 0;
    uint64_t blocks = any ? count_of(tracker, GMT_SECTION_BLOCKS) : 0;
    for (uint64_t i = 0; i < blocks; i++) {
        struct gmt_block_record copy;
        if (registration_at(tracker, i, &copy) && !is_mapped(copy.address, copy.bytes))
            mark_unmapped(tracker, i, copy.sequence);
    }
}

void gmt_tracker_check_modules(struct gmt_tracker *tracker)
{
    if (!tracker->trace.header)
        return;
    struct gmt_module_context context = {&tracker->modules, &tracker->trace, &tracker->arena, &tracker->lock};
    gmt_modules_check(&context, gmt_tracker_now(tracker));
}
