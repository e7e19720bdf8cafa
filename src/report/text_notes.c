/* What is worth knowing and is no error: frees after the driver had shut down, frees of what was exported. */
#include <inttypes.h>

#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

#define NOTES_SHOWN 10u

static void write_late(struct gmt_text_writer *writer, const struct gmt_process *process,
                       const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s, %s, with %s", call->api,
                  gmt_words_count(heap, call->count, "time"), gmt_words_result(heap, call->code));
    gmt_text_stack(writer, process, call->stack);
    if (call->near_site)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      the last was %s, from %s",
                      gmt_kind_one(heap, call->near_site->kind), gmt_words_site(heap, process, call->near_site));
}

static void write_exported(struct gmt_text_writer *writer, const struct gmt_process *process,
                           const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s of 0x%" PRIx64 ", %s", call->api, call->last_address,
                  gmt_words_count(heap, call->count, "time"));
    gmt_text_stack(writer, process, call->stack);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      it had been exported by:");
    gmt_text_stack(writer, process, call->near_stack);
    if (!call->near_stack)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (no call stack was recorded)");
    if (call->near_site)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      and taken by %s",
                      gmt_words_site(heap, process, call->near_site));
}

/* Calls of one kind under a heading. */
static void write_kind(struct gmt_text_writer *writer, const struct gmt_process *process, enum gmt_failure_kind kind,
                       const char *heading,
                       void (*write)(struct gmt_text_writer *writer, const struct gmt_process *process,
                                     const struct gmt_failed_call *call))
{
    unsigned shown = 0, left_out = 0;
    for (unsigned i = 0; i < process->failure_count; i++) {
        if (process->failures[i].kind != kind)
            continue;
        if (shown == NOTES_SHOWN && !writer->options->full) {
            left_out++;
            continue;
        }
        if (shown++ == 0) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "%s", heading);
        }
        write(writer, process, &process->failures[i]);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %u more call sites; --full lists them all", left_out);
}

void gmt_text_notes(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    write_kind(writer, process, GMT_FAILURE_LATE,
               "Freed too late, after the driver had shut down; the process's end reclaims it", write_late);
    write_kind(writer, process, GMT_FAILURE_EXPORTED,
               "Freed after it had been exported to other processes; whether they have closed it cannot be known",
               write_exported);
}
