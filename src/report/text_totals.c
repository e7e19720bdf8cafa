/* What each device took and gave back in all, in the text format. */
#include <string.h>

#include "report/kinds.h"
#include "report/text_sections.h"
#include "report/words.h"

/* Figures of one kind on one device, from the sites: the trace file keeps sums by space only. */
struct kind_figures {
    uint64_t live_bytes, live_count, total_bytes, total_count;
};

static struct kind_figures figures_of(const struct gmt_process *process, const struct gmt_device *device,
                                      enum gmt_kind kind)
{
    struct kind_figures sum = {0, 0, 0, 0};
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (site->device != device || site->kind != kind)
            continue;
        sum.live_bytes += site->live_bytes;
        sum.live_count += site->live_count;
        sum.total_bytes += site->total_bytes;
        sum.total_count += site->total_count;
    }
    return sum;
}

/* What is left of one space of a device. At the end of a process that is what was never freed, whether the block was
 * live to the last or went with its context before. */
static const char *rest_clause(struct gmt_heap *heap, const struct gmt_process *process,
                               const struct gmt_device *device, enum gmt_space space)
{
    bool running = process->end.by == GMT_ENDED_RUNNING;
    uint64_t bytes = 0, count = 0;
    for (unsigned i = 0; i < process->leak_count; i++) {
        const struct gmt_remains *leak = process->leaks[i];
        if (leak->site->device != device || gmt_kind_space(leak->site->kind) != space ||
            (running && gmt_remains_is_ended(leak->state)))
            continue;
        bytes += leak->bytes;
        count += leak->count;
    }
    if (count == 0)
        return running ? "nothing live" : "all freed";
    return gmt_heap_print(heap, "%s %s in %s", running ? "live" : "never freed", gmt_words_size(heap, bytes),
                          gmt_words_count(heap, count, "block"));
}

/* True when there is anything to say. */
static bool write_space(struct gmt_text_writer *writer, const struct gmt_process *process,
                        const struct gmt_device *device, enum gmt_space space)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_totals *totals = &device->totals[space];
    if (!gmt_space_is_memory(space) || (totals->total_count == 0 && totals->live_count == 0))
        return false;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s: %s, peak %s, taken in all %s in %s", gmt_space_words(space),
                  rest_clause(heap, process, device, space), gmt_words_size(heap, totals->peak_bytes),
                  gmt_words_size(heap, totals->total_bytes), gmt_words_count(heap, totals->total_count, "block"));
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++) {
        struct kind_figures sum = figures_of(process, device, kind);
        if (sum.total_count == 0 || gmt_kind_space(kind) != space ||
            strcmp(gmt_kind_words(kind), gmt_space_words(space)) == 0)
            continue;
        if (gmt_kind_leaks(kind))
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "    of it %s: %s in %s", gmt_kind_words(kind),
                          gmt_words_size(heap, sum.total_bytes), gmt_words_count(heap, sum.total_count, "block"));
        else
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "    of it %s: %s, %s of them there now",
                          gmt_kind_words(kind), gmt_words_size(heap, sum.total_bytes),
                          gmt_words_size(heap, sum.live_bytes));
    }
    return true;
}

static void write_device(struct gmt_text_writer *writer, const struct gmt_process *process,
                         const struct gmt_device *device)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Totals of %s%s", gmt_words_device(heap, device),
                  device->total_bytes ? gmt_heap_print(heap, ", %s", gmt_words_size(heap, device->total_bytes)) : "");
    bool any = false;
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++)
        any |= write_space(writer, process, device, space);
    if (!any)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  no memory was taken there");
}

/* Objects and address ranges, on all devices together: many of them belong to none. Modules that the runtime keeps for
 * itself are in every program. */
static void write_objects(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    bool headed = false;
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++) {
        uint64_t created = 0, left = 0, ended = 0, bytes = 0;
        for (unsigned i = 0; i < process->object_count; i++) {
            const struct gmt_object *object = &process->objects[i];
            if (object->site->kind != kind || (!writer->options->full && gmt_object_is_implicit(object)))
                continue;
            created += object->created;
            left += object->live_count;
            ended += object->ended_count;
            bytes += object->bytes;
        }
        if (created == 0 && left + ended == 0)
            continue;
        if (!headed) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Totals of objects and address space");
        }
        headed = true;
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s created, %s still there%s%s",
                      gmt_kind_count(heap, created, kind), gmt_words_number(heap, left),
                      bytes ? gmt_heap_print(heap, ", %s", gmt_words_size(heap, bytes)) : "",
                      ended ? gmt_heap_print(heap, ", %s gone with their context", gmt_words_number(heap, ended)) : "");
    }
}

void gmt_text_totals(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->device_count; i++)
        write_device(writer, process, &process->devices[i]);
    write_objects(writer, process);
}
