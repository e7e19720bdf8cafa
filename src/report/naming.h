/* Gives every stack of a report that something refers to its frames, names and user-code mark, and every site, failed
 * call and out-of-memory error the name of the function that the user called. */
#ifndef GMT_REPORT_NAMING_H
#define GMT_REPORT_NAMING_H

#include "report/model.h"
#include "report/symbolize.h"

/* With `symbolizer` NULL frames are module and offset alone. Call once, after the last gmt_report_add, when what is
 * known about the threads of the processes (`takers`) is filled in. */
void gmt_report_name(struct gmt_report *report, struct gmt_symbolizer *symbolizer);

#endif
