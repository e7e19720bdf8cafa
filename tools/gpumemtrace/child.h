/* The program that `run` starts: started, given the signals that the command gets, waited for. */
#ifndef GMT_TOOLS_CHILD_H
#define GMT_TOOLS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "report/sentence.h"

struct gmt_child {
    pid_t pid;
    int status; /* of waitpid */
};

/* Starts `path` with `arguments` (ending with NULL) in this process's environment, and waits for its end. TERM, HUP,
 * INT, QUIT, USR1 and USR2 sent to this process by another are passed on; what a terminal sends reaches the program by
 * itself. Returns 0, or the exit code (125, 126, 127) with a sentence when it could not be started. */
int gmt_child_run(const char *path, char **arguments, struct gmt_child *child_out, struct gmt_sentence *why_out);

/* The exit code that stands for the status: the program's own, or 128 and the signal. */
int gmt_child_exit_code(const struct gmt_child *child);

#endif
