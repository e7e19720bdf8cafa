/* What a trace holds, counted for one function: taken before and after a call, the difference is what the call left. */
#ifndef GMT_TESTS_TRACE_COUNTS_H
#define GMT_TESTS_TRACE_COUNTS_H

#include <stdint.h>

#include "support/trace_reader.h"

struct trace_counts {
    uint64_t calls;    /* of the function */
    uint64_t errors;   /* of them */
    uint64_t sequence; /* blocks ever */
    uint64_t live;
    uint64_t failures; /* sum over all failure records */
    uint64_t contexts; /* ever */
    uint64_t live_contexts;
    uint64_t references; /* of all live contexts */
};

/* Counts for the function with this exported name. */
struct trace_counts trace_counts_of(const struct gmt_trace_header *trace, const char *name);

/* The live block at this address, or NULL. */
const struct gmt_block_record *trace_live_block(const struct gmt_trace_header *trace, uint64_t address);

/* The newest context with this handle, or NULL. */
const struct gmt_context_record *trace_context(const struct gmt_trace_header *trace, uint64_t handle);

/* The name of the function of a site. */
const char *trace_site_entry(const struct gmt_trace_header *trace, uint32_t site);

#endif
