/* The program that `run` is to start: found as execvp finds it, and checked for what would keep the tracer out. */
#ifndef GMT_TOOLS_TARGET_H
#define GMT_TOOLS_TARGET_H

#include <stdbool.h>

#include "elf_program.h"
#include "report/sentence.h"

struct gmt_target {
    char path[4096];            /* of the file that is executed */
    struct gmt_elf_program elf; /* of it, or of its interpreter when it is a script */
};

/* Finds `name`, along PATH when it has no '/'. Returns 0, or the exit code (125, 126, 127) with a sentence that says
 * why the program cannot be traced and what to do. */
int gmt_target_check(const char *name, struct gmt_target *target_out, struct gmt_sentence *why_out);

#endif
