/* Call stacks in the text format. */
#include <inttypes.h>
#include <string.h>

#include "report/stack_runs.h"
#include "report/text_sections.h"
#include "report/utf8.h"

/* Wider names push their own location to the right, not everybody's. */
#define NAME_COLUMNS_MAX 44

/* Frames that stand for a whole stack in one line. */
#define SITE_FRAMES_MAX 4u

/* "libfoo.so+0x1a2b", or the address of code that no file backs. */
static const char *code_place(struct gmt_heap *heap, const struct gmt_frame *frame)
{
    if (!frame->module)
        return gmt_heap_print(heap, "0x%" PRIx64, frame->offset);
    return gmt_heap_print(heap, "%s+0x%" PRIx64, frame->module->name, frame->offset);
}

/* The file as seen from where the program ran, when it lies below. */
static const char *short_file(const struct gmt_process *process, const char *file)
{
    const char *folder = process->working_directory;
    size_t length = folder ? strlen(folder) : 0;
    if (length > 1 && strncmp(file, folder, length) == 0 && file[length] == '/')
        return file + length + 1;
    return file;
}

static const char *frame_name(struct gmt_heap *heap, const struct gmt_frame *frame)
{
    return frame->function ? frame->function : code_place(heap, frame);
}

static const char *frame_location(struct gmt_heap *heap, const struct gmt_process *process,
                                  const struct gmt_frame *frame)
{
    const char *location;
    if (frame->file && frame->line)
        location = gmt_heap_print(heap, "%s:%" PRIu32, short_file(process, frame->file), frame->line);
    else if (frame->function)
        location = code_place(heap, frame);
    else
        location = frame->module ? frame->module->path : "code that no file backs";
    if (frame->inlined)
        return gmt_heap_print(heap, "%s (inlined)", location);
    return location;
}

static int name_columns(struct gmt_heap *heap, const struct gmt_stack *stack, unsigned first, unsigned end)
{
    size_t columns = 0;
    for (unsigned i = first; i < end; i++) {
        size_t length = gmt_utf8_columns(frame_name(heap, &stack->frames[i]));
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
    const char *name = frame_name(heap, frame);
    int width = (int)gmt_utf8_columns(name);
    bool user = (int)index == stack->user;
    gmt_lines_add(&writer->lines, user ? GMT_STYLE_STRONG : GMT_STYLE_PLAIN, "    %c %s%*s  %s", user ? '>' : ' ', name,
                  width < columns ? columns - width : 0, "", frame_location(heap, process, frame));
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

/* "load (src/loader.c:142)", or "libfoo.so+0x1a2b". */
static const char *frame_words(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_frame *frame)
{
    if (!frame->file || !frame->line)
        return frame_name(heap, frame);
    return gmt_heap_print(heap, "%s (%s:%" PRIu32 ")", frame_name(heap, frame), short_file(process, frame->file),
                          frame->line);
}

/* A helper that takes memory is called from many places, so its callers belong to the answer. */
const char *gmt_text_site(struct gmt_text_writer *writer, const struct gmt_process *process,
                          const struct gmt_site *site)
{
    struct gmt_heap *heap = writer->heap;
    const struct gmt_stack *stack = site->stack;
    const char *words = site->api;
    if (!stack)
        return words;
    unsigned shown = 0;
    for (unsigned at = stack->shown_first; at < stack->shown_end;) {
        struct gmt_stack_run run = gmt_stack_run_at(stack, at, stack->shown_end);
        for (unsigned i = 0; i < run.length; i++, shown++) {
            if (shown == SITE_FRAMES_MAX)
                return gmt_heap_print(heap, "%s < ...", words);
            words = gmt_heap_print(heap, "%s %s %s", words, shown == 0 ? "in" : "<",
                                   frame_words(heap, process, &stack->frames[at + i]));
        }
        at += run.length * run.times;
    }
    return words;
}
