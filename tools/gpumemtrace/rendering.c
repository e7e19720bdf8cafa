#include "rendering.h"

#include <stdlib.h>

#include "process_end.h"
#include "report/naming.h"
#include "report/verdict.h"
#include "sink.h"
#include "symbolizer_dw.h"

static int earlier(const void *a, const void *b)
{
    const struct gmt_trace_view *x = a, *y = b;
    if (x->header.start_unix_ns != y->header.start_unix_ns)
        return x->header.start_unix_ns < y->header.start_unix_ns ? -1 : 1;
    return x->header.pid < y->header.pid ? -1 : x->header.pid > y->header.pid;
}

static bool open_views(const struct gmt_trace_files *files, bool strict, struct gmt_rendering *rendering,
                       struct gmt_sentence *why_out)
{
    for (unsigned i = 0; i < files->count; i++) {
        struct gmt_trace_view *view = &rendering->views[rendering->view_count];
        if (gmt_trace_view_open(files->paths[i], view, why_out) == 0) {
            rendering->view_count++;
            continue;
        }
        if (strict)
            return false;
        gmt_report_note(&rendering->report, gmt_heap_copy(&rendering->report.heap, why_out->text));
    }
    return true;
}

bool gmt_rendering_open(const struct gmt_trace_files *files, bool strict, struct gmt_rendering *rendering_out,
                        struct gmt_sentence *why_out)
{
    *rendering_out = (struct gmt_rendering){.view_count = 0};
    gmt_report_init(&rendering_out->report, files->count);
    rendering_out->views = gmt_heap_take(&rendering_out->report.heap, files->count, sizeof *rendering_out->views);
    if (!open_views(files, strict, rendering_out, why_out)) {
        gmt_rendering_close(rendering_out);
        return false;
    }
    if (rendering_out->view_count > 1)
        qsort(rendering_out->views, rendering_out->view_count, sizeof *rendering_out->views, earlier);
    for (unsigned i = 0; i < rendering_out->view_count; i++)
        gmt_process_end_check(gmt_report_add(&rendering_out->report, &rendering_out->views[i]));
    return true;
}

void gmt_rendering_finish(struct gmt_rendering *rendering, const struct gmt_symbol_search *search)
{
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(search, &rendering->report.heap);
    gmt_report_name(&rendering->report, symbolizer);
    gmt_symbolizer_dw_close(symbolizer);
    gmt_report_judge(&rendering->report);
}

static bool write_file(struct gmt_report *report, const struct gmt_output *output,
                       const struct gmt_write_options *options, const char *path, struct gmt_sentence *why_out)
{
    struct gmt_sink sink;
    if (!gmt_sink_open(path, &sink, why_out))
        return false;
    struct gmt_write_options adapted = *options;
    adapted.colour = gmt_stream_has_colour(sink.file);
    output->writer->write(report, &adapted, sink.file);
    return gmt_sink_close(&sink, why_out);
}

/* A report of one process alone; it shares everything with the whole one. */
static bool write_each(struct gmt_rendering *rendering, const struct gmt_output *output,
                       const struct gmt_write_options *options, struct gmt_sentence *why_out)
{
    for (unsigned i = 0; i < rendering->report.process_count; i++) {
        struct gmt_report one = rendering->report;
        one.heap = (struct gmt_heap){NULL, 0, 0};
        one.processes = &rendering->report.processes[i];
        one.process_count = 1;
        one.verdict = one.processes[0].verdict;
        struct gmt_pattern_values values = gmt_pattern_values_of(&one.processes[0]);
        const char *path = gmt_pattern_expand(output->pattern, &values, &one.heap);
        bool written = write_file(&one, output, options, path, why_out);
        gmt_heap_drop(&one.heap);
        if (!written)
            return false;
    }
    return true;
}

bool gmt_rendering_write(struct gmt_rendering *rendering, const struct gmt_output *output,
                         const struct gmt_write_options *options, const struct gmt_pattern_values *otherwise,
                         struct gmt_sentence *why_out)
{
    struct gmt_report *report = &rendering->report;
    if (!output->pattern) {
        struct gmt_write_options adapted = *options;
        adapted.colour = gmt_stream_has_colour(output->stream);
        output->writer->write(report, &adapted, output->stream);
        return gmt_stream_finish(output->stream, output->stream_name, why_out);
    }
    if (report->process_count > 0 && gmt_pattern_is_per_process(output->pattern))
        return write_each(rendering, output, options, why_out);
    struct gmt_pattern_values values = *otherwise;
    if (report->process_count > 0)
        values = gmt_pattern_values_of(&report->processes[0]);
    return write_file(report, output, options, gmt_pattern_expand(output->pattern, &values, &report->heap), why_out);
}

void gmt_rendering_close(struct gmt_rendering *rendering)
{
    for (unsigned i = 0; i < rendering->view_count; i++)
        gmt_trace_view_close(&rendering->views[i]);
    gmt_report_drop(&rendering->report);
}
