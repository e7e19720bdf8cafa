#include "report_of_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/naming.h"
#include "report/verdict.h"
#include "report/writers.h"

static size_t name_nothing(struct gmt_symbolizer *self, const struct gmt_module *module, uint64_t offset,
                           struct gmt_symbol *symbols_out)
{
    (void)self, (void)module;
    if (offset % 2)
        return 0;
    symbols_out[0] = (struct gmt_symbol){"inner", "a.c", 1, true};
    symbols_out[1] = (struct gmt_symbol){"outer", "b.c", 2, false};
    return 2;
}

static const char *no_trouble(struct gmt_symbolizer *self, const struct gmt_module *module, bool *lines_only_out)
{
    (void)self, (void)module, (void)lines_only_out;
    return NULL;
}

static void write_all(struct gmt_report *report, FILE *nowhere)
{
    const struct gmt_write_options variants[] = {
        {.oom = -1}, {.colour = true, .full = true, .full_stacks = true, .oom = -1}, {.oom = 0}};
    for (const struct gmt_writer *writer = gmt_writers; writer->name; writer++)
        for (unsigned i = 0; i < sizeof variants / sizeof variants[0]; i++)
            writer->write(report, &variants[i], nowhere);
}

void report_of_file(const char *path)
{
    static FILE *nowhere;
    struct gmt_symbolizer symbolizer = {.name = name_nothing, .trouble = no_trouble};
    struct gmt_trace_view view;
    struct gmt_sentence why = {""};
    struct gmt_report report;
    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    if (gmt_trace_view_open(path, &view, &why) != 0) {
        if (why.text[0] == '\0')
            abort(); /* a refusal says why */
        return;
    }
    gmt_report_init(&report, 1);
    gmt_report_add(&report, &view);
    gmt_report_name(&report, &symbolizer);
    gmt_report_judge(&report);
    report.gate_checked = true;
    report.gate = gmt_report_gate(&report);
    write_all(&report, nowhere);
    gmt_report_drop(&report);
    gmt_trace_view_close(&view);
}
