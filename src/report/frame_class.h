/* Whose code a frame is, by its module's file name and its function's name. */
#ifndef GMT_REPORT_FRAME_CLASS_H
#define GMT_REPORT_FRAME_CLASS_H

#include <stdbool.h>

#include "report/model.h"

/* True for a name that the runtime API exports: "cuda" and a capital letter. */
bool gmt_name_is_runtime(const char *function);

/* True for code of the CUDA runtime, shared or linked in. `leading`: every frame nearer to the driver is CUDA's too.
 * Only then do function names count: further out a cudaSomething is the program's own. */
bool gmt_frame_is_cudart(const struct gmt_frame *frame, bool leading);

enum gmt_frame_class gmt_frame_classify(const struct gmt_frame *frame, bool leading);

/* Fills user, shown_first and shown_end of a stack whose frames are named, and each frame's class. */
void gmt_stack_classify(struct gmt_stack *stack, struct gmt_frame *frames);

#endif
