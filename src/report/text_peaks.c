/* Who held each device at its high-water mark, in the text format. */
#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

/* Without --full: the rest is summed up in one line. */
#define SHARES_SHOWN 10u

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
                      gmt_words_count(heap, share->count, "block"), gmt_words_site(heap, process, share->site));
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
