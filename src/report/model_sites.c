/* Call sites, and who held the device at its high-water mark. */
#include "report/model.h"

#include <stdlib.h>

#include "report/kinds.h"
#include "report/model_build.h"

static void fill_site(struct gmt_process *process, const struct gmt_site_record *record, struct gmt_site *site)
{
    site->entry = gmt_model_entry(process, record->entry);
    site->kind = record->kind;
    site->device = gmt_model_device(process, record->device);
    site->stack = gmt_model_stack(process, record->stack);
    site->freed_by = gmt_model_caller(process, record->freed_entry, record->freed_stack);
    site->peak_bytes = record->peak_bytes;
    site->total_bytes = record->total_bytes;
    site->total_count = record->total_count;
    site->first_ns = record->first_ns;
    site->last_ns = record->last_ns;
    if (site->device)
        gmt_site_at_peak(record, &site->device->totals[gmt_kind_space(site->kind)], &site->at_peak_bytes,
                         &site->at_peak_count);
}

void gmt_model_sites(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_SITES];
    process->sites = gmt_heap_take(heap, records, sizeof *process->sites);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_site_record *record = gmt_trace_view_site(process->view, i);
        if (record->state != 1 || record->kind >= GMT_KIND_COUNT)
            continue;
        struct gmt_site *site = &process->sites[process->site_count++];
        site->id = (uint32_t)i;
        fill_site(process, record, site);
        if (gmt_kind_leaks(site->kind))
            process->block_count += site->total_count;
    }
}

const struct gmt_site *gmt_model_site(const struct gmt_process *process, uint32_t id)
{
    size_t low = 0, high = process->site_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (process->sites[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < process->site_count && process->sites[low].id == id ? &process->sites[low] : NULL;
}

static int larger_share(const void *a, const void *b)
{
    const struct gmt_share *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->site->id < y->site->id ? -1 : x->site->id > y->site->id;
}

static void fill_shares(const struct gmt_process *process, struct gmt_peak *peak, struct gmt_heap *heap)
{
    peak->shares = gmt_heap_take(heap, process->site_count, sizeof *peak->shares);
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (site->device == peak->device && gmt_kind_space(site->kind) == peak->space && site->at_peak_bytes > 0)
            peak->shares[peak->share_count++] = (struct gmt_share){site, site->at_peak_bytes, site->at_peak_count};
    }
    if (peak->share_count)
        qsort(peak->shares, peak->share_count, sizeof *peak->shares, larger_share);
}

void gmt_model_peaks(struct gmt_process *process, struct gmt_heap *heap)
{
    process->peaks = gmt_heap_take(heap, (size_t)process->device_count * GMT_SPACE_COUNT, sizeof *process->peaks);
    for (unsigned i = 0; i < process->device_count; i++)
        for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
            const struct gmt_totals *totals = &process->devices[i].totals[space];
            if (totals->peak_bytes == 0 || !gmt_space_is_memory(space))
                continue;
            struct gmt_peak *peak = &process->peaks[process->peak_count++];
            peak->device = &process->devices[i];
            peak->space = space;
            peak->bytes = totals->peak_bytes;
            peak->count = totals->peak_count;
            peak->time_ns = totals->peak_ns;
            fill_shares(process, peak, heap);
        }
}
