/* Who holds memory, by shared object, in the text format. */
#include <string.h>

#include "report/text_sections.h"
#include "report/words.h"

#define LIBRARIES_SHOWN 10u

static bool is_running(const struct gmt_process *process)
{
    return process->end.by == GMT_ENDED_RUNNING;
}

static const struct gmt_holding *held_by(const struct gmt_process *process, const struct gmt_library *library)
{
    return is_running(process) ? &library->live : &library->leaked;
}

/* The program alone holding everything goes without saying, and so does that nobody knows who does. */
static bool says_something(const struct gmt_process *process)
{
    unsigned holders = 0;
    const struct gmt_library *last = NULL;
    for (unsigned i = 0; i < process->library_count; i++) {
        if (held_by(process, &process->libraries[i])->count == 0)
            continue;
        holders++;
        last = &process->libraries[i];
    }
    if (holders != 1)
        return holders > 1;
    return last->module && !(process->executable && strcmp(last->module->path, process->executable) == 0);
}

static const char *host_clause(struct gmt_heap *heap, const struct gmt_holding *held)
{
    if (held->host_bytes == 0)
        return "";
    if (held->host_bytes == held->bytes)
        return ", pinned host memory";
    return gmt_heap_print(heap, ", of it %s of pinned host memory", gmt_words_size(heap, held->host_bytes));
}

void gmt_text_libraries(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    unsigned shown = 0, left_out = 0;
    uint64_t left_out_bytes = 0;
    if (!says_something(process))
        return;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Held by library%s", is_running(process) ? "" : " at the end");
    for (unsigned i = 0; i < process->library_count; i++) {
        const struct gmt_library *library = &process->libraries[i];
        const struct gmt_holding *held = held_by(process, library);
        if (held->count == 0)
            continue;
        if (shown == LIBRARIES_SHOWN && !writer->options->full) {
            left_out++;
            left_out_bytes += held->bytes;
            continue;
        }
        shown++;
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s %s %s in %s%s",
                      library->module ? library->module->name : "code that is not known",
                      is_running(process) ? "holds" : "held", gmt_words_size(heap, held->bytes),
                      gmt_words_count(heap, held->count, "block"), host_clause(heap, held));
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %s in %u more; --full lists them all",
                      gmt_words_size(heap, left_out_bytes), left_out);
}
