/* What was not given back: every block of the trace that is left, grouped by site and state; which of it leaks. */
#include "report/model.h"

#include <stdlib.h>

#include "report/kinds.h"
#include "report/model_build.h"
#include "report/model_ranges.h"

struct collector {
    struct gmt_process *process;
    struct gmt_mapped_starts starts;
    uint32_t *cells; /* of each site and state: 1 + its index in remains; 0 none yet */
    unsigned capacity;
    uint64_t last_taken_ns; /* when something was last taken at all */
    struct gmt_heap *heap;
};

static uint64_t last_taken(const struct gmt_process *process)
{
    uint64_t newest = 0;
    for (unsigned i = 0; i < process->site_count; i++)
        if (process->sites[i].last_ns > newest)
            newest = process->sites[i].last_ns;
    return newest;
}

/* At exit the runtime gives its contexts back, and with them goes what is left: that was live to the end. It is told
 * from a release in the middle by what was taken afterwards: nothing. */
static bool is_live(const struct collector *collector, const struct gmt_block_record *block)
{
    if (block->state != GMT_BLOCK_ENDED)
        return block->state == GMT_BLOCK_LIVE;
    const struct gmt_context *context = gmt_model_context(collector->process, block->context);
    return collector->process->view->header.end == GMT_END_EXIT && context && context->state == GMT_CONTEXT_RELEASED &&
           context->ended_ns >= collector->last_taken_ns;
}

static enum gmt_remains_state ended_state(const struct gmt_process *process, const struct gmt_block_record *block)
{
    const struct gmt_context *context = gmt_model_context(process, block->context);
    if (context && context->state == GMT_CONTEXT_RESET)
        return GMT_REMAINS_RESET;
    if (context && context->state == GMT_CONTEXT_DESTROYED)
        return GMT_REMAINS_DESTROY;
    return GMT_REMAINS_RELEASE;
}

static enum gmt_remains_state handle_state(const struct gmt_block_record *block)
{
    if (block->mappings == 0)
        return GMT_REMAINS_HANDLE_ONLY;
    return block->references == 0 ? GMT_REMAINS_MAPPED_ONLY : GMT_REMAINS_HANDLE_AND_MAPPING;
}

static enum gmt_remains_state live_state(const struct collector *collector, const struct gmt_site *site,
                                         const struct gmt_block_record *block)
{
    switch (gmt_kind_facts(site->kind)->family) {
    case GMT_FAMILY_REGISTRATION:
        return block->flags & GMT_BLOCK_UNMAPPED ? GMT_REMAINS_UNMAPPED : GMT_REMAINS_LIVE;
    case GMT_FAMILY_HANDLE:
        return handle_state(block);
    case GMT_FAMILY_MAPPING:
        return block->flags & GMT_BLOCK_ACCESSIBLE ? GMT_REMAINS_MAPPED : GMT_REMAINS_NO_ACCESS;
    case GMT_FAMILY_RESERVATION:
        return gmt_mapped_starts_in(&collector->starts, block->address, block->bytes) ? GMT_REMAINS_RESERVED_AND_MAPPED
                                                                                      : GMT_REMAINS_RESERVED_ONLY;
    default:
        return GMT_REMAINS_LIVE;
    }
}

/* The remains of a site in a state, made when there are none yet. */
static struct gmt_remains *remains_of(struct collector *collector, const struct gmt_site *site,
                                      enum gmt_remains_state state)
{
    struct gmt_process *process = collector->process;
    uint32_t *cell = &collector->cells[(size_t)(site - process->sites) * GMT_REMAINS_STATE_COUNT + state];
    if (*cell != 0)
        return &process->remains[*cell - 1];
    if (process->remains_count == collector->capacity) {
        collector->capacity = collector->capacity ? 2 * collector->capacity : 64;
        struct gmt_remains *larger = gmt_heap_take(collector->heap, collector->capacity, sizeof *larger);
        for (unsigned i = 0; i < process->remains_count; i++)
            larger[i] = process->remains[i];
        process->remains = larger;
    }
    struct gmt_remains *remains = &process->remains[process->remains_count++];
    *cell = process->remains_count;
    remains->site = site;
    remains->state = state;
    remains->failed_next_record = GMT_NONE;
    return remains;
}

static void count_notes(struct gmt_process *process, const struct gmt_block_record *block, struct gmt_remains *remains)
{
    remains->references += block->references;
    remains->mappings += block->mappings;
    if (block->flags & GMT_BLOCK_EXPORTED) {
        remains->exported_count++;
        remains->exported_stack = gmt_model_stack(process, block->note_stack);
    }
    if (block->failed_next < process->view->counts[GMT_SECTION_FAILURES]) {
        remains->failed_next_count++;
        remains->failed_next_record = block->failed_next;
    }
    const struct gmt_context *context =
        gmt_remains_is_ended(remains->state) ? gmt_model_context(process, block->context) : NULL;
    if (context && (!remains->context || context->ended_ns >= remains->context->ended_ns))
        remains->context = context;
}

