/* Failed calls and out-of-memory errors in the JSON format. */
#include "report/json_sections.h"
#include "report/kinds.h"

static void write_near(struct gmt_json *json, const struct gmt_failed_call *call)
{
    static const char *const roles[] = {[GMT_NEAR_BELOW] = "below",
                                        [GMT_NEAR_FREED] = "freed_before",
                                        [GMT_NEAR_SUBJECT] = "subject",
                                        [GMT_NEAR_IN_THE_WAY] = "in_the_way"};
    if (call->near_role == GMT_NEAR_NOTHING) {
        gmt_json_null(json, "nearest");
        return;
    }
    gmt_json_object(json, "nearest");
    gmt_json_string(json, "role", roles[call->near_role]);
    gmt_json_number(json, "site", call->near_site->id);
    gmt_json_address(json, "address", call->near_address);
    gmt_json_number(json, "bytes", call->near_bytes);
    gmt_json_seconds(json, "time", call->near_ns);
    gmt_json_stack(json, "stack", call->near_stack);
    gmt_json_bool(json, "unmapped", call->near_unmapped);
    gmt_json_close(json);
}

static void write_thread(struct gmt_json *json, const struct gmt_failed_call *call)
{
    static const char *const takers[GMT_TAKER_STATE_COUNT] = {"unknown", "alive", "ended"};
    if (!call->thread) {
        gmt_json_null(json, "thread");
        return;
    }
    gmt_json_object(json, "thread");
    gmt_json_number(json, "id", call->thread->id);
    gmt_json_string(json, "name", call->thread->name);
    gmt_json_string(json, "state", takers[call->thread->state]);
    gmt_json_close(json);
}

static void write_failure(struct gmt_json *json, const struct gmt_failed_call *call)
{
    static const char *const kinds[GMT_FAILURE_COUNT] = {
#define X(name, json) json,
        GMT_FAILURE_KINDS(X)
#undef X
    };
    static const char *const addresses[GMT_ADDRESS_COUNT] = {"unknown", "inside_block", "stack",
                                                             "host",    "other_kind",   "ended"};
    gmt_json_object(json, NULL);
    gmt_json_string(json, "api", call->api);
    gmt_json_string(json, "entry", call->entry);
    gmt_json_signed(json, "code", call->code);
    gmt_json_string(json, "kind", kinds[call->kind]);
    gmt_json_number(json, "count", call->count);
    gmt_json_seconds(json, "first_time", call->first_ns);
    gmt_json_seconds(json, "last_time", call->last_ns);
    gmt_json_address(json, "last_address", call->last_address);
    gmt_json_number(json, "last_bytes", call->last_bytes);
    if (call->kind == GMT_FAILURE_STRAY)
        gmt_json_string(json, "address_is", addresses[call->address_is]);
    else
        gmt_json_null(json, "address_is");
    write_thread(json, call);
    gmt_json_bool(json, "no_context", call->no_context);
    gmt_json_stack(json, "stack", call->stack);
    write_near(json, call);
    gmt_json_close(json);
}

void gmt_json_failed_calls(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "failed_calls");
    for (unsigned i = 0; i < process->failure_count; i++)
        write_failure(json, &process->failures[i]);
    gmt_json_close(json);
}

static void write_shares(struct gmt_json *json, const char *key, const struct gmt_share *shares, unsigned count,
                         bool bytes)
{
    gmt_json_array(json, key);
    for (unsigned i = 0; i < count; i++) {
        gmt_json_object(json, NULL);
        gmt_json_number(json, "site", shares[i].site->id);
        if (bytes)
            gmt_json_number(json, "live_bytes", shares[i].bytes);
        gmt_json_number(json, "live_count", shares[i].count);
        gmt_json_close(json);
    }
    gmt_json_close(json);
}

static void write_live_of_kind(struct gmt_json *json, const struct gmt_oom *oom)
{
    gmt_json_array(json, "live_of_kind");
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++) {
        if (oom->live_of_kind[kind] == 0)
            continue;
        gmt_json_object(json, NULL);
        gmt_json_string(json, "kind", gmt_kind_json(kind));
        gmt_json_number(json, "live_count", oom->live_of_kind[kind]);
        gmt_json_close(json);
    }
    gmt_json_close(json);
}

/* Pools and limits by their places in the arrays of the process. */
static void write_holders(struct gmt_json *json, const struct gmt_process *process, const struct gmt_oom *oom)
{
    gmt_json_array(json, "pools");
    for (unsigned i = 0; i < oom->pool_count; i++)
        gmt_json_number(json, NULL, (uint64_t)(oom->pools[i] - process->pools));
    gmt_json_close(json);
    gmt_json_array(json, "limits");
    for (unsigned i = 0; i < oom->limit_count; i++)
        gmt_json_number(json, NULL, (uint64_t)(oom->limits[i] - process->limits));
    gmt_json_close(json);
}

static void write_oom(struct gmt_json *json, const struct gmt_process *process, const struct gmt_oom *oom)
{
    gmt_json_object(json, NULL);
    gmt_json_string(json, "api", oom->api);
    gmt_json_string(json, "entry", oom->entry);
    gmt_json_signed(json, "code", oom->code);
    gmt_json_device(json, "device", oom->device);
    gmt_json_seconds(json, "time", oom->time_ns);
    gmt_json_number(json, "request_bytes", oom->request_bytes);
    gmt_json_known(json, "free_bytes", oom->free_bytes, oom->free_bytes != UINT64_MAX);
    gmt_json_known(json, "total_bytes", oom->total_bytes, oom->total_bytes != UINT64_MAX);
    gmt_json_bool(json, "recovered", oom->recovered);
    gmt_json_bool(json, "bytes_suffice", oom->bytes_suffice);
    gmt_json_spaces(json, oom->totals);
    write_shares(json, "sites", oom->top, oom->top_count, true);
    write_shares(json, "objects", oom->objects, oom->object_count, false);
    write_live_of_kind(json, oom);
    write_holders(json, process, oom);
    gmt_json_stack(json, "stack", oom->stack);
    gmt_json_close(json);
}

void gmt_json_ooms(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "oom");
    for (unsigned i = 0; i < process->oom_count; i++)
        write_oom(json, process, &process->ooms[i]);
    gmt_json_close(json);
}
