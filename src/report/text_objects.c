/* Objects that nobody destroyed, in the text format. They are listed; they are no leaks. */
#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/text_sections.h"
#include "report/words.h"

#define OBJECTS_SHOWN 10u

static uint64_t left_of(const struct gmt_object *object)
{
    return object->live_count + object->ended_count;
}

/* Modules that the runtime keeps for itself are in every program. */
static bool is_shown(const struct gmt_text_writer *writer, const struct gmt_object *object)
{
    return left_of(object) > 0 && (writer->options->full || !gmt_object_is_implicit(object));
}

static const char *state_words(const struct gmt_remains *remains)
{
    switch (remains->state) {
    case GMT_REMAINS_RELEASE:
    case GMT_REMAINS_RESET:
    case GMT_REMAINS_DESTROY:
        return "gone with their context";
    case GMT_REMAINS_MAPPED:
        return "created and mapped, never unmapped";
    case GMT_REMAINS_NO_ACCESS:
        return "created and mapped, never given access";
    case GMT_REMAINS_RESERVED_ONLY:
        return "reserved, with nothing mapped there";
    case GMT_REMAINS_RESERVED_AND_MAPPED:
        return "reserved and mapped";
    default:
        return NULL;
    }
}

static void write_object(struct gmt_text_writer *writer, const struct gmt_process *process,
                         const struct gmt_object *object)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s%s (created %s, destroyed %s): %s",
                  gmt_kind_count(heap, left_of(object), object->site->kind),
                  object->bytes ? gmt_heap_print(heap, ", %s", gmt_words_size(heap, object->bytes)) : "",
                  gmt_words_number(heap, object->created), gmt_words_number(heap, object->destroyed),
                  gmt_words_site(heap, process, object->site));
    for (unsigned i = 0; i < object->state_count; i++) {
        const struct gmt_remains *remains = object->states[i];
        const char *words = state_words(remains);
        if (words)
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s: %s", words,
                          gmt_words_number(heap, remains->count));
        if (remains->failed_next)
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                          "      made right before a call of its thread failed: %s; %s, with %s",
                          gmt_words_number(heap, remains->failed_next_count),
                          gmt_words_call(heap, process, remains->failed_next->api, remains->failed_next->stack),
                          gmt_words_result(heap, remains->failed_next->code));
        if (remains->takers[GMT_TAKER_ENDED])
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      made by threads that have ended: %s",
                          gmt_words_number(heap, remains->takers[GMT_TAKER_ENDED]));
    }
    if (object->variable_bytes)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "      %s of variables in %s",
                      gmt_words_size(heap, object->variable_bytes), left_of(object) == 1 ? "it" : "them");
    if (writer->options->full_stacks)
        gmt_text_stack(writer, process, object->site->stack);
}

void gmt_text_objects(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = 0;
    uint64_t left_out = 0, sites_left_out = 0;
    for (unsigned i = 0; i < process->object_count; i++) {
        const struct gmt_object *object = &process->objects[i];
        if (!is_shown(writer, object))
            continue;
        if (shown == OBJECTS_SHOWN && !writer->options->full) {
            left_out += left_of(object);
            sites_left_out++;
            continue;
        }
        if (shown++ == 0) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Objects %s",
                          process->end.by == GMT_ENDED_RUNNING ? "that are there" : "still there at the end");
        }
        write_object(writer, process, object);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %s at %s more; --full lists them all",
                      gmt_words_count(writer->heap, left_out, "object"),
                      gmt_words_count(writer->heap, sites_left_out, "call site"));
}
