/* Out-of-memory errors: what was live then, and what else held the device. */
#include "report/model.h"

#include "report/kinds.h"
#include "report/model_build.h"

/* Pools are asked right before the error is recorded; the clock ticks in milliseconds. */
#define SAMPLE_NS UINT64_C(50000000)

/* More than any tracer records, and more than an error has; a damaged file may claim millions of each. */
#define OOMS_MAX 1024u
#define LISTED_MAX 64u
#define LOOKED_AT_MAX 16384u

static void fill_shares(const struct gmt_process *process, const struct gmt_oom_record *record, struct gmt_oom *oom)
{
    for (unsigned i = 0; i < record->top_count && i < GMT_OOM_TOP_SITES; i++) {
        const struct gmt_site *site = gmt_model_site(process, record->top[i].site);
        if (site)
            oom->top[oom->top_count++] = (struct gmt_share){site, record->top[i].live_bytes, record->top[i].live_count};
    }
    for (unsigned i = 0; i < GMT_OOM_TOP_OBJECTS; i++) {
        const struct gmt_site *site = gmt_model_site(process, record->objects[i]);
        if (site && record->object_counts[i] > 0)
            oom->objects[oom->object_count++] = (struct gmt_share){site, 0, record->object_counts[i]};
    }
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++)
        oom->live_of_kind[kind] = record->live_of_kind[kind];
}

/* Of the later errors of a process only the last still finds its samples: there is one of each pool. */
static void fill_pools(const struct gmt_process *process, struct gmt_oom *oom, struct gmt_heap *heap)
{
    oom->pools = gmt_heap_take(heap, LISTED_MAX, sizeof *oom->pools);
    for (unsigned i = 0; i < process->pool_count && i < LOOKED_AT_MAX && oom->pool_count < LISTED_MAX; i++) {
        const struct gmt_pool *pool = &process->pools[i];
        uint64_t apart =
            pool->sample_ns > oom->time_ns ? pool->sample_ns - oom->time_ns : oom->time_ns - pool->sample_ns;
        if (pool->sampled && pool->device == oom->device && apart <= SAMPLE_NS)
            oom->pools[oom->pool_count++] = pool;
    }
}

/* The newest change of each limit before the error. */
static void fill_limits(const struct gmt_process *process, struct gmt_oom *oom, struct gmt_heap *heap)
{
    oom->limits = gmt_heap_take(heap, LISTED_MAX, sizeof *oom->limits);
    unsigned last = process->limit_count > LOOKED_AT_MAX ? process->limit_count - LOOKED_AT_MAX : 0;
    for (unsigned i = process->limit_count; i > last && oom->limit_count < LISTED_MAX; i--) {
        const struct gmt_limit *limit = &process->limits[i - 1];
        bool known = limit->time_ns > oom->time_ns || limit->device != oom->device;
        for (unsigned j = 0; j < oom->limit_count && !known; j++)
            known = oom->limits[j]->number == limit->number && oom->limits[j]->context == limit->context;
        if (!known)
            oom->limits[oom->limit_count++] = limit;
    }
}

static void fill_oom(struct gmt_process *process, const struct gmt_oom_record *record, struct gmt_oom *oom,
                     struct gmt_heap *heap)
{
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
    fill_shares(process, record, oom);
    fill_pools(process, oom, heap);
    fill_limits(process, oom, heap);
    bool half_free =
        oom->free_bytes != UINT64_MAX && oom->total_bytes != UINT64_MAX && oom->free_bytes > oom->total_bytes / 2;
    oom->bytes_suffice = half_free && oom->request_bytes < oom->free_bytes && oom->object_count > 0 &&
                         oom->objects[0].count >= GMT_OBJECTS_NUMEROUS;
}

void gmt_model_ooms(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_OOMS];
    if (records > OOMS_MAX)
        records = OOMS_MAX;
    process->ooms = gmt_heap_take(heap, records, sizeof *process->ooms);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_oom_record *record = gmt_trace_view_oom(process->view, i);
        if (record->state != 1)
            continue;
        struct gmt_oom *oom = &process->ooms[process->oom_count++];
        oom->index = (uint32_t)i;
        fill_oom(process, record, oom, heap);
    }
}
