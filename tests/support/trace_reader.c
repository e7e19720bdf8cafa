/* Mapping and checking; see trace_reader.h. */
#include "trace_reader.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct gmt_trace_header *refuse(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    return NULL;
}

static int sections_fit(const struct gmt_trace_header *trace, uint64_t bytes)
{
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        const struct gmt_trace_section *section = &trace->sections[i];
        if (section->used > section->capacity || section->offset > bytes ||
            section->capacity * section->record_bytes > bytes - section->offset)
            return 0;
    }
    return 1;
}

const struct gmt_trace_header *trace_reader_open(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return refuse(path, "cannot be opened");
    uint64_t bytes = (uint64_t)status.st_size;
    const struct gmt_trace_header *trace = bytes ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (trace == MAP_FAILED || bytes < sizeof *trace)
        return refuse(path, "is too short for a trace");
    if (memcmp(trace->magic, GMT_TRACE_MAGIC, sizeof trace->magic) != 0 || trace->version != GMT_TRACE_VERSION ||
        !(trace->flags & GMT_TRACE_READY))
        return refuse(path, "is no complete trace of this version");
    if (!sections_fit(trace, bytes))
        return refuse(path, "has a section outside of the file");
    return trace;
}

const char *trace_reader_string(const struct gmt_trace_header *trace, gmt_string_id id)
{
    return id < trace_reader_used(trace, GMT_SECTION_STRINGS) ? trace_reader_STRINGS(trace) + id : "";
}

uint64_t trace_reader_used(const struct gmt_trace_header *trace, enum gmt_section_id section)
{
    return trace->sections[section].used;
}
