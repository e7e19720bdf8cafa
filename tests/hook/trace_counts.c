/* See trace_counts.h. */
#include "trace_counts.h"

#include <stddef.h>
#include <string.h>

struct trace_counts trace_counts_of(const struct gmt_trace_header *trace, const char *name)
{
    struct trace_counts counts = {.sequence = trace->next_sequence};
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_ENTRIES); i++) {
        const struct gmt_entry_record *entry = &trace_reader_ENTRIES(trace)[i];
        if (strcmp(trace_reader_string(trace, entry->name), name) != 0)
            continue;
        counts.calls = entry->calls;
        counts.errors = entry->failures;
    }
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_BLOCKS); i++)
        counts.live += trace_reader_BLOCKS(trace)[i].state == GMT_BLOCK_LIVE;
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_FAILURES); i++)
        counts.failures += trace_reader_FAILURES(trace)[i].count;
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_CONTEXTS); i++) {
        const struct gmt_context_record *context = &trace_reader_CONTEXTS(trace)[i];
        counts.contexts++;
        if (context->state != GMT_CONTEXT_LIVE)
            continue;
        counts.live_contexts++;
        counts.references += (uint64_t)context->references;
    }
    return counts;
}

const struct gmt_block_record *trace_live_block(const struct gmt_trace_header *trace, uint64_t address)
{
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_BLOCKS); i++) {
        const struct gmt_block_record *block = &trace_reader_BLOCKS(trace)[i];
        if (block->state == GMT_BLOCK_LIVE && block->address == address)
            return block;
    }
    return NULL;
}

const struct gmt_context_record *trace_context(const struct gmt_trace_header *trace, uint64_t handle)
{
    for (uint64_t i = trace_reader_used(trace, GMT_SECTION_CONTEXTS); i-- > 0;) {
        if (trace_reader_CONTEXTS(trace)[i].handle == handle)
            return &trace_reader_CONTEXTS(trace)[i];
    }
    return NULL;
}

const char *trace_site_entry(const struct gmt_trace_header *trace, uint32_t site)
{
    return trace_reader_string(trace, trace_reader_ENTRIES(trace)[trace_reader_SITES(trace)[site].entry].name);
}
