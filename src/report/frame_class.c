#include "report/frame_class.h"

#include <string.h>

struct rule {
    enum gmt_frame_class class;
    const char *start;
};

static const struct rule module_rules[] = {
#define GMT_FRAME_MODULE(class, start) {GMT_FRAME_##class, start},
#define GMT_FRAME_FUNCTION(class, start)
#include "report/frame_rules.def"
#undef GMT_FRAME_MODULE
#undef GMT_FRAME_FUNCTION
};

static const struct rule function_rules[] = {
#define GMT_FRAME_MODULE(class, start)
#define GMT_FRAME_FUNCTION(class, start) {GMT_FRAME_##class, start},
#include "report/frame_rules.def"
#undef GMT_FRAME_MODULE
#undef GMT_FRAME_FUNCTION
};

static enum gmt_frame_class class_of(const struct rule *rules, size_t count, const char *name)
{
    for (size_t i = 0; name && i < count; i++)
        if (strncmp(name, rules[i].start, strlen(rules[i].start)) == 0)
            return rules[i].class;
    return GMT_FRAME_USER;
}

enum gmt_frame_class gmt_module_classify(const struct gmt_module *module)
{
    return class_of(module_rules, sizeof module_rules / sizeof module_rules[0], module ? module->name : NULL);
}

static enum gmt_frame_class function_class(const char *function)
{
    return class_of(function_rules, sizeof function_rules / sizeof function_rules[0], function);
}

/* The toolkit's header holds C++ templates around the runtime's functions; built without optimisation they are frames.
 */
static bool in_runtime_header(const struct gmt_frame *frame)
{
    if (!frame->file)
        return false;
    const char *slash = strrchr(frame->file, '/');
    const char *file = slash ? slash + 1 : frame->file;
    return strcmp(file, "cuda_runtime.h") == 0 || strcmp(file, "cuda_runtime_api.h") == 0;
}

bool gmt_name_is_runtime(const char *function)
{
    return function && strncmp(function, "cuda", 4) == 0 && function[4] >= 'A' && function[4] <= 'Z';
}

bool gmt_frame_is_cudart(const struct gmt_frame *frame)
{
    if (frame->module && strncmp(frame->module->name, "libcudart.so", strlen("libcudart.so")) == 0)
        return true;
    return in_runtime_header(frame) || gmt_name_is_runtime(frame->function) ||
           function_class(frame->function) == GMT_FRAME_CUDA;
}

enum gmt_frame_class gmt_frame_classify(const struct gmt_frame *frame, enum gmt_frame_class inner)
{
    enum gmt_frame_class class = gmt_module_classify(frame->module);
    if (class != GMT_FRAME_USER || inner == GMT_FRAME_USER)
        return class;
    if (inner == GMT_FRAME_CUDA && gmt_frame_is_cudart(frame))
        return GMT_FRAME_CUDA;
    return function_class(frame->function) == GMT_FRAME_PLUMBING ? GMT_FRAME_PLUMBING : GMT_FRAME_USER;
}

/* Code that runs before main and below a thread's function: the same for every program, so nobody needs to see it. */
static bool is_start_up(const struct gmt_frame *frame)
{
    enum gmt_frame_class class = gmt_frame_classify(frame, GMT_FRAME_PLUMBING);
    return class == GMT_FRAME_SYSTEM || class == GMT_FRAME_PLUMBING ||
           (frame->function && strcmp(frame->function, "_start") == 0);
}

/* _start of a stripped program: nothing else calls libc from the outermost frame. */
static bool ends_in_unnamed_start(const struct gmt_stack *stack, const struct gmt_frame *frames)
{
    return stack->count > 1 && !stack->cut && !stack->incomplete && !frames[stack->count - 1].function &&
           frames[stack->count - 2].belongs_to == GMT_FRAME_SYSTEM;
}

void gmt_stack_classify(struct gmt_stack *stack, struct gmt_frame *frames)
{
    enum gmt_frame_class inner = GMT_FRAME_CUDA;
    stack->user = -1;
    for (unsigned i = 0; i < stack->count; i++) {
        frames[i].belongs_to = gmt_frame_classify(&frames[i], inner);
        if (frames[i].belongs_to == GMT_FRAME_PLUMBING && inner == GMT_FRAME_CUDA)
            inner = GMT_FRAME_PLUMBING;
        if (frames[i].belongs_to != GMT_FRAME_USER)
            continue;
        inner = GMT_FRAME_USER;
        if (stack->user < 0)
            stack->user = (int)i;
    }
    stack->shown_first = stack->user > 0 ? (unsigned)stack->user : 0;
    stack->shown_end = stack->count;
    if (ends_in_unnamed_start(stack, frames) && stack->shown_end > stack->shown_first + 1)
        stack->shown_end--;
    while (stack->shown_end > stack->shown_first + 1 && is_start_up(&frames[stack->shown_end - 1]))
        stack->shown_end--;
}

bool gmt_stack_is_call(const struct gmt_stack *stack)
{
    for (unsigned i = 0; stack && i < stack->count; i++) {
        enum gmt_frame_class class = stack->frames[i].belongs_to;
        if (class == GMT_FRAME_USER || class == GMT_FRAME_SYSTEM)
            return class == GMT_FRAME_USER;
    }
    return false;
}
