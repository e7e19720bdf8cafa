/* The JSON format. report.schema.json describes every field; a field added here is added there. */
#include "report/json_out.h"
#include "report/verdict.h"
#include "report/writers.h"

static const char *const leak_states[GMT_LEAK_STATE_COUNT] = {"live", "ended_by_release", "ended_by_reset",
                                                              "ended_by_destroy"};
static const char *const gates[] = {"passed", "not_traced", "bypassed", "leaks", "incomplete"};

static void write_stack(struct gmt_json *json, const char *key, const struct gmt_stack *stack)
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

static void write_device_number(struct gmt_json *json, const char *key, const struct gmt_device *device)
{
    if (device)
        gmt_json_number(json, key, device->ordinal);
    else
        gmt_json_null(json, key);
}

static void write_known(struct gmt_json *json, const char *key, uint64_t value, bool known)
{
    if (known)
        gmt_json_number(json, key, value);
    else
        gmt_json_null(json, key);
}

static void write_verdict(struct gmt_json *json, const struct gmt_verdict *verdict)
{
    gmt_json_object(json, "verdict");
    gmt_json_string(json, "result", gmt_result_json(verdict->result));
    gmt_json_array(json, "sentences");
    gmt_json_string(json, NULL, verdict->sentence);
    if (verdict->leaks)
        gmt_json_string(json, NULL, verdict->leaks);
    gmt_json_close(json);
    gmt_json_close(json);
}

static void write_identity(struct gmt_json *json, const struct gmt_process *process)
{
    static const char *const ends[] = {"running", "exit", "exec", "signal", "gone"};
    const struct gmt_trace_header *header = &process->view->header;
    const struct gmt_end_state *end = &process->end;
    gmt_json_object(json, "process");
    gmt_json_number(json, "pid", header->pid);
    gmt_json_number(json, "parent_pid", header->parent_pid);
    gmt_json_string(json, "host", process->host);
    gmt_json_string(json, "exe", process->executable);
    gmt_json_string(json, "argv", process->arguments);
    gmt_json_string(json, "working_directory", process->working_directory);
    write_known(json, "rank", (uint64_t)header->rank, header->rank >= 0);
    gmt_json_seconds(json, "start", header->start_unix_ns);
    if (header->end != GMT_END_RUNNING)
        gmt_json_seconds(json, "end", header->end_ns);
    else
        gmt_json_null(json, "end");
    gmt_json_string(json, "ended_by", ends[end->by]);
    write_known(json, "exit_status", (uint64_t)end->status, end->by == GMT_ENDED_EXIT && end->status >= 0);
    write_known(json, "signal", (uint64_t)end->status, end->by == GMT_ENDED_SIGNAL && end->status > 0);
    gmt_json_string(json, "tool_version", process->tool_version);
    gmt_json_string(json, "options", process->options);
    write_known(json, "driver_version", (uint64_t)header->driver_version, header->driver_version > 0);
    gmt_json_close(json);
}

static void write_coverage(struct gmt_json *json, const struct gmt_process *process)
{
    static const char *const doors[GMT_DOOR_COUNT] = {"symbol", "dlsym", "get_proc_address"};
    const struct gmt_trace_header *header = &process->view->header;
    gmt_json_object(json, "coverage");
    gmt_json_array(json, "calls");
    for (unsigned i = 0; i < process->call_count; i++) {
        gmt_json_object(json, NULL);
        gmt_json_string(json, "name", process->calls[i].name);
        gmt_json_number(json, "count", process->calls[i].calls);
        gmt_json_number(json, "failures", process->calls[i].failures);
        gmt_json_close(json);
    }
    gmt_json_close(json);
    gmt_json_array(json, "libraries");
    for (unsigned i = 0; i < process->client_count; i++) {
        const struct gmt_client *client = &process->clients[i];
        gmt_json_object(json, NULL);
        gmt_json_string(json, "module", client->module ? client->module->path : NULL);
        gmt_json_object(json, "doors");
        for (unsigned door = 0; door < GMT_DOOR_COUNT; door++)
            gmt_json_number(json, doors[door], client->uses[door]);
        gmt_json_close(json);
        gmt_json_close(json);
    }
    gmt_json_close(json);
    gmt_json_array(json, "unnamed");
    for (unsigned i = 0; i < process->module_count; i++) {
        if (!process->modules[i].trouble)
            continue;
        gmt_json_object(json, NULL);
        gmt_json_string(json, "module", process->modules[i].path);
        gmt_json_string(json, "why", process->modules[i].trouble);
        gmt_json_bool(json, "lines_only", process->modules[i].lacks_lines_only);
        gmt_json_close(json);
    }
    if (process->jit_trouble) {
        gmt_json_object(json, NULL);
        gmt_json_null(json, "module");
        gmt_json_string(json, "why", process->jit_trouble);
        gmt_json_bool(json, "lines_only", false);
        gmt_json_close(json);
    }
    gmt_json_close(json);
    gmt_json_number(json, "bypassed", header->bypassed);
    gmt_json_string(json, "bypassed_name", gmt_trace_view_string(process->view, header->bypassed_name));
    gmt_json_number(json, "own_bytes", header->own_bytes);
    gmt_json_close(json);
}

