/* What was given back lately: a set-associative table in the trace file, so that remembering costs the same whatever
 * was freed before, and nothing is ever allocated. The oldest of GMT_FREED_WAYS records gives way. Not thread-safe: the
 * tracker's lock guards it. */
#ifndef GMT_TRACK_FREED_HISTORY_H
#define GMT_TRACK_FREED_HISTORY_H

#include "track/trace.h"

/* Makes room for the whole section. Without storage nothing is remembered. */
void gmt_freed_history_init(struct gmt_trace *trace);

/* Remembers a free. */
void gmt_freed_history_add(struct gmt_trace *trace, const struct gmt_freed_record *freed);

/* The free of (family, address), or NULL when it is not remembered. */
const struct gmt_freed_record *gmt_freed_history_find(const struct gmt_trace *trace, uint32_t family, uint64_t address);

/* The address was handed out again: a later free of it is no second one. */
void gmt_freed_history_drop(struct gmt_trace *trace, uint32_t family, uint64_t address);

#endif
