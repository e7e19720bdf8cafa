#include "report/model_ranges.h"

#include <stdlib.h>

#include "report/model_build.h"

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool has_reservations(const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->site_count; i++)
        if (process->sites[i].kind == GMT_KIND_RESERVATION)
            return true;
    return false;
}

struct gmt_mapped_starts gmt_mapped_starts_of(const struct gmt_process *process, struct gmt_heap *heap)
{
    struct gmt_mapped_starts starts = {NULL, 0};
    uint64_t blocks = has_reservations(process) ? process->view->counts[GMT_SECTION_BLOCKS] : 0;
    starts.addresses = gmt_heap_take(heap, blocks, sizeof *starts.addresses);
    for (uint64_t i = 0; i < blocks; i++) {
        const struct gmt_block_record *block = gmt_trace_view_block(process->view, i);
        const struct gmt_site *site = block->state == GMT_BLOCK_LIVE ? gmt_model_site(process, block->site) : NULL;
        if (site && site->kind == GMT_KIND_MAPPING)
            starts.addresses[starts.count++] = block->address;
    }
    if (starts.count)
        qsort(starts.addresses, starts.count, sizeof *starts.addresses, ascending);
    return starts;
}

bool gmt_mapped_starts_in(const struct gmt_mapped_starts *starts, uint64_t address, uint64_t bytes)
{
    uint64_t low = 0, high = starts->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (starts->addresses[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < starts->count && starts->addresses[low] - address < bytes;
}
