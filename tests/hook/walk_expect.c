/* See walk_expect.h. */
#include "walk_expect.h"

#include <stdio.h>
#include <string.h>

const struct gmt_trace_header *walk_trace;
unsigned walk_faults;

void walk_expect(const struct walk_row *row, bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %s\n", row->name, what);
    walk_faults++;
}

/* What a call that succeeded adds to the counts, beside itself. */
struct trace_counts walk_addition_of(const struct walk_row *row)
{
    static const uint64_t less = (uint64_t)-1;
    switch (row->what) {
    case WALK_ALLOCATE:
    case WALK_REFERENCE:
    case WALK_VARIABLE:
        return (struct trace_counts){.sequence = 1, .live = 1, .held = 1};
    case WALK_POOL:
        return (struct trace_counts){.sequence = 1, .live = 1, .held = 1, .pools = 1};
    case WALK_MAP:
        return (struct trace_counts){.sequence = 1, .live = 1, .held = 1, .mapped = 1};
    case WALK_UNMAP:
        return (struct trace_counts){.live = less, .held = less, .mapped = less};
    case WALK_FREE:
        return (struct trace_counts){
            .live = less, .held = less, .pools = walk_row_of(row->maker)->what == WALK_POOL ? less : 0};
    case WALK_RETAIN:
        return (struct trace_counts){.held = 1};
    case WALK_EXPORT:
        return (struct trace_counts){.exported = 1};
    case WALK_ACCESS:
        return (struct trace_counts){.accessible = 1};
    case WALK_POOL_OF:
        return (struct trace_counts){.pools = 1};
    case WALK_THRESHOLD:
        return (struct trace_counts){.thresholds = 1};
    case WALK_TRIM:
        return (struct trace_counts){.trims = 1};
    case WALK_LIMIT:
        return (struct trace_counts){.limits = 1};
    case WALK_CONTEXT_CREATE:
    case WALK_PRIMARY_RETAIN:
        return (struct trace_counts){.contexts = 1, .live_contexts = 1, .references = 1};
    case WALK_CONTEXT_RETAIN:
        return (struct trace_counts){.references = 1};
    case WALK_CONTEXT_RELEASE:
    case WALK_CONTEXT_DESTROY:
    case WALK_PRIMARY_RELEASE:
    case WALK_PRIMARY_RESET:
        return (struct trace_counts){.live_contexts = less, .references = less};
    case WALK_WATCH:
    case WALK_INIT:
    case WALK_LOOK_UP:
        break;
    }
    return (struct trace_counts){.calls = 0};
}

/* Pools of the device become known where they are asked what they hold. */
static bool asks_pools(const struct walk_row *row, const struct trace_counts *added)
{
    return added->ooms > 0 || row->what == WALK_TRIM || row->what == WALK_CONTEXT_DESTROY ||
           row->what == WALK_PRIMARY_RESET;
}

void walk_expect_counts(const struct walk_row *row, const struct trace_counts *before, struct trace_counts added)
{
    struct trace_counts after = trace_counts_of(walk_trace, row->name);
    if (asks_pools(row, &added))
        added.pools = after.pools - before->pools;
#define X(name, what) walk_expect(row, after.name == before->name + added.name, "wrong number of " what);
    TRACE_COUNTS(X)
#undef X
}

void walk_expect_block(const struct walk_row *row, const struct exchange *exchange)
{
    const struct gmt_block_record *block =
        trace_live_block(walk_trace, exchange->address + (row->what == WALK_MAP ? WALK_MAPPED_AT : 0));
    walk_expect(row, block != NULL, "the block is not live");
    if (!block)
        return;
    const struct gmt_site_record *site = &trace_reader_SITES(walk_trace)[block->site];
    walk_expect(row, block->bytes == row->bytes, "the block's size is wrong");
    walk_expect(row, site->kind == row->kind, "the block's kind is wrong");
    walk_expect(row, site->device == 0, "the block's device is wrong");
    walk_expect(row, strcmp(trace_site_entry(walk_trace, block->site), row->name) == 0,
                "the block has another function");
}

void walk_expect_context(const struct walk_row *row, const struct exchange *exchange)
{
    const struct gmt_context_record *context = trace_context(walk_trace, exchange->context);
    static const uint32_t states[] = {
        [WALK_CONTEXT_CREATE] = GMT_CONTEXT_LIVE,       [WALK_CONTEXT_RETAIN] = GMT_CONTEXT_LIVE,
        [WALK_CONTEXT_RELEASE] = GMT_CONTEXT_DESTROYED, [WALK_CONTEXT_DESTROY] = GMT_CONTEXT_DESTROYED,
        [WALK_PRIMARY_RETAIN] = GMT_CONTEXT_LIVE,       [WALK_PRIMARY_RELEASE] = GMT_CONTEXT_RELEASED,
        [WALK_PRIMARY_RESET] = GMT_CONTEXT_RESET,
    };
    walk_expect(row, context != NULL, "the context is not known");
    if (!context)
        return;
    walk_expect(row, context->state == states[row->what], "the context's state is wrong");
    walk_expect(row, context->primary == (row->what >= WALK_PRIMARY_RETAIN), "primary or not is wrong");
    walk_expect(row, context->device == 0, "the context's device is wrong");
}

void walk_expect_given(const struct walk_row *row, const struct exchange *exchange)
{
    /* The old entries write 32 bits of an address. */
    if (strchr(row->arguments, 'o'))
        walk_expect(row, (uint32_t)exchange->address_out == exchange->address, "the address was not handed through");
    if (strchr(row->arguments, 'p'))
        walk_expect(row, (uint32_t)exchange->pitch_out == 512, "the pitch was not handed through");
    if (strchr(row->arguments, 'u'))
        walk_expect(row, (uint32_t)exchange->bytes_out == 48, "the size was not handed through");
    if (strchr(row->arguments, 'c'))
        walk_expect(row, exchange->context_out == exchange->context, "the context was not handed through");
    if (row->what == WALK_LOOK_UP)
        walk_expect(row, exchange->function_out == (void *)WALK_FOUND,
                    "a pointer that is no row was not handed through");
}

void walk_expect_untouched(const struct walk_row *row, const struct exchange *exchange)
{
    walk_expect(row, exchange->address_out == WALK_UNTOUCHED && exchange->context_out == WALK_UNTOUCHED,
                "an out-parameter was written");
    walk_expect(row, exchange->pitch_out == WALK_UNTOUCHED && exchange->bytes_out == WALK_UNTOUCHED,
                "a size was written");
    walk_expect(row, exchange->function_out == (void *)(uintptr_t)WALK_UNTOUCHED, "the function was written");
}
