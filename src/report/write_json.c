/* The JSON format. report.schema.json describes every field; a field added here is added there. */
#include "report/json_sections.h"
#include "report/verdict.h"
#include "report/writers.h"

static const char *const gates[] = {"passed", "not_traced", "bypassed", "leaks", "incomplete"};

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
    gmt_json_known(json, "rank", (uint64_t)header->rank, header->rank >= 0);
    gmt_json_seconds(json, "start", header->start_unix_ns);
    if (header->end != GMT_END_RUNNING)
        gmt_json_seconds(json, "end", header->end_ns);
    else
        gmt_json_null(json, "end");
    gmt_json_string(json, "ended_by", ends[end->by]);
    gmt_json_known(json, "exit_status", (uint64_t)end->status, end->by == GMT_ENDED_EXIT && end->status >= 0);
    gmt_json_known(json, "signal", (uint64_t)end->status, end->by == GMT_ENDED_SIGNAL && end->status > 0);
    gmt_json_string(json, "tool_version", process->tool_version);
    gmt_json_string(json, "options", process->options);
    gmt_json_known(json, "driver_version", (uint64_t)header->driver_version, header->driver_version > 0);
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
    gmt_json_devices(json, process);
    gmt_json_contexts(json, process);
    gmt_json_pools(json, process);
    gmt_json_limits(json, process);
    gmt_json_sites(json, process);
    gmt_json_leaks(json, process);
    gmt_json_late(json, process);
    gmt_json_objects(json, process);
    gmt_json_imports(json, process);
    gmt_json_libraries(json, process);
    gmt_json_failed_calls(json, process);
    gmt_json_ooms(json, process);
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
