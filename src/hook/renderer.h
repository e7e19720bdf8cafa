/* The report is written by the gpumemtrace command, started from here without the program noticing: no SIGCHLD, nothing
 * for its wait(), no descriptor, no signal handler of its own run. */
#ifndef GMT_HOOK_RENDERER_H
#define GMT_HOOK_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

#include "track/tracker.h"

/* Finds the command: the option `command`, else beside this library, else in ../bin from it. Once, when the trace is
 * opened. */
void gmt_renderer_find(void);

/* Writes the report of out-of-memory record `record` now. False when that cannot be done. Blocks, at most as long as
 * the option render_seconds says. */
bool gmt_renderer_out_of_memory(struct gmt_tracker *tracker, uint32_t record);

/* Writes the report at exit. The command's exit status (0 no leaks, 23 leaks when `ask_leaks`), or -1 when it could not
 * be started or did not finish. */
int gmt_renderer_at_exit(struct gmt_tracker *tracker, bool ask_leaks);

#endif
