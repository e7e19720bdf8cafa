#include "process_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Field 22 of /proc/PID/stat and the state in field 3; 0 when there is no such process or it is a zombie. The name in
 * field 2 may hold anything, so fields count from its last parenthesis. */
static uint64_t start_ticks(uint32_t pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    char *at = strrchr(line, ')');
    if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
        return 0;
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    uint64_t ticks = 0;
    return at && sscanf(at, "%" SCNu64, &ticks) == 1 ? ticks : 0;
}

void gmt_process_end_check(struct gmt_process *process)
{
    char host[256];
    if (process->end.by != GMT_ENDED_RUNNING)
        return;
    const struct gmt_trace_header *header = &process->view->header;
    bool here = process->host && gethostname(host, sizeof host) == 0 && strcmp(host, process->host) == 0;
    if (!here || header->process_start_ticks == 0 || start_ticks(header->pid) != header->process_start_ticks)
        process->end = (struct gmt_end_state){GMT_ENDED_GONE, -1};
}
