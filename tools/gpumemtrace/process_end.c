#include "process_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Field 22 of /proc/PID/stat or /proc/PID/task/TID/stat and the state in field 3; 0 when there is no such process or
 * thread, or it is a zombie. The name in field 2 may hold anything, so fields count from its last parenthesis. */
static uint64_t start_ticks(const char *path)
{
    char line[1024];
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

/* Runs on this host, under its id: a recycled id belongs to a process that started later. */
static bool is_running(const struct gmt_process *process)
{
    char host[256], path[64];
    const struct gmt_trace_header *header = &process->view->header;
    if (!process->host || gethostname(host, sizeof host) != 0 || strcmp(host, process->host) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", header->pid);
    return header->process_start_ticks != 0 && start_ticks(path) == header->process_start_ticks;
}

/* The process looks at its threads when a report is due, not for one that somebody else asks for. */
static void check_threads(struct gmt_process *process)
{
    char path[64];
    for (unsigned i = 0; i < process->taker_count; i++) {
        struct gmt_taker *taker = &process->takers[i];
        if (taker->state != GMT_TAKER_UNKNOWN || taker->id == 0)
            continue;
        snprintf(path, sizeof path, "/proc/%" PRIu32 "/task/%" PRIu32 "/stat", process->view->header.pid, taker->id);
        uint64_t ticks = start_ticks(path);
        bool alive = ticks != 0 && (taker->start_ticks == 0 || ticks == taker->start_ticks);
        taker->state = alive ? GMT_TAKER_ALIVE : GMT_TAKER_ENDED;
    }
}

void gmt_process_end_check(struct gmt_process *process)
{
    if (process->end.by != GMT_ENDED_RUNNING)
        return;
    if (is_running(process))
        check_threads(process);
    else
        process->end = (struct gmt_end_state){GMT_ENDED_GONE, -1};
}
