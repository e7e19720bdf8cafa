/* Out-of-memory errors in the text format. */
#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/verdict.h"
#include "report/words.h"

#define OOMS_IN_FULL 3u
#define OOMS_SHOWN 10u

static void write_memory(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_oom *oom)
{
    struct gmt_heap *heap = writer->heap;
    uint64_t live = 0;
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
        const struct gmt_totals *totals = &oom->totals[space];
        if (totals->live_count == 0 || !gmt_space_is_memory(space))
            continue;
        live += totals->live_bytes;
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  Live at that moment: %s of %s in %s",
                      gmt_words_size(heap, totals->live_bytes), gmt_space_words(space),
                      gmt_words_count(heap, totals->live_count, "block"));
    }
    if (live == 0)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  No memory that this process took was live at that moment.");
    for (unsigned i = 0; i < oom->top_count; i++)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s  %s in %s: %s",
                      gmt_words_share(heap, oom->top[i].bytes, live), gmt_words_size(heap, oom->top[i].bytes),
                      gmt_words_count(heap, oom->top[i].count, "block"),
                      gmt_words_site(heap, process, oom->top[i].site));
}

static void write_objects(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_oom *oom)
{
    struct gmt_heap *heap = writer->heap;
    const char *kinds = "";
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++)
        if (oom->live_of_kind[kind] && gmt_kind_space(kind) == GMT_SPACE_OBJECT)
            kinds = gmt_heap_print(heap, "%s%s%s", kinds, *kinds ? ", " : "",
                                   gmt_kind_count(heap, oom->live_of_kind[kind], kind));
    if (*kinds)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  Objects at that moment: %s", kinds);
    for (unsigned i = 0; i < oom->object_count; i++)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "    %s: %s",
                      gmt_kind_count(heap, oom->objects[i].count, oom->objects[i].site->kind),
                      gmt_words_site(heap, process, oom->objects[i].site));
}

void gmt_text_oom_details(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_oom *oom)
{
    struct gmt_heap *heap = writer->heap;
    gmt_text_stack(writer, process, oom->stack);
    if (oom->bytes_suffice)
        gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "  Bytes are not the limit: %s are live from this stack",
                      gmt_kind_count(heap, oom->objects[0].count, oom->objects[0].site->kind));
    if (oom->bytes_suffice && oom->objects[0].site->stack != oom->stack)
        gmt_text_stack(writer, process, oom->objects[0].site->stack);
    write_memory(writer, process, oom);
    write_objects(writer, process, oom);
    for (unsigned i = 0; i < oom->pool_count; i++)
        if (gmt_text_pool_matters(oom->pools[i]))
            gmt_text_pool(writer, process, oom->pools[i]);
    if (oom->limit_count)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  Limits that the program had changed:");
    for (unsigned i = 0; i < oom->limit_count; i++)
        gmt_text_limit(writer, process, oom->limits[i], "    ");
}

bool gmt_text_oom_is_detailed(const struct gmt_text_writer *writer, unsigned index)
{
    return index < OOMS_IN_FULL || writer->options->full;
}

void gmt_text_ooms(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    unsigned shown = process->oom_count;
    if (!writer->options->full && shown > OOMS_SHOWN)
        shown = OOMS_SHOWN;
    for (unsigned i = 0; i < shown; i++) {
        const struct gmt_oom *oom = &process->ooms[i];
        gmt_lines_space(&writer->lines);
        gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Out of memory %u of %u, %s after the start%s: %s", i + 1,
                      process->oom_count, gmt_words_time(heap, oom->time_ns),
                      oom->recovered ? " (the program went on)" : "", gmt_verdict_request(heap, oom));
        if (gmt_text_oom_is_detailed(writer, i))
            gmt_text_oom_details(writer, process, oom);
    }
    if (shown == process->oom_count)
        return;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "and %s more, the last %s after the start; --full lists them all",
                  gmt_words_number(heap, process->oom_count - shown),
                  gmt_words_time(heap, process->ooms[process->oom_count - 1].time_ns));
}
