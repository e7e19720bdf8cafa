/* What was called: followed functions, and by whom. */
#include "report/model.h"

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

void gmt_model_calls(struct gmt_process *process, struct gmt_heap *heap)
{
    add_calls(process, heap);
    add_clients(process, heap);
}
