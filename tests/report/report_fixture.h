/* A report of sample traces, built, named without symbols and judged. For unit tests of the model. */
#ifndef GMT_TESTS_REPORT_FIXTURE_H
#define GMT_TESTS_REPORT_FIXTURE_H

#include "report/model.h"
#include "trace_fixture.h"

#define MIB (UINT64_C(1) << 20)

/* The report of the last report_of; drop it before the next. */
extern struct gmt_report report;

/* Builds it from sample traces by name; ends the test when that fails. */
void report_of(unsigned count, const char *const *names);
#define REPORT_OF(...) report_of(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

/* The same of one trace that the test has changed. */
void report_of_fixture(const struct fixture *fixture);

void report_drop(void);

/* The leak of a site in a state; fails when there is none. */
const struct gmt_remains *leak_of(uint32_t site, enum gmt_remains_state state);

/* The objects of a kind; fails when there are none. */
const struct gmt_object *object_of(enum gmt_kind kind);

#endif
