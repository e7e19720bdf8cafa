/* Failed calls in the text format, with what they were about. */
#include <inttypes.h>

#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

#define FAILURES_SHOWN 10u

static const char *times_words(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    return call->count == 1 ? "once" : gmt_heap_print(heap, "%s times", gmt_words_number(heap, call->count));
}

/* What the address of a stray free is. */
static const char *address_words(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    switch (call->address_is) {
    case GMT_ADDRESS_INSIDE_BLOCK:
        return gmt_heap_print(heap, "; that is %s into a block, not its start",
                              gmt_words_size(heap, call->last_address - call->near_address));
    case GMT_ADDRESS_STACK:
        return "; that is on the calling thread's own stack: the address of a variable";
    case GMT_ADDRESS_HOST:
        return "; that is memory of the host which no call had taken";
    case GMT_ADDRESS_OTHER_FAMILY:
        return call->near_site ? gmt_heap_print(heap, "; %s starts there, which this call does not give back",
                                                gmt_kind_one(heap, call->near_site->kind))
                               : "; something else starts there";
    case GMT_ADDRESS_ENDED:
        return "; what was there had ended with its context";
    default:
        return "; no live block starts there";
    }
}

/* Not where calls are refused altogether, as in a stream's host function: there the question after the context is, too.
 */
static const char *thread_words(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    if (!call->no_context || call->code == GMT_CODE_NOT_PERMITTED)
        return "";
    if (!call->thread)
        return ", on a thread without a current context";
    return gmt_heap_print(heap, ", on thread %" PRIu32 "%s%s%s, which had no current context", call->thread->id,
                          call->thread->name ? " (" : "", call->thread->name ? call->thread->name : "",
                          call->thread->name ? ")" : "");
}

/* Memory and address ranges are freed, objects destroyed. */
static const char *ending_words(const struct gmt_failed_call *call, const char *freed, const char *destroyed)
{
    return call->near_site && gmt_kind_space(call->near_site->kind) == GMT_SPACE_OBJECT ? destroyed : freed;
}

/* "a second free of the same block", "a second destruction of the same module". */
static const char *second_words(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    if (!call->near_site || gmt_space_is_memory(gmt_kind_space(call->near_site->kind)))
        return "a second free of the same block";
    return gmt_heap_print(heap, "a second %s of the same %s", ending_words(call, "free", "destruction"),
                          gmt_kind_words(call->near_site->kind));
}

static const char *failure_sentence(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    const char *times = times_words(heap, call);
    if (call->kind == GMT_FAILURE_NULL)
        return gmt_heap_print(heap, "%s was called with a null pointer %s", call->api, times);
    const char *what = "";
    if (call->last_address)
        what = gmt_heap_print(heap, " of 0x%" PRIx64, call->last_address);
    else if (call->last_bytes)
        what = gmt_heap_print(heap, " for %s", gmt_words_size(heap, call->last_bytes));
    if (call->kind == GMT_FAILURE_DOUBLE)
        return gmt_heap_print(heap, "%s%s was %s, %s, and returned %s%s", call->api, what, second_words(heap, call),
                              times, gmt_words_result(heap, call->code), thread_words(heap, call));
    if (call->kind == GMT_FAILURE_STRAY && call->code == 0)
        return gmt_heap_print(heap, "%s%s gave back what was not seen being taken, %s", call->api, what, times);
    return gmt_heap_print(heap, "%s%s failed %s with %s%s%s", call->api, what, times,
                          gmt_words_result(heap, call->code),
                          call->kind == GMT_FAILURE_STRAY ? address_words(heap, call) : "", thread_words(heap, call));
}

/* "1.00 MiB, taken by cudaMalloc in load", "an event, made by cudaEventCreate in run". */
static const char *near_words(struct gmt_heap *heap, const struct gmt_process *process,
                              const struct gmt_failed_call *call)
{
    const char *site = gmt_words_site(heap, process, call->near_site);
    if (gmt_space_is_memory(gmt_kind_space(call->near_site->kind)))
        return gmt_heap_print(heap, "%s, taken by %s", gmt_words_size(heap, call->near_bytes), site);
    return gmt_heap_print(heap, "%s, made by %s", gmt_kind_one(heap, call->near_site->kind), site);
}

