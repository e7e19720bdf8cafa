/* The mapped trace file as its writer sees it: where it lies, which parts have storage, records handed out.
 * Not thread-safe except where said; the tracker's lock guards it. */
#ifndef GMT_TRACK_TRACE_H
#define GMT_TRACK_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "track/trace_file.h"

#define GMT_TRACE_PATH_BYTES 4096

struct gmt_trace {
    struct gmt_trace_header *header; /* the whole mapping; NULL when closed */
    uint64_t mapped_bytes;
    char path[GMT_TRACE_PATH_BYTES]; /* absolute; empty for anonymous memory */
};

/* Creates and maps a trace file in one of the folders (see trace_place.h), with room for max_blocks live blocks or as
 * many as the process's limits allow; without any usable folder, in anonymous memory. 0 or -GMT_E_NO_MEMORY. */
int gmt_trace_create(struct gmt_trace *trace, const char *wanted_folder, uint64_t max_blocks);

/* Unmaps it; the file stays. */
void gmt_trace_close(struct gmt_trace *trace);

/* Hands out `count` consecutive new records of a section. The first one's index, or GMT_NONE when the section is full
 * or the file system is (counted in the header). Records are zero. */
uint32_t gmt_trace_append(struct gmt_trace *trace, enum gmt_section_id section, uint32_t count);

/* Copies a string of `bytes` bytes into the file. 0 when there is no room. */
gmt_string_id gmt_trace_add_string(struct gmt_trace *trace, const char *string, size_t bytes);

/* Counts something that went wrong. Thread-safe. */
void gmt_trace_trouble(struct gmt_trace *trace, enum gmt_trouble trouble);

/* GMT_RECORDS(trace, SITES) is the array of that section's records. */
#define GMT_RECORDS(trace, name) gmt_trace_records_##name(trace)
#define X(name, type)                                                                                                  \
    static inline type *gmt_trace_records_##name(const struct gmt_trace *trace)                                        \
    {                                                                                                                  \
        return (type *)((char *)trace->header + trace->header->sections[GMT_SECTION_##name].offset);                   \
    }
GMT_TRACE_SECTIONS(X)
#undef X

#endif
