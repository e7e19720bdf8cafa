/* Out-of-memory errors, told while the program still waits for its answer. */
#include "hook/out_of_memory.h"

#include <stddef.h>

#include "base/text.h"
#include "hook/call_pools.h"
#include "hook/driver.h"
#include "hook/entry.h"
#include "hook/notice.h"
#include "hook/process.h"
#include "hook/renderer.h"
#include "hook/threads.h"

/* Each of the first errors gets a line, later ones are told in powers of two: some programs ask in a loop. */
#define LINES_FOR_ALL 16u

static void write_line(const struct gmt_event *event, size_t free_bytes, bool known)
{
    static uint32_t told;
    uint32_t count = __atomic_add_fetch(&told, 1, __ATOMIC_RELAXED);
    if (count > LINES_FOR_ALL && (count & (count - 1)) != 0)
        return;
    char buffer[512];
    struct gmt_text line = gmt_text_over(buffer, sizeof buffer);
    gmt_text_add(&line, "OUT OF MEMORY: ");
    gmt_text_add(&line, gmt_entry_names[event->entry]);
    gmt_text_add(&line, event->bytes > 0 ? " asked for " : " did not get what it needs");
    if (event->bytes > 0)
        gmt_text_add_size(&line, event->bytes);
    if (event->device != GMT_NONE) {
        gmt_text_add(&line, " on device ");
        gmt_text_add_decimal(&line, event->device);
    }
    if (known) {
        gmt_text_add(&line, ", ");
        gmt_text_add_size(&line, free_bytes);
        gmt_text_add(&line, " free");
    }
    if (count > LINES_FOR_ALL) {
        gmt_text_add(&line, "; ");
        gmt_text_add_decimal(&line, count);
        gmt_text_add(&line, " such lines would stand here");
    }
    gmt_notice_line(buffer);
}

void gmt_out_of_memory(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    bool known = gmt_driver_query(cuMemGetInfo_v2)(&free_bytes, &total_bytes) == CUDA_SUCCESS;
    gmt_pools_sample(tracker, event->device);
    gmt_threads_look_around(tracker);
    uint32_t record =
        gmt_tracker_out_of_memory(tracker, event, known ? free_bytes : UINT64_MAX, known ? total_bytes : UINT64_MAX);
    bool in_full = record < gmt_process_options()->oom_reports;
    if (!in_full || !gmt_renderer_out_of_memory(tracker, record))
        write_line(event, free_bytes, known);
}
