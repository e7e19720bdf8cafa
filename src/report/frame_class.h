/* Whose code a frame is, by its module's file name and its function's name: the rows of frame_rules.def. */
#ifndef GMT_REPORT_FRAME_CLASS_H
#define GMT_REPORT_FRAME_CLASS_H

#include <stdbool.h>

#include "report/model.h"

/* True for a name that the runtime API exports: "cuda" and a capital letter. */
bool gmt_name_is_runtime(const char *function);

/* True for code of the CUDA runtime, shared or linked in, when every frame nearer to the driver is CUDA's too: further
 * out a cudaSomething is the program's own. */
bool gmt_frame_is_cudart(const struct gmt_frame *frame);

/* The class by the module alone: USER when no row knows it, NULL included. What a module of another class takes, it
 * takes for somebody else. */
enum gmt_frame_class gmt_module_classify(const struct gmt_module *module);

/* `inner` is what the frames nearer to the driver leave open: CUDA when none of them is plumbing or the program's own,
 * PLUMBING when none is the program's own, else USER. Names count only in front of what they may belong to. */
enum gmt_frame_class gmt_frame_classify(const struct gmt_frame *frame, enum gmt_frame_class inner);

/* Fills user, shown_first and shown_end of a stack whose frames are named, and each frame's class. */
void gmt_stack_classify(struct gmt_stack *stack, struct gmt_frame *frames);

/* True when the program's own code made the call: not the loader or libc on its behalf, as at exit. False for NULL. */
bool gmt_stack_is_call(const struct gmt_stack *stack);

#endif
