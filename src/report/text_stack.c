/* Call stacks in the text format. */
#include <inttypes.h>
#include <string.h>

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

void gmt_text_stack(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_stack *stack)
{
    struct gmt_heap *heap = writer->heap;
    if (!stack)
        return;
    bool full = writer->options->full_stacks;
    unsigned first = full ? 0 : stack->shown_first;
    unsigned end = full ? stack->count : stack->shown_end;
    int columns = name_columns(heap, stack, first, end);
    for (unsigned i = first; i < end; i++) {
        const struct gmt_frame *frame = &stack->frames[i];
        const char *name = frame_name(heap, frame);
        int width = (int)gmt_utf8_columns(name);
        bool user = (int)i == stack->user;
        gmt_lines_add(&writer->lines, user ? GMT_STYLE_STRONG : GMT_STYLE_PLAIN, "    %c %s%*s  %s", user ? '>' : ' ',
                      name, width < columns ? columns - width : 0, "", frame_location(heap, process, frame));
    }
    if (stack->cut)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT,
                      "      (frames further out were not recorded; the option depth sets how many are)");
    else if (stack->incomplete)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (the stack could not be followed further out)");
    else if (stack->count == 0)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "      (no call stack was recorded)");
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
    for (unsigned i = stack->shown_first; i < stack->shown_end; i++) {
        unsigned shown = i - stack->shown_first;
        if (shown == SITE_FRAMES_MAX)
            return gmt_heap_print(heap, "%s < ...", words);
        words = gmt_heap_print(heap, "%s %s %s", words, shown == 0 ? "in" : "<",
                               frame_words(heap, process, &stack->frames[i]));
    }
    return words;
}
