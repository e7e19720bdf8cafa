/* Values that many sections of the JSON format have. */
#include "report/json_sections.h"
#include "report/kinds.h"

void gmt_json_stack(struct gmt_json *json, const char *key, const struct gmt_stack *stack)
{
    static const char *const owners[] = {"user", "cuda", "tracer", "system", "plumbing"};
    gmt_json_array(json, key);
    for (unsigned i = 0; stack && i < stack->count; i++) {
        const struct gmt_frame *frame = &stack->frames[i];
        gmt_json_object(json, NULL);
        gmt_json_string(json, "function", frame->function);
        gmt_json_string(json, "file", frame->file);
        if (frame->line)
            gmt_json_number(json, "line", frame->line);
        else
            gmt_json_null(json, "line");
        gmt_json_string(json, "module", frame->module ? frame->module->path : NULL);
        gmt_json_address(json, "offset", frame->offset);
        gmt_json_string(json, "build_id", frame->module ? frame->module->build_id_hex : NULL);
        gmt_json_bool(json, "inlined", frame->inlined);
        gmt_json_string(json, "kind", frame->module ? "native" : frame->function ? "jit" : "unknown");
        gmt_json_string(json, "owner", owners[frame->belongs_to]);
        gmt_json_close(json);
    }
    gmt_json_close(json);
}

void gmt_json_device(struct gmt_json *json, const char *key, const struct gmt_device *device)
{
    if (device)
        gmt_json_number(json, key, device->ordinal);
    else
        gmt_json_null(json, key);
}

void gmt_json_caller(struct gmt_json *json, const char *key, const struct gmt_caller *caller)
{
    if (!caller->entry) {
        gmt_json_null(json, key);
        return;
    }
    gmt_json_object(json, key);
    gmt_json_string(json, "api", caller->api);
    gmt_json_string(json, "entry", caller->entry);
    gmt_json_stack(json, "stack", caller->stack);
    gmt_json_close(json);
}

void gmt_json_known(struct gmt_json *json, const char *key, uint64_t value, bool known)
{
    if (known)
        gmt_json_number(json, key, value);
    else
        gmt_json_null(json, key);
}

void gmt_json_seconds_known(struct gmt_json *json, const char *key, uint64_t nanoseconds, bool known)
{
    if (known)
        gmt_json_seconds(json, key, nanoseconds);
    else
        gmt_json_null(json, key);
}

void gmt_json_takers(struct gmt_json *json, const char *key, const uint64_t takers[GMT_TAKER_STATE_COUNT])
{
    gmt_json_object(json, key);
    gmt_json_number(json, "alive", takers[GMT_TAKER_ALIVE]);
    gmt_json_number(json, "ended", takers[GMT_TAKER_ENDED]);
    gmt_json_number(json, "unknown", takers[GMT_TAKER_UNKNOWN]);
    gmt_json_close(json);
}

static void write_totals(struct gmt_json *json, const char *key, const struct gmt_totals *totals)
{
    gmt_json_object(json, key);
    gmt_json_number(json, "live_bytes", totals->live_bytes);
    gmt_json_number(json, "live_count", totals->live_count);
    gmt_json_number(json, "peak_bytes", totals->peak_bytes);
    gmt_json_number(json, "peak_count", totals->peak_count);
    gmt_json_seconds(json, "peak_time", totals->peak_ns);
    gmt_json_number(json, "total_bytes", totals->total_bytes);
    gmt_json_number(json, "total_count", totals->total_count);
    gmt_json_close(json);
}

void gmt_json_spaces(struct gmt_json *json, const struct gmt_totals totals[GMT_SPACE_COUNT])
{
    gmt_json_object(json, "spaces");
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++)
        write_totals(json, gmt_space_json(space), &totals[space]);
    gmt_json_close(json);
}
