/* The end: a report, and with the gate on an exit code. Registered by on_exit from the library's constructor, so before
 * everything that the program registers; it therefore runs after the program's handlers and after the statics of its
 * libraries, which may still free device memory. No CUDA call is made here. */
#include "hook/lifecycle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/syscall.h"
#include "hook/notice.h"
#include "hook/process.h"
#include "hook/renderer.h"
#include "hook/summary.h"
#include "hook/threads.h"

/* The report's exit status for leaks when the gate asks for it. */
#define LEAKS_FOUND 23

/* Writes the report. True when there are leaks (known only when `ask_leaks`). */
static bool report(struct gmt_tracker *tracker, const struct gmt_options *options, bool ask_leaks)
{
    int status = gmt_renderer_at_exit(tracker, ask_leaks);
    if (status == 0 || (ask_leaks && status == LEAKS_FOUND))
        return status != 0;
    bool leaks = gmt_summary_write(tracker);
    const char *path = gmt_tracker_path(tracker);
    if (path[0] == '\0')
        return leaks;
    if (!options->keep && !leaks) {
        gmt_syscall(SYS_unlinkat, AT_FDCWD, path, 0);
        return leaks;
    }
    gmt_notice_line("the full report can be had with the command: gpumemtrace report, and the trace file");
    gmt_notice_line(path);
    return leaks;
}

static void at_end(int argument_of_exit, void *argument)
{
    (void)argument;
    int status = argument_of_exit & 0xff; /* what a parent sees: exit(256) is a success */
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (!tracker)
        return;
    const struct gmt_options *options = gmt_process_options();
    gmt_threads_look_around(tracker);
    gmt_tracker_ended(tracker, GMT_END_EXIT, status);
    if (strcmp(options->render, "command") != 0)
        return; /* a parent writes the report, or nobody */
    bool gate = options->leak_check && status == 0;
    if (report(tracker, options, options->leak_check) && gate) {
        fflush(NULL); /* _exit does not, and the program's output must be whole */
        _exit((int)options->error_exitcode);
    }
}

void gmt_lifecycle_register(void)
{
    on_exit(at_end, NULL);
}

__attribute__((constructor)) static void begin(void)
{
    gmt_process_start();
}
