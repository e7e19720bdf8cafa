/* Leaks in the text format: how much, where it was taken, and what else is known of each. */
#include "report/frame_class.h"
#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

/* Without --full: the rest is summed up in one line. */
#define LEAKS_SHOWN 25u

static const char *sizes_clause(struct gmt_heap *heap, const struct gmt_remains *leak)
{
    if (leak->count == 1)
        return "1 block";
    const char *blocks = gmt_words_count(heap, leak->count, "block");
    if (leak->smallest == leak->largest)
        return gmt_heap_print(heap, "%s of %s", blocks, gmt_words_size(heap, leak->largest));
    return gmt_heap_print(heap, "%s of %s to %s", blocks, gmt_words_size(heap, leak->smallest),
                          gmt_words_size(heap, leak->largest));
}

/* Who ended them with their context. That the runtime gives a context back at exit is ordinary, and not said. */
static void write_end(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_remains *leak)
{
    const struct gmt_caller *ended = leak->context ? &leak->context->ended : NULL;
    if (!ended || !ended->entry || (leak->state == GMT_REMAINS_RELEASE && !gmt_stack_is_call(ended->stack)))
        return;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      ended by %s, %s after the start",
                  gmt_words_caller(writer->heap, process, ended),
                  gmt_words_time(writer->heap, leak->context->ended_ns));
}

/* "it was", "all of them were", "1 of them was": a part of the leak's blocks. */
static const char *part_words(struct gmt_heap *heap, const struct gmt_remains *leak, uint64_t part)
{
    if (leak->count == 1)
        return "it was";
    if (part == leak->count)
        return "all of them were";
    return gmt_heap_print(heap, "%s of them %s", gmt_words_number(heap, part), part == 1 ? "was" : "were");
}

static void write_holders(struct gmt_text_writer *writer, const struct gmt_process *process,
                          const struct gmt_remains *leak)
{
    struct gmt_heap *heap = writer->heap;
    bool handle = leak->state == GMT_REMAINS_HANDLE_ONLY || leak->state == GMT_REMAINS_MAPPED_ONLY ||
                  leak->state == GMT_REMAINS_HANDLE_AND_MAPPING;
    if (handle || leak->references > leak->count)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s%s%s%s", leak->count > 1 ? "together " : "",
                      gmt_words_count(heap, leak->references, "reference"), handle ? ", " : "",
                      handle ? gmt_words_count(heap, leak->mappings, "mapping") : "");
    if (leak->exported_count)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "      %s exported to other processes%s; whether they have it open cannot be known",
                      part_words(heap, leak, leak->exported_count),
                      gmt_words_call(heap, process, "", leak->exported_stack));
}

static void write_failed_next(struct gmt_text_writer *writer, const struct gmt_process *process,
                              const struct gmt_remains *leak)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_failed_call *call = leak->failed_next;
    if (!call)
        return;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                  "      %s taken right before a call of its thread failed: %s, with %s",
                  part_words(heap, leak, leak->failed_next_count),
                  gmt_words_call(heap, process, call->api, call->stack), gmt_words_result(heap, call->code));
}

static void write_siblings(struct gmt_text_writer *writer, const struct gmt_process *process,
                           const struct gmt_remains *leak)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_site *site = leak->site;
    uint64_t freed = site->total_count > site->kept_count ? site->total_count - site->kept_count : 0;
    if (freed && site->freed_by.entry)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s from here %s freed, the last by %s",
                      gmt_words_count(heap, freed, "other block"), freed == 1 ? "was" : "were",
                      gmt_words_caller(heap, process, &site->freed_by));
}

static void write_makers(struct gmt_text_writer *writer, const struct gmt_remains *leak)
{
    if (leak->takers[GMT_TAKER_ENDED])
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s taken by threads that have ended",
                      part_words(writer->heap, leak, leak->takers[GMT_TAKER_ENDED]));
    if (leak->site->library && leak->site->library->unloaded)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s, which took %s, has been unloaded",
                      leak->site->library->name, leak->count == 1 ? "it" : "them");
}

static void write_leak(struct gmt_text_writer *writer, const struct gmt_process *process, unsigned index)
{
    static const char *const clauses[] = {
#define GMT_REMAINS(name, json, words) words,
#include "report/remains_states.def"
#undef GMT_REMAINS
    };
    struct gmt_heap *heap = writer->heap;
    const struct gmt_remains *leak = process->leaks[index];
    const struct gmt_site *site = leak->site;
    const char *clause = clauses[leak->state];
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "%s %u of %u: %s in %s, %s on %s, taken by %s%s%s",
                  process->end.by == GMT_ENDED_RUNNING ? "Live" : "Leak", index + 1, process->leak_count,
                  gmt_words_size(heap, leak->bytes), sizes_clause(heap, leak), gmt_kind_words(site->kind),
                  gmt_words_device(heap, site->device), site->api, *clause ? "; " : "", clause);
    gmt_text_stack(writer, process, site->stack);
    write_end(writer, process, leak);
    write_holders(writer, process, leak);
    write_failed_next(writer, process, leak);
    write_siblings(writer, process, leak);
    write_makers(writer, leak);
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
        bytes += process->leaks[i]->bytes;
        count += process->leaks[i]->count;
    }
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "and %s in %s at %u more call sites; --full lists them all",
                  gmt_words_size(writer->heap, bytes), gmt_words_count(writer->heap, count, "block"),
                  process->leak_count - shown);
}
