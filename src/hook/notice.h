/* The tracer's own words on standard error. Only while descriptor 2 is the file that it was when the process started: a
 * program that closed it and opened its own file there must not find our text inside. */
#ifndef GMT_HOOK_NOTICE_H
#define GMT_HOOK_NOTICE_H

#include <stdbool.h>

/* Remembers what descriptor 2 is. Once, at the start. */
void gmt_notice_start(void);

/* True while descriptor 2 is still that file. */
bool gmt_notice_usable(void);

/* Writes `text` as it is, in one go when the kernel allows. Nothing when descriptor 2 is not usable. */
void gmt_notice_write(const char *text);

/* "gpumemtrace: " and the sentence and a line end. */
void gmt_notice_line(const char *sentence);

#endif