static void write_double(struct gmt_text_writer *writer, const struct gmt_process *process,
                         const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                  "      it was %s first %s after the start:", ending_words(call, "freed", "destroyed"),
                  gmt_words_time(heap, call->near_ns));
    gmt_text_stack(writer, process, call->near_stack);
    if (!call->near_stack)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (no call stack was recorded)");
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      it was %s by %s:",
                  call->near_bytes ? gmt_heap_print(heap, "%s, taken", gmt_words_size(heap, call->near_bytes)) : "made",
                  call->near_site->api);
    gmt_text_stack(writer, process, call->near_site->stack);
}

/* The block that the address of a stray free is nearest to, in it or behind it. */
static void write_below(struct gmt_text_writer *writer, const struct gmt_process *process,
                        const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    uint64_t offset = call->last_address - call->near_address;
    const char *where = call->address_is == GMT_ADDRESS_ENDED ? "it was" : "it is";
    if (offset > 0)
        where =
            call->address_is == GMT_ADDRESS_INSIDE_BLOCK
                ? "the block is"
                : gmt_heap_print(heap, "the nearest block below starts %s before it:", gmt_words_size(heap, offset));
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s %s", where, near_words(heap, process, call));
}

static void write_near(struct gmt_text_writer *writer, const struct gmt_process *process,
                       const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    bool elsewhere = call->address_is == GMT_ADDRESS_STACK || call->address_is == GMT_ADDRESS_HOST;
    switch (call->near_role) {
    case GMT_NEAR_BELOW:
        if (!elsewhere && call->last_address >= call->near_address)
            write_below(writer, process, call);
        return;
    case GMT_NEAR_FREED:
        write_double(writer, process, call);
        return;
    case GMT_NEAR_SUBJECT:
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      so it was not given back: %s",
                      near_words(heap, process, call));
        return;
    case GMT_NEAR_IN_THE_WAY:
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "      in the way is an earlier registration of 0x%" PRIx64 ": %s", call->near_address,
                      near_words(heap, process, call));
        if (call->near_unmapped)
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                          "      the program has unmapped that memory since, and never unregistered it");
        return;
    case GMT_NEAR_NOTHING:
        return;
    }
}

/* Requests that did not fit have a section of their own; frees of null are harmless, --full lists them; calls that came
 * too late and exports are notes. */
static bool is_shown(const struct gmt_text_writer *writer, const struct gmt_process *process,
                     const struct gmt_failed_call *call)
{
    if (call->kind == GMT_FAILURE_LATE || call->kind == GMT_FAILURE_EXPORTED)
        return false;
    if (call->kind == GMT_FAILURE_NULL)
        return writer->options->full;
    return !(process->oom_count && call->code == GMT_CODE_OUT_OF_MEMORY);
}

static void write_heading(struct gmt_text_writer *writer, unsigned shown)
{
    if (shown > 0)
        return;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Failed calls");
}

void gmt_text_failures(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = 0, left_out = 0;
    for (unsigned i = 0; i < process->failure_count; i++) {
        const struct gmt_failed_call *call = &process->failures[i];
        if (!is_shown(writer, process, call))
            continue;
        if (shown == FAILURES_SHOWN && !writer->options->full) {
            left_out++;
            continue;
        }
        write_heading(writer, shown++);
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s", failure_sentence(writer->heap, call));
        gmt_text_stack(writer, process, call->stack);
        write_near(writer, process, call);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %u more kinds; --full lists them all", left_out);
    if (process->null_count >= GMT_NULL_FREES_MANY && !writer->options->full) {
        write_heading(writer, shown);
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s of a null pointer; --full lists where",
                      gmt_words_count(writer->heap, process->null_count, "free"));
    }
}
