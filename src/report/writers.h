/* The report formats. A format is one file, write_<name>.c, with one function, and one row in formats.def. */
#ifndef GMT_REPORT_WRITERS_H
#define GMT_REPORT_WRITERS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/model.h"

struct gmt_write_options {
    bool colour;      /* the reader is a person at a terminal */
    bool full_stacks; /* also frames inside CUDA and the tracer */
    bool full;        /* every section, also of a clean process */
    int oom;          /* only the out-of-memory record with this index of the first process; -1: the whole report */
};

/* Writes the judged report. Errors of `file` stay with it (ferror). Takes memory from the report's heap. */
typedef void gmt_write_fn(struct gmt_report *report, const struct gmt_write_options *options, FILE *file);

struct gmt_writer {
    const char *name;
    const char *help;
    gmt_write_fn *write;
};

/* The table; its last row has name NULL. */
extern const struct gmt_writer gmt_writers[];

/* The format with that name, or NULL. */
const struct gmt_writer *gmt_writer_find(const char *name);

#define GMT_FORMAT(name, help) gmt_write_fn gmt_write_##name;
#include "report/formats.def"
#undef GMT_FORMAT

#endif
