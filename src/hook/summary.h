/* The short report that the library writes itself where the command cannot: at most 20 lines, names only where they are
 * exported, everything else as module+offset. */
#ifndef GMT_HOOK_SUMMARY_H
#define GMT_HOOK_SUMMARY_H

#include <stdbool.h>

#include "track/tracker.h"

/* Writes it to standard error. Reads the trace without a lock. Returns true when blocks are still live or were ended
 * without a free. */
bool gmt_summary_write(struct gmt_tracker *tracker);

#endif
