#include "report/api_name.h"

#include <ctype.h>
#include <string.h>

#include "report/frame_class.h"

/* Length of `name` without template arguments, parameters, and the suffixes of per-thread streams and ABI versions. */
static size_t plain_length(const char *name)
{
    size_t length = strcspn(name, "<(@");
    for (;;) {
        if (length > 5 &&
            (strncmp(name + length - 5, "_ptsz", 5) == 0 || strncmp(name + length - 5, "_ptds", 5) == 0)) {
            length -= 5;
            continue;
        }
        size_t digits = length;
        while (digits > 0 && isdigit((unsigned char)name[digits - 1]))
            digits--;
        if (digits == length || digits < 3 || name[digits - 1] != 'v' || name[digits - 2] != '_')
            return length;
        length = digits - 2;
    }
}

/* The outermost runtime function of the innermost run of frames inside the runtime; NULL when there is none. The
 * outermost, because one runtime function may be made of another. */
static const char *runtime_function(const struct gmt_stack *stack)
{
    const char *found = NULL;
    for (unsigned i = 0; i < stack->count; i++) {
        const struct gmt_frame *frame = &stack->frames[i];
        if (frame->belongs_to == GMT_FRAME_TRACER)
            continue;
        if (frame->belongs_to != GMT_FRAME_CUDA)
            break;
        if (gmt_name_is_runtime(frame->function) && gmt_frame_is_cudart(frame))
            found = frame->function;
    }
    return found;
}

const char *gmt_api_name(const struct gmt_stack *stack, const char *entry, struct gmt_heap *heap)
{
    const char *name = stack ? runtime_function(stack) : NULL;
    if (!name)
        name = entry ? entry : "an unknown function";
    return gmt_heap_print(heap, "%.*s", (int)plain_length(name), name);
}
