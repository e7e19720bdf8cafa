/* Pools of stream-ordered memory and of graphs, and limits of contexts that the program changed. */
#include "report/model.h"

#include <stdlib.h>

#include "report/model_build.h"

static void fill_pool(struct gmt_process *process, const struct gmt_pool_record *record, struct gmt_pool *pool)
{
    bool graphs = record->type == GMT_POOL_GRAPHS;
    pool->type = record->type;
    pool->destroyed = record->state == GMT_POOL_DESTROYED;
    pool->handle = record->handle;
    pool->device = gmt_model_device(process, record->device);
    pool->sampled = record->sample_ns != 0;
    pool->sample_ns = record->sample_ns;
    pool->reserved_bytes = record->reserved_bytes;
    pool->used_bytes = record->used_bytes;
    pool->reserved_high_bytes = record->reserved_high_bytes;
    pool->used_high_bytes = record->used_high_bytes;
    if (!graphs) {
        pool->raised = gmt_model_caller(process, record->threshold_entry, record->threshold_stack);
        pool->raised_ns = record->threshold_ns;
        pool->has_threshold = pool->sampled || pool->raised.entry;
        pool->threshold_bytes = record->threshold_bytes;
    }
    pool->trim_count = record->trim_count;
    pool->trim_ns = record->trim_ns;
    if (record->trim_count) {
        pool->trimmed.entry = graphs ? "cuDeviceGraphMemTrim" : "cuMemPoolTrimTo";
        pool->trimmed.stack = gmt_model_stack(process, record->trim_stack);
    }
}

static void add_pools(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_POOLS];
    process->pools = gmt_heap_take(heap, records, sizeof *process->pools);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_pool_record *record = gmt_trace_view_pool(process->view, i);
        if ((record->state == GMT_POOL_LIVE || record->state == GMT_POOL_DESTROYED) && record->type <= GMT_POOL_GRAPHS)
            fill_pool(process, record, &process->pools[process->pool_count++]);
    }
}

static void name_limit(struct gmt_limit *limit)
{
    static const struct {
        const char *json, *words;
        bool in_bytes;
    } names[] = {
#define GMT_LIMIT(number, json, words, in_bytes) [number] = {json, words, in_bytes},
#include "report/limit_names.def"
#undef GMT_LIMIT
    };
    limit->json = "other";
    if (limit->number >= sizeof names / sizeof names[0])
        return;
    limit->json = names[limit->number].json;
    limit->words = names[limit->number].words;
    limit->in_bytes = names[limit->number].in_bytes;
}

static int earlier(const void *a, const void *b)
{
    const struct gmt_limit *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void add_limits(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_LIMITS];
    process->limits = gmt_heap_take(heap, records, sizeof *process->limits);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_limit_record *record = gmt_trace_view_limit(process->view, i);
        if (record->state != 1)
            continue;
        struct gmt_limit *limit = &process->limits[process->limit_count++];
        limit->number = record->limit;
        limit->old_value = record->old_value;
        limit->new_value = record->new_value;
        limit->context = record->context;
        limit->device = gmt_model_device(process, record->device);
        limit->set = gmt_model_caller(process, record->entry, record->stack);
        limit->time_ns = record->time_ns;
        limit->count = record->count;
        name_limit(limit);
    }
    if (process->limit_count)
        qsort(process->limits, process->limit_count, sizeof *process->limits, earlier);
}

void gmt_model_pools(struct gmt_process *process, struct gmt_heap *heap)
{
    add_pools(process, heap);
    add_limits(process, heap);
}
