/* A trace file, mapped for reading by tests: nothing of the reader under test is in here. */
#ifndef GMT_TESTS_TRACE_READER_H
#define GMT_TESTS_TRACE_READER_H

#include <stdint.h>

#include "track/trace_file.h"

/* Maps `path` and checks that every section lies inside of it. NULL, with a sentence on stderr, when it is no trace. */
const struct gmt_trace_header *trace_reader_open(const char *path);

/* The string, or "" for what does not lie in the file. */
const char *trace_reader_string(const struct gmt_trace_header *trace, gmt_string_id id);

/* Records in use of a section. */
uint64_t trace_reader_used(const struct gmt_trace_header *trace, enum gmt_section_id section);

/* trace_reader_SITES(trace) is the array of the section's records. */
#define X(name, type)                                                                                                  \
    static inline const type *trace_reader_##name(const struct gmt_trace_header *trace)                                \
    {                                                                                                                  \
        return (const type *)((const char *)trace + trace->sections[GMT_SECTION_##name].offset);                       \
    }
GMT_TRACE_SECTIONS(X)
#undef X

#endif
