#include "report/stack_runs.h"

#include <stdbool.h>
#include <string.h>

/* Functions that call each other in a circle; longer ones are rare, and every length is tried at every frame. */
#define LENGTH_MAX 32u

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_frame(const struct gmt_frame *a, const struct gmt_frame *b)
{
    return a->module == b->module && a->offset == b->offset && a->line == b->line && a->inlined == b->inlined &&
           is_same_text(a->function, b->function);
}

static unsigned times_of(const struct gmt_stack *stack, unsigned first, unsigned end, unsigned length)
{
    unsigned at = first + length;
    while (at < end && is_same_frame(&stack->frames[at], &stack->frames[at - length]))
        at++;
    return (at - first) / length;
}

struct gmt_stack_run gmt_stack_run_at(const struct gmt_stack *stack, unsigned first, unsigned end)
{
    struct gmt_stack_run best = {1, 1};
    unsigned most_saved = 1;
    for (unsigned length = 1; length <= LENGTH_MAX && length <= (end - first) / 2; length++) {
        unsigned times = times_of(stack, first, end, length);
        unsigned saved = (times - 1) * length;
        if (saved <= most_saved)
            continue;
        most_saved = saved;
        best = (struct gmt_stack_run){length, times};
    }
    return best;
}
