/* Lines of text for people. What a line says may come from the traced program: control characters and bytes that are
 * not UTF-8 are shown as \xNN, so that no name can end a line or steer a terminal. */
#ifndef GMT_REPORT_LINES_H
#define GMT_REPORT_LINES_H

#include <stdbool.h>
#include <stdio.h>

enum gmt_style { GMT_STYLE_PLAIN, GMT_STYLE_GOOD, GMT_STYLE_BAD, GMT_STYLE_STRONG, GMT_STYLE_FAINT };

struct gmt_lines {
    FILE *file;
    bool colour;
};

/* Writes one line, formatted as by printf, and its end. */
void gmt_lines_add(struct gmt_lines *lines, enum gmt_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An empty line. */
void gmt_lines_space(struct gmt_lines *lines);

#endif
