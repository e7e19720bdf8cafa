/* See trace_counts.h. */
#include "trace_counts.h"

#include <stddef.h>
#include <string.h>

static void count_blocks(const struct gmt_trace_header *trace, struct trace_counts *counts)
{
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_BLOCKS); i++) {
        const struct gmt_block_record *block = &trace_reader_BLOCKS(trace)[i];
        if (block->state != GMT_BLOCK_LIVE)
            continue;
        counts->live++;
        counts->held += block->references;
        counts->mapped += block->mappings;
        counts->accessible += (block->flags & GMT_BLOCK_ACCESSIBLE) != 0;
        counts->exported += (block->flags & GMT_BLOCK_EXPORTED) != 0;
    }
}

static void count_contexts(const struct gmt_trace_header *trace, struct trace_counts *counts)
{
    counts->contexts = trace_reader_used(trace, GMT_SECTION_CONTEXTS);
    for (uint64_t i = 0; i < counts->contexts; i++) {
        const struct gmt_context_record *context = &trace_reader_CONTEXTS(trace)[i];
        if (context->state != GMT_CONTEXT_LIVE)
            continue;
        counts->live_contexts++;
        counts->references += (uint64_t)context->references;
    }
}

static void count_pools(const struct gmt_trace_header *trace, struct trace_counts *counts)
{
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_POOLS); i++) {
        const struct gmt_pool_record *pool = &trace_reader_POOLS(trace)[i];
        counts->pools += pool->state == GMT_POOL_LIVE;
        counts->thresholds += pool->threshold_stack != GMT_NONE;
        counts->trims += pool->trim_count;
    }
}

struct trace_counts trace_counts_of(const struct gmt_trace_header *trace, const char *name)
{
    struct trace_counts counts = {.sequence = trace->next_sequence, .ooms = trace_reader_used(trace, GMT_SECTION_OOMS)};
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_ENTRIES); i++) {
        const struct gmt_entry_record *entry = &trace_reader_ENTRIES(trace)[i];
        if (strcmp(trace_reader_string(trace, entry->name), name) != 0)
            continue;
        counts.calls = entry->calls;
        counts.errors = entry->failures;
    }
    count_blocks(trace, &counts);
    count_contexts(trace, &counts);
    count_pools(trace, &counts);
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_FAILURES); i++)
        counts.failures += trace_reader_FAILURES(trace)[i].count;
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_LIMITS); i++)
        counts.limits += trace_reader_LIMITS(trace)[i].count;
    return counts;
}

const struct gmt_block_record *trace_live_block(const struct gmt_trace_header *trace, uint64_t address)
{
    for (uint64_t i = 0; i < trace_reader_used(trace, GMT_SECTION_BLOCKS); i++) {
        const struct gmt_block_record *block = &trace_reader_BLOCKS(trace)[i];
        if (block->state != GMT_BLOCK_LIVE)
            continue;
        enum gmt_family family = gmt_kind_facts(trace_reader_SITES(trace)[block->site].kind)->family;
        if (gmt_handle_of_program(family, block->address) == address)
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
