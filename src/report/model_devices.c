/* Devices, and the contexts that were made on them. */
#include "report/model.h"

#include <string.h>

#include "report/kinds.h"
#include "report/model_build.h"

/* More than any machine has; a damaged file may claim more, and every site is looked up among them. */
#define DEVICES_MAX 1024u

void gmt_model_devices(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_DEVICES];
    if (records > DEVICES_MAX)
        records = DEVICES_MAX;
    process->devices = gmt_heap_take(heap, records, sizeof *process->devices);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_device_record *record = gmt_trace_view_device(process->view, i);
        if (record->state != 1)
            continue;
        struct gmt_device *device = &process->devices[process->device_count++];
        device->ordinal = (uint32_t)i;
        device->name = gmt_trace_view_string(process->view, record->name);
        device->total_bytes = record->total_bytes;
        memcpy(device->uuid, record->uuid, sizeof device->uuid);
        memcpy(device->totals, record->totals, sizeof device->totals);
    }
}

const struct gmt_device *gmt_model_device(const struct gmt_process *process, uint32_t ordinal)
{
    for (unsigned i = 0; i < process->device_count; i++)
        if (process->devices[i].ordinal == ordinal)
            return &process->devices[i];
    return NULL;
}

/* What calls took there, however it is given back. After the sites. */
static void count_taken(struct gmt_process *process)
{
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (site->device && gmt_kind_leaks(site->kind))
            ((struct gmt_device *)site->device)->taken_bytes += site->total_bytes;
    }
}

/* Every record gets its place: blocks and limits refer to them by index. */
void gmt_model_contexts(struct gmt_process *process, struct gmt_heap *heap)
{
    bool *seen = gmt_heap_take(heap, (size_t)process->device_count + 1, sizeof *seen); /* the last: of no device */
    count_taken(process);
    process->context_count = (unsigned)process->view->counts[GMT_SECTION_CONTEXTS];
    process->contexts = gmt_heap_take(heap, process->context_count, sizeof *process->contexts);
    for (unsigned i = 0; i < process->context_count; i++) {
        const struct gmt_context_record *record = gmt_trace_view_context(process->view, i);
        struct gmt_context *context = &process->contexts[i];
        if (record->state == GMT_CONTEXT_UNSEEN || record->state > GMT_CONTEXT_DESTROYED)
            continue;
        context->state = record->state;
        context->handle = record->handle;
        context->device = gmt_model_device(process, record->device);
        context->primary = record->primary == 1;
        bool *before = &seen[context->device ? (size_t)(context->device - process->devices) : process->device_count];
        context->first = !*before;
        *before = true;
        context->idle = context->device && context->device->taken_bytes == 0;
        context->created = gmt_model_caller(process, record->created_entry, record->created_stack);
        context->created_ns = record->created_ns;
        if (context->state == GMT_CONTEXT_LIVE)
            continue;
        context->ended = gmt_model_caller(process, record->ended_entry, record->ended_stack);
        context->ended_ns = record->ended_ns;
    }
}

const struct gmt_context *gmt_model_context(const struct gmt_process *process, uint32_t index)
{
    return index < process->context_count ? &process->contexts[index] : NULL;
}
