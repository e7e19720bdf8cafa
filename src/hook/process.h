/* The traced process: its settings, its tracker, what a fork changes. */
#ifndef GMT_HOOK_PROCESS_H
#define GMT_HOOK_PROCESS_H

#include <stdbool.h>

#include "base/options.h"
#include "track/tracker.h"

/* Reads the settings and copies the environment, once; later calls return at once. Runs from the constructor, or from
 * the first hook where constructors do not run. */
void gmt_process_start(void);

/* The settings. Valid after gmt_process_start. */
const struct gmt_options *gmt_process_options(void);

/* The environment as it was at the start, without LD_PRELOAD and LD_AUDIT: for the renderer. Ends with NULL. */
char *const *gmt_process_environment(void);

/* The tracker, or NULL while this process has not used CUDA (or has no memory for it). Notices a fork child, which
 * starts empty. */
struct gmt_tracker *gmt_process_tracker(void);

/* The same, opened now if it is not. */
struct gmt_tracker *gmt_process_open(void);

#endif