static void write_uuid(struct gmt_json *json, const uint8_t *uuid)
{
    char text[37];
    bool known = false;
    int at = 0;
    for (unsigned i = 0; i < 16; i++) {
        known = known || uuid[i] != 0;
        at += snprintf(text + at, sizeof text - (size_t)at, "%02x%s", uuid[i],
                       i == 3 || i == 5 || i == 7 || i == 9 ? "-" : "");
    }
    gmt_json_string(json, "uuid", known ? text : NULL);
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

static void write_spaces(struct gmt_json *json, const struct gmt_totals totals[GMT_SPACE_COUNT])
{
    gmt_json_object(json, "spaces");
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++)
        write_totals(json, gmt_space_json(space), &totals[space]);
    gmt_json_close(json);
}

/* live_ and peak_ beside the ordinal are those of the device's own memory, the space most readers want. */
static void write_devices(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_array(json, "devices");
    for (unsigned i = 0; i < process->device_count; i++) {
        const struct gmt_device *device = &process->devices[i];
        const struct gmt_totals *totals = &device->totals[GMT_SPACE_DEVICE];
        gmt_json_object(json, NULL);
        gmt_json_number(json, "ordinal", device->ordinal);
        write_uuid(json, device->uuid);
        gmt_json_string(json, "name", device->name);
        write_known(json, "total_bytes", device->total_bytes, device->total_bytes > 0);
        gmt_json_number(json, "live_bytes", totals->live_bytes);
        gmt_json_number(json, "live_count", totals->live_count);
        gmt_json_number(json, "peak_bytes", totals->peak_bytes);
        gmt_json_seconds(json, "peak_time", totals->peak_ns);
        write_spaces(json, device->totals);
        gmt_json_close(json);
    }
    gmt_json_close(json);
}

static void write_site(struct gmt_json *json, const struct gmt_site *site)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "id", site->id);
    gmt_json_string(json, "api", site->api);
    gmt_json_string(json, "entry", site->entry);
    gmt_json_string(json, "kind", gmt_kind_json(site->kind));
    write_device_number(json, "device", site->device);
    gmt_json_number(json, "live_bytes", site->live_bytes);
    gmt_json_number(json, "live_count", site->live_count);
    gmt_json_number(json, "peak_bytes", site->peak_bytes);
    gmt_json_number(json, "at_peak_bytes", site->at_peak_bytes);
    gmt_json_number(json, "at_peak_count", site->at_peak_count);
    gmt_json_number(json, "total_bytes", site->total_bytes);
    gmt_json_number(json, "total_count", site->total_count);
    gmt_json_seconds(json, "first_time", site->first_ns);
    gmt_json_seconds(json, "last_time", site->last_ns);
    gmt_json_string(json, "library", site->library ? site->library->path : NULL);
    write_stack(json, "stack", site->stack);
    gmt_json_bool(json, "stack_complete", site->stack && !site->stack->cut && !site->stack->incomplete);
    gmt_json_close(json);
}

static void write_leak(struct gmt_json *json, const struct gmt_leak *leak)
{
    gmt_json_object(json, NULL);
    gmt_json_number(json, "site", leak->site->id);
    gmt_json_number(json, "bytes", leak->bytes);
    gmt_json_number(json, "count", leak->count);
    gmt_json_string(json, "kind", gmt_kind_json(leak->site->kind));
    gmt_json_string(json, "state", leak_states[leak->state]);
    gmt_json_number(json, "smallest_bytes", leak->smallest);
    gmt_json_number(json, "largest_bytes", leak->largest);
    gmt_json_seconds(json, "first_time", leak->first_ns);
    gmt_json_seconds(json, "last_time", leak->last_ns);
    gmt_json_close(json);
}

static void write_library(struct gmt_json *json, const struct gmt_library *library)
{
    gmt_json_object(json, NULL);
    gmt_json_string(json, "module", library->module ? library->module->path : NULL);
    gmt_json_number(json, "live_bytes", library->live.bytes);
    gmt_json_number(json, "live_count", library->live.count);
    gmt_json_number(json, "leak_bytes", library->leaked.bytes);
    gmt_json_number(json, "leak_count", library->leaked.count);
    gmt_json_close(json);
}

