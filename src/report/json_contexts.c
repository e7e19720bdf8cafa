/* Contexts, memory pools and changed limits in the JSON format. */
#include "report/json_sections.h"

static void write_context(struct gmt_json *json, const struct gmt_context *context)
{
    static const char *const contexts[] = {[GMT_CONTEXT_LIVE] = "live",
                                           [GMT_CONTEXT_RELEASED] = "released",
                                           [GMT_CONTEXT_RESET] = "reset",
                                           [GMT_CONTEXT_DESTROYED] = "destroyed"};
    bool live = context->state == GMT_CONTEXT_LIVE;
    gmt_json_object(json, NULL);
    gmt_json_address(json, "handle", context->handle);
    gmt_json_device(json, "device", context->device);
    gmt_json_bool(json, "primary", context->primary);
    gmt_json_bool(json, "first_of_device", context->first);
    gmt_json_string(json, "state", contexts[context->state]);
    gmt_json_seconds(json, "created_time", context->created_ns);
    gmt_json_caller(json, "created_by", &context->created);
    gmt_json_seconds_known(json, "ended_time", context->ended_ns, !live);
    gmt_json_caller(json, "ended_by", &context->ended);
    gmt_json_known(json, "device_taken_bytes", context->device ? context->device->taken_bytes : 0,
                   context->device != NULL);
    gmt_json_close(json);
}

void gmt_json_contexts(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "contexts");
    for (unsigned i = 0; i < process->context_count; i++)
        if (process->contexts[i].state != GMT_CONTEXT_UNSEEN)
            write_context(json, &process->contexts[i]);
    gmt_json_close(json);
}

static void write_pool(struct gmt_json *json, const struct gmt_pool *pool)
{
    static const char *const types[] = {"default", "created", "imported", "graphs"};
    bool keeps_all = pool->threshold_bytes == UINT64_MAX;
    gmt_json_object(json, NULL);
    gmt_json_string(json, "type", types[pool->type]);
    gmt_json_bool(json, "destroyed", pool->destroyed);
    gmt_json_address(json, "handle", pool->handle);
    gmt_json_device(json, "device", pool->device);
    gmt_json_known(json, "reserved_bytes", pool->reserved_bytes, pool->sampled);
    gmt_json_known(json, "used_bytes", pool->used_bytes, pool->sampled);
    gmt_json_known(json, "reserved_high_bytes", pool->reserved_high_bytes, pool->sampled);
    gmt_json_known(json, "used_high_bytes", pool->used_high_bytes, pool->sampled);
    gmt_json_seconds_known(json, "sample_time", pool->sample_ns, pool->sampled);
    gmt_json_known(json, "threshold_bytes", pool->threshold_bytes, pool->has_threshold && !keeps_all);
    gmt_json_bool(json, "keeps_everything", pool->has_threshold && keeps_all);
    gmt_json_caller(json, "threshold_by", &pool->raised);
    gmt_json_seconds_known(json, "threshold_time", pool->raised_ns, pool->raised.entry != NULL);
    gmt_json_number(json, "trim_count", pool->trim_count);
    gmt_json_seconds_known(json, "trim_time", pool->trim_ns, pool->trim_count > 0);
    gmt_json_caller(json, "trimmed_by", &pool->trimmed);
    gmt_json_close(json);
}

void gmt_json_pools(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "pools");
    for (unsigned i = 0; i < process->pool_count; i++)
        write_pool(json, &process->pools[i]);
    gmt_json_close(json);
}

static void write_limit(struct gmt_json *json, const struct gmt_limit *limit)
{
    gmt_json_object(json, NULL);
    gmt_json_string(json, "limit", limit->json);
    gmt_json_number(json, "number", limit->number);
    gmt_json_device(json, "device", limit->device);
    gmt_json_known(json, "old", limit->old_value, limit->old_value != UINT64_MAX);
    gmt_json_number(json, "new", limit->new_value);
    gmt_json_number(json, "count", limit->count);
    gmt_json_seconds(json, "time", limit->time_ns);
    gmt_json_caller(json, "set_by", &limit->set);
    gmt_json_close(json);
}

void gmt_json_limits(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "limits");
    for (unsigned i = 0; i < process->limit_count; i++)
        write_limit(json, &process->limits[i]);
    gmt_json_close(json);
}
