/* From trace files to written reports: open, model, name, judge, write. Shared by every verb that reports. */
#ifndef GMT_TOOLS_RENDERING_H
#define GMT_TOOLS_RENDERING_H

#include <stdbool.h>
#include <stdio.h>

#include "pattern.h"
#include "report/model.h"
#include "report/sentence.h"
#include "report/writers.h"
#include "symbol_search.h"
#include "trace_files.h"

struct gmt_rendering {
    struct gmt_trace_view *views;
    unsigned view_count;
    struct gmt_report report;
};

/* One thing to write: a format, and the file or the stream it goes to. */
struct gmt_output {
    const struct gmt_writer *writer;
    const char *pattern; /* or NULL: `stream` */
    FILE *stream;
    const char *stream_name;
};

/* Opens the files in the order of their processes' start. A file that cannot be read is a refusal with a sentence when
 * `strict`, else a note of the report. */
bool gmt_rendering_open(const struct gmt_trace_files *files, bool strict, struct gmt_rendering *rendering_out,
                        struct gmt_sentence *why_out);

/* Names and judges. What the caller knows better about how processes ended must be in the report by now. */
void gmt_rendering_finish(struct gmt_rendering *rendering, const struct gmt_symbol_search *search);

/* Writes one output; with %p in its pattern one file for each process. `otherwise` are the pattern's values when there
 * is no process. False with a sentence on failure. */
bool gmt_rendering_write(struct gmt_rendering *rendering, const struct gmt_output *output,
                         const struct gmt_write_options *options, const struct gmt_pattern_values *otherwise,
                         struct gmt_sentence *why_out);

void gmt_rendering_close(struct gmt_rendering *rendering);

#endif
