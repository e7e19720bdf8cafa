/* What happens at once when a call failed for lack of memory. */
#ifndef GMT_HOOK_OUT_OF_MEMORY_H
#define GMT_HOOK_OUT_OF_MEMORY_H

#include "track/tracker.h"

/* Records the failure with what was live, and tells the user: the full report for the first ones (option oom_reports),
 * one line for the others. Blocks until the report is written. */
void gmt_out_of_memory(struct gmt_tracker *tracker, const struct gmt_event *event);

#endif
