#include "pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char letters[] = "phnrt%";

bool gmt_pattern_check(const char *pattern, struct gmt_sentence *why_out)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at != '%')
            continue;
        at++;
        if (*at != '\0' && strchr(letters, *at))
            continue;
        if (*at == '\0')
            gmt_sentence_refuse(why_out, "the pattern \"%s\" ends in a single %%; write %%%% for a percent sign",
                                pattern);
        else
            gmt_sentence_refuse(
                why_out,
                "the pattern \"%s\" has %%%c, which stands for nothing; known are %%p pid, %%h host, %%n "
                "program, %%r rank, %%t start time and %%%%",
                pattern, *at);
        return false;
    }
    return true;
}

bool gmt_pattern_is_per_process(const char *pattern)
{
    for (const char *at = pattern; *at != '\0'; at++)
        if (*at == '%' && *++at == 'p')
            return true;
    return false;
}

static const char *value_of(char letter, const struct gmt_pattern_values *values, struct gmt_heap *heap)
{
    switch (letter) {
    case 'p':
        return gmt_heap_print(heap, "%" PRIu32, values->pid);
    case 'h':
        return values->host ? values->host : "localhost";
    case 'n':
        return values->program ? values->program : "program";
    case 'r':
        return gmt_heap_print(heap, "%" PRId32, values->rank < 0 ? 0 : values->rank);
    case 't':
        return gmt_heap_print(heap, "%" PRIu64, values->start_seconds);
    default:
        return "%";
    }
}

const char *gmt_pattern_expand(const char *pattern, const struct gmt_pattern_values *values, struct gmt_heap *heap)
{
    const char *name = "";
    while (*pattern != '\0') {
        size_t plain = strcspn(pattern, "%");
        name = gmt_heap_print(heap, "%s%.*s", name, (int)plain, pattern);
        pattern += plain;
        if (pattern[0] == '\0' || pattern[1] == '\0')
            break;
        char *added = (char *)gmt_heap_copy(heap, value_of(pattern[1], values, heap));
        for (char *at = added; *at != '\0'; at++)
            if (*at == '/')
                *at = '_';
        name = gmt_heap_print(heap, "%s%s", name, added);
        pattern += 2;
    }
    return name;
}

struct gmt_pattern_values gmt_pattern_values_of(const struct gmt_process *process)
{
    const struct gmt_trace_header *header = &process->view->header;
    const char *program = process->executable ? strrchr(process->executable, '/') : NULL;
    return (struct gmt_pattern_values){.pid = header->pid,
                                       .rank = header->rank,
                                       .start_seconds = header->start_unix_ns / 1000000000,
                                       .host = process->host,
                                       .program = program ? program + 1 : process->executable};
}
