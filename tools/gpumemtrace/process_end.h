/* Whether a traced process that has not written its end still runs. */
#ifndef GMT_TOOLS_PROCESS_END_H
#define GMT_TOOLS_PROCESS_END_H

#include "report/model.h"

/* Corrects `end` of a process whose trace says that it runs: gone, when no such process (id and start time) runs on
 * this host. Of one that does run, finds out which of its threads (`takers`) do. */
void gmt_process_end_check(struct gmt_process *process);

#endif
