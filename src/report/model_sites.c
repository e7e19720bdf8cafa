/* Call sites, what they hold, what they leaked, and who held the device at its high-water mark. */
#include "report/model.h"

#include <stdlib.h>
#include <string.h>

#include "report/model_build.h"

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
        site->entry = gmt_model_entry(process, record->entry);
        site->kind = record->kind;
        site->device = gmt_model_device(process, record->device);
        site->stack = gmt_model_stack(process, record->stack);
        site->peak_bytes = record->peak_bytes;
        site->total_bytes = record->total_bytes;
        site->total_count = record->total_count;
        site->first_ns = record->first_ns;
        site->last_ns = record->last_ns;
        process->block_count += record->total_count;
        if (site->device)
            gmt_site_at_peak(record, &site->device->totals[gmt_kind_space(site->kind)], &site->at_peak_bytes,
                             &site->at_peak_count);
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

static enum gmt_leak_state leak_state(const struct gmt_process *process, const struct gmt_block_record *block)
{
    if (block->state != GMT_BLOCK_ENDED)
        return GMT_LEAK_LIVE;
    const struct gmt_context_record *context = gmt_trace_view_context(process->view, block->context);
    if (context && context->state == GMT_CONTEXT_RESET)
        return GMT_LEAK_RESET;
    if (context && context->state == GMT_CONTEXT_DESTROYED)
        return GMT_LEAK_DESTROY;
    return GMT_LEAK_RELEASE;
}

static void count_block(struct gmt_leak *leak, const struct gmt_block_record *block)
{
    if (leak->count == 0) {
        leak->smallest = block->bytes;
        leak->first_ns = block->time_ns;
    }
    leak->count++;
    leak->bytes += block->bytes;
    if (block->bytes < leak->smallest)
        leak->smallest = block->bytes;
    if (block->bytes > leak->largest)
        leak->largest = block->bytes;
    if (block->time_ns < leak->first_ns)
        leak->first_ns = block->time_ns;
    if (block->time_ns > leak->last_ns)
        leak->last_ns = block->time_ns;
}

static void reset_live(struct gmt_process *process)
{
    for (unsigned i = 0; i < process->device_count; i++)
        for (unsigned space = 0; space < GMT_SPACE_COUNT; space++)
            process->devices[i].totals[space].live_bytes = process->devices[i].totals[space].live_count = 0;
}

/* A live block counts for its site and device; a peak below what is live now is a mark that the writer had no time for.
 */
static void count_live(struct gmt_site *site, const struct gmt_block_record *block)
{
    site->live_bytes += block->bytes;
    site->live_count++;
    if (site->peak_bytes < site->live_bytes)
        site->peak_bytes = site->live_bytes;
    if (!site->device)
        return;
    struct gmt_totals *totals = (struct gmt_totals *)&site->device->totals[gmt_kind_space(site->kind)];
    totals->live_bytes += block->bytes;
    totals->live_count++;
    if (totals->peak_bytes < totals->live_bytes) {
        totals->peak_bytes = totals->live_bytes;
        totals->peak_count = totals->live_count;
    }
}

static int larger_leak(const void *a, const void *b)
{
    const struct gmt_leak *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->site->id != y->site->id)
        return x->site->id < y->site->id ? -1 : 1;
    return (int)x->state - (int)y->state;
}

/* Keeps the entries that hold blocks, largest first, and sums them up. */
static void collect_leaks(struct gmt_process *process, struct gmt_leak *table)
{
    for (unsigned i = 0; i < process->site_count; i++) {
        bool leaks = false;
        for (unsigned state = 0; state < GMT_LEAK_STATE_COUNT; state++) {
            struct gmt_leak leak = table[i * GMT_LEAK_STATE_COUNT + state];
            if (leak.count == 0)
                continue;
            leak.site = &process->sites[i];
            leak.state = state;
            process->leaks[process->leak_count++] = leak;
            process->leak_bytes += leak.bytes;
            process->leak_blocks += leak.count;
            leaks = true;
        }
        process->leak_sites += leaks;
    }
    if (process->leak_count)
        qsort(process->leaks, process->leak_count, sizeof *process->leaks, larger_leak);
}

void gmt_model_leaks(struct gmt_process *process, struct gmt_heap *heap)
{
    size_t cells = (size_t)process->site_count * GMT_LEAK_STATE_COUNT;
    struct gmt_leak *table = gmt_heap_take(heap, cells, sizeof *table);
    process->leaks = gmt_heap_take(heap, cells, sizeof *process->leaks);
    reset_live(process);
    for (uint64_t i = 0; i < process->view->counts[GMT_SECTION_BLOCKS]; i++) {
        const struct gmt_block_record *block = gmt_trace_view_block(process->view, i);
        struct gmt_site *site = (struct gmt_site *)gmt_model_site(process, block->site);
        if (block->state == GMT_BLOCK_FREEING) {
            process->freeing_count++;
            continue;
        }
        if (!site || (block->state != GMT_BLOCK_LIVE && block->state != GMT_BLOCK_ENDED))
            continue;
        if (block->state == GMT_BLOCK_LIVE)
            count_live(site, block);
        size_t index = (size_t)(site - process->sites);
        count_block(&table[index * GMT_LEAK_STATE_COUNT + leak_state(process, block)], block);
    }
    collect_leaks(process, table);
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
            if (totals->peak_bytes == 0)
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
