/* What a trace holds, counted for one function: taken before and after a call, the difference is what the call left. */
#ifndef GMT_TESTS_TRACE_COUNTS_H
#define GMT_TESTS_TRACE_COUNTS_H

#include <stdint.h>

#include "support/trace_reader.h"

/* X(name, "what it is") */
#define TRACE_COUNTS(X)                                                                                                \
    X(calls, "calls of the function")                                                                                  \
    X(errors, "calls of the function that failed")                                                                     \
    X(sequence, "blocks and objects ever")                                                                             \
    X(live, "live blocks and objects")                                                                                 \
    X(held, "references of live blocks")                                                                               \
    X(mapped, "mappings of physical memory")                                                                           \
    X(accessible, "mappings with access")                                                                              \
    X(exported, "exported blocks")                                                                                     \
    X(failures, "failures")                                                                                            \
    X(ooms, "out-of-memory errors")                                                                                    \
    X(pools, "live pools")                                                                                             \
    X(thresholds, "pools whose threshold was set")                                                                     \
    X(trims, "trims of pools")                                                                                         \
    X(limits, "changes of limits")                                                                                     \
    X(contexts, "contexts ever")                                                                                       \
    X(live_contexts, "live contexts")                                                                                  \
    X(references, "references of live contexts")

struct trace_counts {
#define X(name, what) uint64_t name;
    TRACE_COUNTS(X)
#undef X
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
