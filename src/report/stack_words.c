#include "report/stack_words.h"

#include <inttypes.h>
#include <string.h>

#include "report/stack_runs.h"

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

const char *gmt_words_frame(struct gmt_heap *heap, const struct gmt_frame *frame)
{
    return frame->function ? frame->function : code_place(heap, frame);
}

const char *gmt_words_frame_place(struct gmt_heap *heap, const struct gmt_process *process,
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

/* "load (src/loader.c:142)", or "libfoo.so+0x1a2b". */
static const char *frame_words(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_frame *frame)
{
    if (!frame->file || !frame->line)
        return gmt_words_frame(heap, frame);
    return gmt_heap_print(heap, "%s (%s:%" PRIu32 ")", gmt_words_frame(heap, frame), short_file(process, frame->file),
                          frame->line);
}

/* A helper that takes memory is called from many places, so its callers belong to the answer. */
const char *gmt_words_call(struct gmt_heap *heap, const struct gmt_process *process, const char *api,
                           const struct gmt_stack *stack)
{
    const char *words = api;
    unsigned shown = 0;
    for (unsigned at = stack ? stack->shown_first : 0; stack && at < stack->shown_end;) {
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

const char *gmt_words_caller(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_caller *caller)
{
    return caller->entry ? gmt_words_call(heap, process, caller->api, caller->stack) : "an unknown caller";
}

const char *gmt_words_site(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_site *site)
{
    return gmt_words_call(heap, process, site->api, site->stack);
}
