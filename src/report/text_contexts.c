/* Contexts in the text format: who made the first one on each device, and who ended it. */
#include "report/frame_class.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

#define CONTEXTS_SHOWN 16u

/* The one context of an ordinary program goes without saying, unless calls failed: they may have made it or lack it. */
static bool says_something(const struct gmt_text_writer *writer, const struct gmt_process *process)
{
    if (writer->options->full || process->context_count > 1)
        return true;
    for (unsigned i = 0; i < process->failure_count; i++)
        if (gmt_failed_call_counts(&process->failures[i]) && process->failures[i].code != GMT_CODE_OUT_OF_MEMORY)
            return true;
    for (unsigned i = 0; i < process->context_count; i++)
        if (process->contexts[i].idle)
            return true;
    return false;
}

static const char *end_words(struct gmt_heap *heap, const struct gmt_process *process,
                             const struct gmt_context *context)
{
    static const char *const verbs[] = {
        [GMT_CONTEXT_RELEASED] = "released", [GMT_CONTEXT_RESET] = "reset", [GMT_CONTEXT_DESTROYED] = "destroyed"};
    if (context->state == GMT_CONTEXT_LIVE)
        return context->primary || process->end.by == GMT_ENDED_RUNNING ? "" : "; never destroyed";
    const char *verb = verbs[context->state];
    if (!context->ended.entry)
        return gmt_heap_print(heap, "; %s %s after the start", verb, gmt_words_time(heap, context->ended_ns));
    if (!gmt_stack_is_call(context->ended.stack))
        return gmt_heap_print(heap, "; %s at exit", verb);
    return gmt_heap_print(heap, "; %s %s after the start by %s", verb, gmt_words_time(heap, context->ended_ns),
                          gmt_words_caller(heap, process, &context->ended));
}

static void write_context(struct gmt_text_writer *writer, const struct gmt_process *process,
                          const struct gmt_context *context)
{
    struct gmt_heap *heap = writer->heap;
    const char *made = context->created.entry ? gmt_heap_print(heap, "made %s after the start by %s",
                                                               gmt_words_time(heap, context->created_ns),
                                                               gmt_words_caller(heap, process, &context->created))
                                              : "who made it was not seen";
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s%s: %s%s%s", gmt_words_device(heap, context->device),
                  context->primary ? ", primary" : "", made, end_words(heap, process, context),
                  context->idle && context->first ? "; 0 bytes were allocated there" : "");
    if (writer->options->full_stacks)
        gmt_text_stack(writer, process, context->created.stack);
}

void gmt_text_contexts(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = 0, left_out = 0;
    if (!says_something(writer, process))
        return;
    for (unsigned i = 0; i < process->context_count; i++) {
        const struct gmt_context *context = &process->contexts[i];
        if (context->state == GMT_CONTEXT_UNSEEN)
            continue;
        if (shown >= CONTEXTS_SHOWN && !writer->options->full && !context->first) {
            left_out++;
            continue;
        }
        if (shown++ == 0) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Contexts");
        }
        write_context(writer, process, context);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %u more; --full lists them all", left_out);
}