static void write_failure(struct gmt_json *json, const struct gmt_failed_call *call)
{
    static const char *const kinds[GMT_FAILURE_COUNT] = {
#define X(name, json) json,
        GMT_FAILURE_KINDS(X)
#undef X
    };
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
    write_stack(json, "stack", call->stack);
    if (call->near_site) {
        gmt_json_object(json, "nearest");
        gmt_json_number(json, "site", call->near_site->id);
        gmt_json_address(json, "address", call->near_address);
        gmt_json_number(json, "bytes", call->near_bytes);
        gmt_json_close(json);
    } else {
        gmt_json_null(json, "nearest");
    }
    gmt_json_close(json);
}

static void write_oom(struct gmt_json *json, const struct gmt_oom *oom)
{
    gmt_json_object(json, NULL);
    gmt_json_string(json, "api", oom->api);
    gmt_json_string(json, "entry", oom->entry);
    gmt_json_signed(json, "code", oom->code);
    write_device_number(json, "device", oom->device);
    gmt_json_seconds(json, "time", oom->time_ns);
    gmt_json_number(json, "request_bytes", oom->request_bytes);
    write_known(json, "free_bytes", oom->free_bytes, oom->free_bytes != UINT64_MAX);
    write_known(json, "total_bytes", oom->total_bytes, oom->total_bytes != UINT64_MAX);
    gmt_json_bool(json, "recovered", oom->recovered);
    write_spaces(json, oom->totals);
    gmt_json_array(json, "sites");
    for (unsigned i = 0; i < oom->top_count; i++) {
        gmt_json_object(json, NULL);
        gmt_json_number(json, "site", oom->top[i].site->id);
        gmt_json_number(json, "live_bytes", oom->top[i].bytes);
        gmt_json_number(json, "live_count", oom->top[i].count);
        gmt_json_close(json);
    }
    gmt_json_close(json);
    write_stack(json, "stack", oom->stack);
    gmt_json_close(json);
}

static void write_notes(struct gmt_json *json, const char *const *notes, unsigned count)
{
    gmt_json_array(json, "notes");
    for (unsigned i = 0; i < count; i++)
        gmt_json_string(json, NULL, notes[i]);
    gmt_json_close(json);
}

static void write_process(struct gmt_json *json, const struct gmt_process *process)
{
    gmt_json_object(json, NULL);
    write_identity(json, process);
    write_verdict(json, &process->verdict);
    gmt_json_bool(json, "simulated", process->simulated);
    write_coverage(json, process);
    write_devices(json, process);
    gmt_json_array(json, "sites");
    for (unsigned i = 0; i < process->site_count; i++)
        write_site(json, &process->sites[i]);
    gmt_json_close(json);
    gmt_json_array(json, "leaks");
    for (unsigned i = 0; i < process->leak_count; i++)
        write_leak(json, &process->leaks[i]);
    gmt_json_close(json);
    gmt_json_array(json, "libraries");
    for (unsigned i = 0; i < process->library_count; i++)
        write_library(json, &process->libraries[i]);
    gmt_json_close(json);
    gmt_json_array(json, "failed_calls");
    for (unsigned i = 0; i < process->failure_count; i++)
        write_failure(json, &process->failures[i]);
    gmt_json_close(json);
    gmt_json_array(json, "oom");
    for (unsigned i = 0; i < process->oom_count; i++)
        write_oom(json, &process->ooms[i]);
    gmt_json_close(json);
    write_notes(json, process->notes, process->note_count);
    gmt_json_close(json);
}

static void write_gate(struct gmt_json *json, const struct gmt_report *report)
{
    uint64_t leaks = 0;
    for (unsigned i = 0; i < report->process_count; i++)
        leaks += gmt_process_leaked_blocks(&report->processes[i]);
    gmt_json_object(json, "gate");
    gmt_json_string(json, "result", report->gate_checked ? gates[report->gate] : "not_checked");
    gmt_json_number(json, "leaks", leaks);
    gmt_json_close(json);
}

void gmt_write_json(struct gmt_report *report, const struct gmt_write_options *options, FILE *file)
{
    struct gmt_json json = {.file = file};
    (void)options; /* a program reads everything */
    gmt_json_object(&json, NULL);
    gmt_json_string(&json, "schema", "gpumemtrace-report/1");
    write_verdict(&json, &report->verdict);
    write_gate(&json, report);
    gmt_json_array(&json, "processes");
    for (unsigned i = 0; i < report->process_count; i++)
        write_process(&json, &report->processes[i]);
    gmt_json_close(&json);
    write_notes(&json, report->notes, report->note_count);
    gmt_json_close(&json);
}