static void count_block(struct gmt_process *process, const struct gmt_block_record *block, struct gmt_remains *remains)
{
    if (remains->count == 0) {
        remains->smallest = block->bytes;
        remains->first_ns = block->time_ns;
    }
    remains->count++;
    remains->bytes += block->bytes;
    if (block->bytes < remains->smallest)
        remains->smallest = block->bytes;
    if (block->bytes > remains->largest)
        remains->largest = block->bytes;
    if (block->time_ns < remains->first_ns)
        remains->first_ns = block->time_ns;
    if (block->time_ns > remains->last_ns)
        remains->last_ns = block->time_ns;
    count_notes(process, block, remains);
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

/* Counts one block. Returns the number of its remains, or GMT_NONE when it is none. */
static uint32_t collect(struct collector *collector, const struct gmt_block_record *block)
{
    struct gmt_process *process = collector->process;
    struct gmt_site *site = (struct gmt_site *)gmt_model_site(process, block->site);
    if (block->state == GMT_BLOCK_FREEING)
        ++*(site && !gmt_kind_leaks(site->kind) ? &process->destroying_count : &process->freeing_count);
    if (!site)
        return GMT_NONE;
    enum gmt_remains_state state = GMT_REMAINS_LATE;
    if (is_live(collector, block)) {
        count_live(site, block);
        state = live_state(collector, site, block);
    } else if (block->state == GMT_BLOCK_ENDED) {
        state = ended_state(process, block);
    } else if (block->state != GMT_BLOCK_LATE) {
        return GMT_NONE;
    }
    site->kept_count++;
    struct gmt_remains *remains = remains_of(collector, site, state);
    count_block(process, block, remains);
    return (uint32_t)(remains - process->remains);
}

static int larger(const void *a, const void *b)
{
    const struct gmt_remains *x = *(const struct gmt_remains *const *)a, *y = *(const struct gmt_remains *const *)b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->site->id != y->site->id)
        return x->site->id < y->site->id ? -1 : 1;
    return (int)x->state - (int)y->state;
}

/* Call sites that leak: a site may do so in several states. */
static uint64_t count_sites(const struct gmt_process *process, struct gmt_heap *heap)
{
    bool *leaks = gmt_heap_take(heap, process->site_count, sizeof *leaks);
    uint64_t count = 0;
    for (unsigned i = 0; i < process->leak_count; i++) {
        bool *site = &leaks[process->leaks[i]->site - process->sites];
        count += !*site;
        *site = true;
    }
    return count;
}

/* Which of the remains are leaks, which were freed too late. What only belongs to something else is neither. */
static void sort_out(struct gmt_process *process, struct gmt_heap *heap)
{
    process->leaks = gmt_heap_take(heap, process->remains_count, sizeof *process->leaks);
    process->late = gmt_heap_take(heap, process->remains_count, sizeof *process->late);
    for (unsigned i = 0; i < process->remains_count; i++) {
        const struct gmt_remains *remains = &process->remains[i];
        if (gmt_kind_facts(remains->site->kind)->rest == GMT_REST_STAYS)
            continue;
        if (remains->state == GMT_REMAINS_LATE) {
            process->late[process->late_count++] = remains;
        } else if (gmt_kind_leaks(remains->site->kind)) {
            process->leaks[process->leak_count++] = remains;
            process->leak_bytes += remains->bytes;
            process->leak_blocks += remains->count;
        }
    }
    if (process->late_count)
        qsort(process->late, process->late_count, sizeof *process->late, larger);
    if (process->leak_count)
        qsort(process->leaks, process->leak_count, sizeof *process->leaks, larger);
    process->leak_sites = count_sites(process, heap);
}

void gmt_model_remains(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t blocks = process->view->counts[GMT_SECTION_BLOCKS];
    struct collector collector = {.process = process, .heap = heap};
    collector.last_taken_ns = last_taken(process);
    collector.starts = gmt_mapped_starts_of(process, heap);
    collector.cells =
        gmt_heap_take(heap, (size_t)process->site_count * GMT_REMAINS_STATE_COUNT, sizeof *collector.cells);
    process->remains_of_block = gmt_heap_take(heap, blocks, sizeof *process->remains_of_block);
    reset_live(process);
    for (uint64_t i = 0; i < blocks; i++)
        process->remains_of_block[i] = collect(&collector, gmt_trace_view_block(process->view, i));
    sort_out(process, heap);
}
