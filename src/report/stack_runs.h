/* Recursion: parts of a stack that come several times in a row, so that they are shown once. */
#ifndef GMT_REPORT_STACK_RUNS_H
#define GMT_REPORT_STACK_RUNS_H

#include "report/model.h"

struct gmt_stack_run {
    unsigned length; /* frames of the part, >= 1 */
    unsigned times;  /* how often it comes in a row, >= 1 */
};

/* The part that starts at `first` and ends before `end`, at most 32 frames long, whose repetition saves the most lines.
 * What comes twice in a row and is one frame long counts as two frames: a line about it would save none. */
struct gmt_stack_run gmt_stack_run_at(const struct gmt_stack *stack, unsigned first, unsigned end);

#endif
