/* Call stacks in the text format. */
#include "report/stack_runs.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/utf8.h"

/* Wider names push their own location to the right, not everybody's. */
#define NAME_COLUMNS_MAX 44

static int name_columns(struct gmt_heap *heap, const struct gmt_stack *stack, unsigned first, unsigned end)
{
    size_t columns = 0;
    for (unsigned i = first; i < end; i++) {
        size_t length = gmt_utf8_columns(gmt_words_frame(heap, &stack->frames[i]));
        if (length > columns && length <= NAME_COLUMNS_MAX)
            columns = length;
    }
    return (int)columns;
}

static void write_frame(struct gmt_text_writer *writer, const struct gmt_process *process,
                        const struct gmt_stack *stack, unsigned index, int columns)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_frame *frame = &stack->frames[index];
    const char *name = gmt_words_frame(heap, frame);
    int width = (int)gmt_utf8_columns(name);
    bool user = (int)index == stack->user;
    gmt_lines_add(&writer->lines, user ? GMT_STYLE_STRONG : GMT_STYLE_PLAIN, "    %c %s%*s  %s", user ? '>' : ' ', name,
                  width < columns ? columns - width : 0, "", gmt_words_frame_place(heap, process, frame));
}

/* "(... the 2 frames above repeated 13 times more)" */
static void write_repetition(struct gmt_text_writer *writer, struct gmt_stack_run run)
{
    const char *frames = run.length == 1 ? "frame" : gmt_heap_print(writer->heap, "%u frames", run.length);
    if (run.times == 2)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (... the %s above repeated once more)", frames);
    else if (run.times > 2)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (... the %s above repeated %u times more)", frames,
                      run.times - 1);
}

static void write_end(struct gmt_text_writer *writer, const struct gmt_stack *stack)
{
    if (stack->count == 0)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (no call stack was recorded)");
    else if (stack->cut)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT,
                      "      %u deepest frames shown, the outermost are cut (option depth)", stack->depth);
    else if (stack->incomplete && writer->options->full_stacks)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (the stack could not be followed further out)");
}

void gmt_text_stack(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_stack *stack)
{
    if (!stack)
        return;
    bool full = writer->options->full_stacks;
    unsigned end = full ? stack->count : stack->shown_end;
    unsigned at = full ? 0 : stack->shown_first;
    int columns = name_columns(writer->heap, stack, at, end);
    while (at < end) {
        struct gmt_stack_run run = gmt_stack_run_at(stack, at, end);
        for (unsigned i = 0; i < run.length; i++)
            write_frame(writer, process, stack, at + i, columns);
        write_repetition(writer, run);
        at += run.length * run.times;
    }
    write_end(writer, stack);
}
