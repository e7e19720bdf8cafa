/* Where a report goes: a file, whole or not at all, or an open stream. */
#ifndef GMT_TOOLS_SINK_H
#define GMT_TOOLS_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "report/sentence.h"

/* A file being written. Regular files appear under their name at gmt_sink_close only, mode 0600 less the umask;
 * devices, pipes and what lies in /dev or /proc are written to directly. */
struct gmt_sink {
    FILE *file;
    char *path;      /* final name; malloc */
    char *temporary; /* or NULL when written to directly; malloc */
};

/* False, with a sentence, when the file cannot be made. */
bool gmt_sink_open(const char *path, struct gmt_sink *sink_out, struct gmt_sentence *why_out);

/* Ends the file. False, with a sentence, when something of it could not be written; then no file is left. */
bool gmt_sink_close(struct gmt_sink *sink, struct gmt_sentence *why_out);

/* Flushes standard output or standard error. False, with a sentence, when something could not be written. */
bool gmt_stream_finish(FILE *stream, const char *name, struct gmt_sentence *why_out);

/* True when a person reads the stream at a terminal that shows colours, and has not asked for none (NO_COLOR). */
bool gmt_stream_has_colour(FILE *stream);

#endif
