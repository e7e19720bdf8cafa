/* Leaks, peak and totals in the text format. */
#include <string.h>

#include "report/text_sections.h"
#include "report/words.h"

/* Without --full: the rest is summed up in one line. */
#define LEAKS_SHOWN 25u
#define SHARES_SHOWN 10u

static const char *sizes_clause(struct gmt_heap *heap, const struct gmt_leak *leak)
{
    if (leak->count == 1)
        return "1 block";
    const char *blocks = gmt_words_count(heap, leak->count, "block");
    if (leak->smallest == leak->largest)
        return gmt_heap_print(heap, "%s of %s", blocks, gmt_words_size(heap, leak->largest));
    return gmt_heap_print(heap, "%s of %s to %s", blocks, gmt_words_size(heap, leak->smallest),
                          gmt_words_size(heap, leak->largest));
}

static const char *state_clause(const struct gmt_leak *leak)
{
    switch (leak->state) {
    case GMT_LEAK_RESET:
        return "; still there at cudaDeviceReset, which ended them";
    case GMT_LEAK_DESTROY:
        return "; still there when their context was destroyed, which ended them";
    default:
        return "";
    }
}

static void write_leak(struct gmt_text_writer *writer, const struct gmt_process *process, unsigned index)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_leak *leak = &process->leaks[index];
    const struct gmt_site *site = leak->site;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "%s %u of %u: %s in %s, %s on %s, taken by %s%s",
                  process->end.by == GMT_ENDED_RUNNING ? "Live" : "Leak", index + 1, process->leak_count,
                  gmt_words_size(heap, leak->bytes), sizes_clause(heap, leak), gmt_kind_words(site->kind),
                  gmt_words_device(heap, site->device), site->api, state_clause(leak));
    gmt_text_stack(writer, process, site->stack);
}

void gmt_text_leaks(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = process->leak_count;
    if (!writer->options->full && shown > LEAKS_SHOWN)
        shown = LEAKS_SHOWN;
    for (unsigned i = 0; i < shown; i++)
        write_leak(writer, process, i);
    if (shown == process->leak_count)
        return;
    uint64_t bytes = 0, count = 0;
    for (unsigned i = shown; i < process->leak_count; i++) {
        bytes += process->leaks[i].bytes;
        count += process->leaks[i].count;
    }
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "and %s in %s at %u more call sites; --full lists them all",
                  gmt_words_size(writer->heap, bytes), gmt_words_count(writer->heap, count, "block"),
                  process->leak_count - shown);
}

/* What the sites do not account for: blocks whose site is not known, or a moment between two writes of the tracer. */
static void write_rest(struct gmt_text_writer *writer, const struct gmt_peak *peak, unsigned shown)
{
    uint64_t listed = 0, others = 0;
    for (unsigned i = 0; i < peak->share_count; i++)
        *(i < shown ? &listed : &others) += peak->shares[i].bytes;
    if (others)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s  %s at %u more call sites",
                      gmt_words_share(writer->heap, others, peak->bytes), gmt_words_size(writer->heap, others),
                      peak->share_count - shown);
    if (peak->bytes > listed + others)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s  %s at call sites that are not known",
                      gmt_words_share(writer->heap, peak->bytes - listed - others, peak->bytes),
                      gmt_words_size(writer->heap, peak->bytes - listed - others));
}

static void write_peak(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_peak *peak)
{
    struct gmt_heap *heap = writer->heap;
    unsigned shown = peak->share_count;
    if (!writer->options->full && shown > SHARES_SHOWN)
        shown = SHARES_SHOWN;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Peak of %s on %s: %s in %s, %s after the start; held by",
                  gmt_space_words(peak->space), gmt_words_device(heap, peak->device), gmt_words_size(heap, peak->bytes),
                  gmt_words_count(heap, peak->count, "block"), gmt_words_time(heap, peak->time_ns));
    for (unsigned i = 0; i < shown; i++) {
        const struct gmt_share *share = &peak->shares[i];
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s  %s in %s: %s",
                      gmt_words_share(heap, share->bytes, peak->bytes), gmt_words_size(heap, share->bytes),
                      gmt_words_count(heap, share->count, "block"), gmt_text_site(writer, process, share->site));
        if (writer->options->full_stacks)
            gmt_text_stack(writer, process, share->site->stack);
    }
    write_rest(writer, peak, shown);
}

void gmt_text_peaks(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->peak_count; i++)
        write_peak(writer, process, &process->peaks[i]);
}

/* Blocks of one kind on one device, from the sites: the trace file keeps sums by space only. */
static struct gmt_share kind_total(const struct gmt_process *process, const struct gmt_device *device,
                                   enum gmt_kind kind)
{
    struct gmt_share total = {NULL, 0, 0};
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (site->kind != kind || site->device != device)
            continue;
        total.bytes += site->total_bytes;
        total.count += site->total_count;
    }
    return total;
}

/* What is left of one space of a device. At the end of a process that is what was never freed, whether the block was
 * live to the last or went with its context before. */
static const char *rest_clause(struct gmt_heap *heap, const struct gmt_process *process,
                               const struct gmt_device *device, enum gmt_space space)
{
    bool running = process->end.by == GMT_ENDED_RUNNING;
    uint64_t bytes = 0, count = 0;
    for (unsigned i = 0; i < process->leak_count; i++) {
        const struct gmt_leak *leak = &process->leaks[i];
        if (leak->site->device != device || gmt_kind_space(leak->site->kind) != space ||
            (running && leak->state != GMT_LEAK_LIVE))
            continue;
        bytes += leak->bytes;
        count += leak->count;
    }
    if (count == 0)
        return running ? "nothing live" : "all freed";
    return gmt_heap_print(heap, "%s %s in %s", running ? "live" : "never freed", gmt_words_size(heap, bytes),
                          gmt_words_count(heap, count, "block"));
}

void gmt_text_totals(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    for (unsigned i = 0; i < process->device_count; i++) {
        const struct gmt_device *device = &process->devices[i];
        gmt_lines_space(&writer->lines);
        gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Totals of %s%s", gmt_words_device(heap, device),
                      device->total_bytes ? gmt_heap_print(heap, ", %s", gmt_words_size(heap, device->total_bytes))
                                          : "");
        for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
            const struct gmt_totals *totals = &device->totals[space];
            if (totals->total_count || totals->live_count)
                gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s: %s, peak %s, taken in all %s in %s",
                              gmt_space_words(space), rest_clause(heap, process, device, space),
                              gmt_words_size(heap, totals->peak_bytes), gmt_words_size(heap, totals->total_bytes),
                              gmt_words_count(heap, totals->total_count, "block"));
        }
        for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++) {
            struct gmt_share total = kind_total(process, device, kind);
            if (total.count && strcmp(gmt_kind_words(kind), gmt_space_words(gmt_kind_space(kind))) != 0)
                gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "    of it %s: %s in %s", gmt_kind_words(kind),
                              gmt_words_size(heap, total.bytes), gmt_words_count(heap, total.count, "block"));
        }
    }
}
