#include "report/frame_class.h"

#include <string.h>

static bool starts_with(const char *string, const char *start)
{
    return strncmp(string, start, strlen(start)) == 0;
}

static const char *module_name(const struct gmt_frame *frame)
{
    return frame->module ? frame->module->name : "";
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
    return function && starts_with(function, "cuda") && function[4] >= 'A' && function[4] <= 'Z';
}

bool gmt_frame_is_cudart(const struct gmt_frame *frame, bool leading)
{
    static const char *const internal[] = {"cudart::", "__cudart", "libcudart_static_"};
    if (starts_with(module_name(frame), "libcudart.so"))
        return true;
    if (!leading)
        return false;
    if (in_runtime_header(frame) || gmt_name_is_runtime(frame->function))
        return true;
    for (unsigned i = 0; frame->function && i < sizeof internal / sizeof internal[0]; i++)
        if (starts_with(frame->function, internal[i]))
            return true;
    return false;
}

enum gmt_frame_class gmt_frame_classify(const struct gmt_frame *frame, bool leading)
{
    static const char *const system[] = {"libc.so", "libc-", "libpthread", "ld-linux", "[vdso]"};
    const char *module = module_name(frame);
    if (starts_with(module, "libgpumemtrace.so"))
        return GMT_FRAME_TRACER;
    if (starts_with(module, "libcuda.so") || gmt_frame_is_cudart(frame, leading))
        return GMT_FRAME_CUDA;
    for (unsigned i = 0; i < sizeof system / sizeof system[0]; i++)
        if (starts_with(module, system[i]))
            return GMT_FRAME_SYSTEM;
    return GMT_FRAME_USER;
}

/* Code that runs before main and below a thread's function: the same for every program, so nobody needs to see it. */
static bool is_start_up(const struct gmt_frame *frame)
{
    return frame->belongs_to == GMT_FRAME_SYSTEM || (frame->function && strcmp(frame->function, "_start") == 0);
}

void gmt_stack_classify(struct gmt_stack *stack, struct gmt_frame *frames)
{
    bool leading = true;
    stack->user = -1;
    for (unsigned i = 0; i < stack->count; i++) {
        frames[i].belongs_to = gmt_frame_classify(&frames[i], leading);
        if (frames[i].belongs_to != GMT_FRAME_USER)
            continue;
        leading = false;
        if (stack->user < 0)
            stack->user = (int)i;
    }
    stack->shown_first = stack->user > 0 ? (unsigned)stack->user : 0;
    stack->shown_end = stack->count;
    while (stack->shown_end > stack->shown_first + 1 && is_start_up(&frames[stack->shown_end - 1]))
        stack->shown_end--;
}
