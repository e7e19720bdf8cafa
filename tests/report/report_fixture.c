#include "report_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "report/naming.h"
#include "report/verdict.h"
#include "support/unit_test.h"

#define REPORTS_MAX 3

struct gmt_report report;
static struct gmt_trace_view views[REPORTS_MAX];

static void add(const struct fixture *fixture)
{
    char path[] = "/tmp/gmt_report_XXXXXX";
    struct gmt_sentence why;
    close(mkstemp(path));
    fixture_write(fixture, path, fixture_size(fixture));
    assert_int_equal(gmt_trace_view_open(path, &views[report.process_count], &why), 0);
    unlink(path);
    gmt_report_add(&report, &views[report.process_count]);
}

static void finish(void)
{
    gmt_report_name(&report, NULL);
    gmt_report_judge(&report);
}

void report_of(unsigned count, const char *const *names)
{
    static struct fixture fixture;
    gmt_report_init(&report, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(fixture_sample(&fixture, names[i]), 1);
        add(&fixture);
    }
    finish();
}

void report_of_fixture(const struct fixture *fixture)
{
    gmt_report_init(&report, 1);
    add(fixture);
    finish();
}

void report_drop(void)
{
    for (unsigned i = 0; i < report.process_count; i++)
        gmt_trace_view_close(&views[i]);
    gmt_report_drop(&report);
}

const struct gmt_remains *leak_of(uint32_t site, enum gmt_remains_state state)
{
    const struct gmt_process *process = &report.processes[0];
    for (unsigned i = 0; i < process->leak_count; i++)
        if (process->leaks[i]->site->id == site && process->leaks[i]->state == state)
            return process->leaks[i];
    fail_msg("site %u has no leak in state %d", site, (int)state);
    return NULL;
}

const struct gmt_object *object_of(enum gmt_kind kind)
{
    const struct gmt_process *process = &report.processes[0];
    for (unsigned i = 0; i < process->object_count; i++)
        if (process->objects[i].site->kind == kind)
            return &process->objects[i];
    fail_msg("there are no objects of kind %d", (int)kind);
    return NULL;
}
