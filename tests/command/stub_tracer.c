/* Stands in for libgpumemtrace.so where the command is tested: a process for which STUB_SAMPLE names sample traces
 * ("leak" or "leak,clean" for one process after another) writes them into the folder that the command chose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_fixture.h"

/* The last dir='…' of GPUMEMTRACE_OPTIONS. */
static int find_folder(char *folder_out, size_t capacity)
{
    const char *options = getenv("GPUMEMTRACE_OPTIONS");
    const char *found = NULL;
    for (const char *at = options; at && (at = strstr(at, "dir=")); at++)
        found = at;
    if (!found)
        return 0;
    char quote = found[4];
    const char *start = found + 5;
    const char *end = strchr(start, quote);
    if (!end || (size_t)(end - start) >= capacity)
        return 0;
    memcpy(folder_out, start, (size_t)(end - start));
    folder_out[end - start] = '\0';
    return 1;
}

static void write_sample(const char *folder, const char *name, unsigned index)
{
    static struct fixture fixture;
    char path[4096 + 64];
    if (!fixture_sample(&fixture, name))
        return;
    if (index == 0)
        fixture.header.pid = (uint32_t)getpid();
    fixture.header.start_unix_ns += index;
    snprintf(path, sizeof path, "%s/stub.%d.%u.gmt", folder, (int)getpid(), index);
    fixture_write(&fixture, path, fixture_size(&fixture));
}

__attribute__((constructor)) static void write_samples(void)
{
    char folder[4096], names[256];
    const char *wanted = getenv("STUB_SAMPLE");
    if (!wanted || !find_folder(folder, sizeof folder))
        return;
    snprintf(names, sizeof names, "%s", wanted);
    unsetenv("STUB_SAMPLE"); /* children of the program are programs that do not use CUDA */
    char *rest = NULL;
    unsigned index = 0;
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        write_sample(folder, name, index++);
}
