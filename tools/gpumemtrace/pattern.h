/* Names of report files: %p pid, %h host, %n program, %r rank, %t start time in Unix seconds, %% a percent sign. */
#ifndef GMT_TOOLS_PATTERN_H
#define GMT_TOOLS_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "report/model.h"
#include "report/sentence.h"

/* What the letters stand for. */
struct gmt_pattern_values {
    uint32_t pid;
    int32_t rank; /* -1 is written as 0 */
    uint64_t start_seconds;
    const char *host, *program; /* without folder */
};

/* False, with a sentence, when the pattern has a letter that is not known or a lone % at its end. */
bool gmt_pattern_check(const char *pattern, struct gmt_sentence *why_out);

/* True when each process is to have a file of its own. */
bool gmt_pattern_is_per_process(const char *pattern);

/* The file name, in `heap`. Values cannot add folders: a '/' in one becomes '_'. The pattern must have been checked. */
const char *gmt_pattern_expand(const char *pattern, const struct gmt_pattern_values *values, struct gmt_heap *heap);

/* The values of a process of the report. */
struct gmt_pattern_values gmt_pattern_values_of(const struct gmt_process *process);

#endif
