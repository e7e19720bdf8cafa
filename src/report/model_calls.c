/* What was called: followed functions, their callers, failed calls and out-of-memory errors. */
#include "report/model.h"

#include <stdlib.h>

#include "report/model_build.h"

static void add_calls(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_ENTRIES];
    process->calls = gmt_heap_take(heap, records, sizeof *process->calls);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_entry_record *record = gmt_trace_view_entry(process->view, i);
        const char *name = gmt_trace_view_string(process->view, record->name);
        if (record->calls == 0 && record->failures == 0)
            continue;
        process->calls[process->call_count++] =
            (struct gmt_call){name ? name : "an unnamed function", record->calls, record->failures};
    }
}

static void add_clients(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_CLIENTS];
    process->clients = gmt_heap_take(heap, records, sizeof *process->clients);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_client_record *record = gmt_trace_view_client(process->view, i);
        if (record->state != 1)
            continue;
        struct gmt_client *client = &process->clients[process->client_count++];
        client->module = record->module < process->module_count ? &process->modules[record->module] : NULL;
        for (unsigned door = 0; door < GMT_DOOR_COUNT; door++)
            client->uses[door] = record->uses[door];
    }
}

static int more_failures(const void *a, const void *b)
{
    const struct gmt_failed_call *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->first_ns < y->first_ns ? -1 : x->first_ns > y->first_ns;
}

static void add_failures(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_FAILURES];
    process->failures = gmt_heap_take(heap, records, sizeof *process->failures);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_failure_record *record = gmt_trace_view_failure(process->view, i);
        if (record->state != 1 || record->kind >= GMT_FAILURE_COUNT)
            continue;
        struct gmt_failed_call *call = &process->failures[process->failure_count++];
        call->entry = gmt_model_entry(process, record->entry);
        call->kind = record->kind;
        call->code = record->code;
        call->count = record->count;
        call->first_ns = record->first_ns;
        call->last_ns = record->last_ns;
        call->last_address = record->last_address;
        call->last_bytes = record->last_bytes;
        call->stack = gmt_model_stack(process, record->stack);
        call->near_site = call->kind == GMT_FAILURE_STRAY ? gmt_model_site(process, record->near_site) : NULL;
        call->near_address = record->near_address;
        call->near_bytes = record->near_bytes;
        if (call->kind != GMT_FAILURE_NULL)
            process->failed_count += call->count;
    }
    if (process->failure_count)
        qsort(process->failures, process->failure_count, sizeof *process->failures, more_failures);
}

static void add_oom(struct gmt_process *process, const struct gmt_oom_record *record, uint32_t index)
{
    struct gmt_oom *oom = &process->ooms[process->oom_count++];
    oom->index = index;
    oom->entry = gmt_model_entry(process, record->entry);
    oom->code = record->code;
    oom->device = gmt_model_device(process, record->device);
    oom->stack = gmt_model_stack(process, record->stack);
    oom->time_ns = record->time_ns;
    oom->request_bytes = record->request_bytes;
    oom->free_bytes = record->free_bytes;
    oom->total_bytes = record->total_bytes;
    oom->recovered = record->later_success == 1;
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++)
        oom->totals[space] = record->totals[space];
    for (unsigned i = 0; i < record->top_count && i < GMT_OOM_TOP_SITES; i++) {
        const struct gmt_site *site = gmt_model_site(process, record->top[i].site);
        if (site)
            oom->top[oom->top_count++] = (struct gmt_share){site, record->top[i].live_bytes, record->top[i].live_count};
    }
}

static void add_ooms(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_OOMS];
    process->ooms = gmt_heap_take(heap, records, sizeof *process->ooms);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_oom_record *record = gmt_trace_view_oom(process->view, i);
        if (record->state == 1)
            add_oom(process, record, (uint32_t)i);
    }
}

void gmt_model_calls(struct gmt_process *process, struct gmt_heap *heap)
{
    add_calls(process, heap);
    add_clients(process, heap);
    add_failures(process, heap);
    add_ooms(process, heap);
}
