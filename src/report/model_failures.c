/* Failed calls, frees of what is not there, and what they were about. */
#include "report/model.h"

#include <stdlib.h>

#include "report/model_build.h"

static int more_failures(const void *a, const void *b)
{
    const struct gmt_failed_call *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->first_ns != y->first_ns)
        return x->first_ns < y->first_ns ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static enum gmt_near_role near_role(const struct gmt_failed_call *call)
{
    switch (call->kind) {
    case GMT_FAILURE_STRAY:
        return GMT_NEAR_BELOW;
    case GMT_FAILURE_DOUBLE:
        return GMT_NEAR_FREED;
    case GMT_FAILURE_FAILED:
        return call->code == GMT_CODE_ALREADY_REGISTERED ? GMT_NEAR_IN_THE_WAY : GMT_NEAR_SUBJECT;
    case GMT_FAILURE_LATE:
    case GMT_FAILURE_EXPORTED:
        return GMT_NEAR_SUBJECT;
    default:
        return GMT_NEAR_NOTHING;
    }
}

static void fill_near(struct gmt_process *process, const struct gmt_failure_record *record,
                      struct gmt_failed_call *call)
{
    bool has_stack = call->kind == GMT_FAILURE_DOUBLE || call->kind == GMT_FAILURE_EXPORTED;
    call->near_role = near_role(call);
    call->near_site = call->near_role == GMT_NEAR_NOTHING ? NULL : gmt_model_site(process, record->near_site);
    if (!call->near_site) {
        call->near_role = GMT_NEAR_NOTHING;
        return;
    }
    call->near_address = record->near_address;
    call->near_bytes = record->near_bytes;
    call->near_ns = record->near_ns;
    call->near_stack = has_stack ? gmt_model_stack(process, record->near_stack) : NULL;
}

static void fill_call(struct gmt_process *process, const struct gmt_failure_record *record,
                      struct gmt_failed_call *call)
{
    call->entry = gmt_model_entry(process, record->entry);
    call->kind = record->kind;
    call->code = record->code;
    call->count = record->count;
    call->first_ns = record->first_ns;
    call->last_ns = record->last_ns;
    call->last_address = record->last_address;
    call->last_bytes = record->last_bytes;
    call->stack = gmt_model_stack(process, record->stack);
    call->thread = gmt_model_taker(process, record->last_thread);
    call->no_context = record->no_context == 1;
    if (call->kind == GMT_FAILURE_STRAY && record->address_is < GMT_ADDRESS_COUNT)
        call->address_is = record->address_is;
    fill_near(process, record, call);
}

bool gmt_failed_call_counts(const struct gmt_failed_call *call)
{
    return call->kind != GMT_FAILURE_NULL && call->kind != GMT_FAILURE_LATE && call->kind != GMT_FAILURE_EXPORTED;
}

static void count_calls(struct gmt_process *process, const struct gmt_failed_call *call)
{
    if (call->kind == GMT_FAILURE_NULL)
        process->null_count += call->count;
    if (gmt_failed_call_counts(call))
        process->failed_count += call->count;
}

/* Whether the registration in the way of a later one is of memory that the program has unmapped. */
static void find_unmapped(struct gmt_process *process, struct gmt_failed_call *call)
{
    for (uint64_t i = 0; i < process->view->counts[GMT_SECTION_BLOCKS] && !call->near_unmapped; i++) {
        const struct gmt_block_record *block = gmt_trace_view_block(process->view, i);
        call->near_unmapped = block->address == call->near_address && block->site == call->near_site->id &&
                              (block->flags & GMT_BLOCK_UNMAPPED);
    }
}

/* Remains know the failure that followed them by its record. */
static void link_remains(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_FAILURES];
    const struct gmt_failed_call **by_record = gmt_heap_take(heap, records, sizeof *by_record);
    for (unsigned i = 0; i < process->failure_count; i++)
        by_record[process->failures[i].record] = &process->failures[i];
    for (unsigned i = 0; i < process->remains_count; i++)
        if (process->remains[i].failed_next_record < records)
            process->remains[i].failed_next = by_record[process->remains[i].failed_next_record];
}

#define REGISTRATIONS_LOOKED_UP 16u /* each is a walk over all blocks */

void gmt_model_failures(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_FAILURES];
    process->failures = gmt_heap_take(heap, records, sizeof *process->failures);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_failure_record *record = gmt_trace_view_failure(process->view, i);
        if (record->state != 1 || record->kind >= GMT_FAILURE_COUNT)
            continue;
        struct gmt_failed_call *call = &process->failures[process->failure_count++];
        call->record = (uint32_t)i;
        fill_call(process, record, call);
        count_calls(process, call);
    }
    if (process->failure_count)
        qsort(process->failures, process->failure_count, sizeof *process->failures, more_failures);
    unsigned looked_up = 0;
    for (unsigned i = 0; i < process->failure_count && looked_up < REGISTRATIONS_LOOKED_UP; i++) {
        if (process->failures[i].near_role != GMT_NEAR_IN_THE_WAY)
            continue;
        find_unmapped(process, &process->failures[i]);
        looked_up++;
    }
    link_remains(process, heap);
}
