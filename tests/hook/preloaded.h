/* A test program that starts itself again under the tracer, once for each of its cases: outside it is a cmocka program,
 * inside it runs one case and tells by its exit status how that went.
 *
 * The environment says where things are: GMT_LIBRARY the tracer, GMT_RUNTIME what a sanitizer needs before it (or
 * empty), GMT_DRIVERS the folder of the drivers' folders. */
#ifndef GMT_TESTS_PRELOADED_H
#define GMT_TESTS_PRELOADED_H

#include <stdbool.h>

#include "support/scratch.h"

struct preloaded {
    const char *driver;    /* folder of the driver below GMT_DRIVERS; NULL: "table" */
    const char *options;   /* more of GPUMEMTRACE_OPTIONS, or NULL */
    const char *before;    /* another preload, in front of the tracer, or NULL */
    const char *after;     /* … and behind it */
    bool native;           /* without the tracer */
    const char *parameter; /* the case's parameter, or NULL */
    char *output;          /* gets what the case prints, or NULL */
    unsigned output_bytes;
};

/* Runs a case by its name. The exit status, or 128 and the signal. `traces_out`, when not NULL, gets the number of
 * trace files that were left. */
int preloaded_run(const char *name, const struct preloaded *how, unsigned *traces_out);

/* Inside: the folder of the trace file. */
const char *preloaded_folder(void);

/* Inside: the path of the one trace file, or NULL while there is none. */
const char *preloaded_trace(void);

#endif
