/* See threads.h. */
#include "hook/threads.h"

#include <string.h>
#include <sys/prctl.h>

#include "base/maps.h"
#include "base/syscall.h"
#include "base/text.h"
#include "base/thread.h"

/* Field 22 of /proc/self/task/ID/stat, in clock ticks since boot; 0 when there is no such thread. The name in field 2
 * may hold anything, so fields are counted from its closing parenthesis. */
static uint64_t start_ticks_of(uint32_t id)
{
    char path[64];
    char stat[1024];
    struct gmt_text text = gmt_text_over(path, sizeof path);
    gmt_text_add(&text, "/proc/self/task/");
    gmt_text_add_decimal(&text, id);
    gmt_text_add(&text, "/stat");
    if (gmt_sys_read_file(path, stat, sizeof stat) <= 0)
        return 0;
    const char *at = strrchr(stat, ')');
    for (unsigned field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    uint64_t ticks = 0;
    for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at++)
        ticks = ticks * 10 + (uint64_t)(*at - '0');
    return ticks;
}

static bool is_full(const struct gmt_tracker *tracker)
{
    const struct gmt_trace_header *header = gmt_tracker_header(tracker);
    const struct gmt_trace_section *threads = header ? &header->sections[GMT_SECTION_THREADS] : NULL;
    return threads && __atomic_load_n(&threads->used, __ATOMIC_RELAXED) >= threads->capacity;
}

uint32_t gmt_thread_record(struct gmt_tracker *tracker)
{
    struct gmt_thread *thread = &gmt_thread_self;
    if (thread->record == GMT_NONE) /* there was no room, and will be none: asking for the name each time is dear */
        return GMT_NONE;
    if (thread->record == 0) {
        char name[32] = "";
        uint32_t id = gmt_thread_id();
        gmt_syscall(SYS_prctl, PR_GET_NAME, name);
        thread->record = gmt_tracker_thread(tracker, id, start_ticks_of(id), name) + 1;
        if (thread->record == 0) {
            thread->record = is_full(tracker) ? GMT_NONE : 0;
            return GMT_NONE;
        }
    }
    return thread->record - 1;
}

static bool is_alive(uint32_t id, uint64_t start_ticks)
{
    uint64_t ticks = start_ticks_of(id);
    return ticks != 0 && (start_ticks == 0 || ticks == start_ticks);
}

/* Both ends are enough: nobody unmaps the middle of a buffer alone. The word that holds the last byte is asked for: one
 * that begins there ends beyond. */
static bool is_mapped(uint64_t address, uint64_t bytes)
{
    return gmt_sys_is_readable(address) && gmt_sys_is_readable((address + bytes - 1) & ~(uint64_t)7);
}

void gmt_threads_look_around(struct gmt_tracker *tracker)
{
    gmt_tracker_check_threads(tracker, is_alive);
    gmt_tracker_check_registrations(tracker, is_mapped);
    gmt_tracker_check_modules(tracker);
}

enum gmt_address_is gmt_threads_address_is(uint64_t address)
{
    char here;
    if (gmt_maps_same_mapping((uintptr_t)&here, (uintptr_t)address))
        return GMT_ADDRESS_STACK;
    return gmt_sys_is_readable((uintptr_t)address) ? GMT_ADDRESS_HOST : GMT_ADDRESS_UNKNOWN;
}
