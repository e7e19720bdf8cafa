/* The report and its processes: who each is, and the order in which its model is built. */
#include "report/model.h"

#include <string.h>

#include "report/model_build.h"

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* argv[0] as it was typed, unless it needed quoting; else the program's file name. */
static const char *program_name(const struct gmt_process *process, struct gmt_heap *heap)
{
    const char *arguments = process->arguments;
    size_t length = arguments ? strcspn(arguments, " ") : 0;
    if (length > 0 && length == strcspn(arguments, "'\"\\ "))
        return gmt_heap_print(heap, "%.*s", (int)length, arguments);
    return process->executable ? file_name(process->executable) : "an unknown program";
}

static struct gmt_end_state end_of(const struct gmt_trace_header *header)
{
    if (header->end == GMT_END_EXIT)
        return (struct gmt_end_state){GMT_ENDED_EXIT, header->exit_status};
    if (header->end == GMT_END_EXEC)
        return (struct gmt_end_state){GMT_ENDED_EXEC, -1};
    return (struct gmt_end_state){GMT_ENDED_RUNNING, -1};
}

void gmt_report_init(struct gmt_report *report, unsigned process_count)
{
    *report = (struct gmt_report){.processes = NULL};
    report->processes = gmt_heap_take(&report->heap, process_count, sizeof *report->processes);
    report->notes = gmt_heap_take(&report->heap, (size_t)process_count + 16, sizeof *report->notes);
}

struct gmt_process *gmt_report_add(struct gmt_report *report, const struct gmt_trace_view *view)
{
    struct gmt_process *process = &report->processes[report->process_count++];
    struct gmt_heap *heap = &report->heap;
    const struct gmt_trace_header *header = &view->header;
    process->view = view;
    process->host = gmt_trace_view_string(view, header->host);
    process->executable = gmt_trace_view_string(view, header->executable);
    process->arguments = gmt_trace_view_string(view, header->arguments);
    process->working_directory = gmt_trace_view_string(view, header->working_directory);
    process->tool_version = gmt_trace_view_string(view, header->tool_version);
    process->options = gmt_trace_view_string(view, header->options);
    process->program = program_name(process, heap);
    process->end = end_of(header);
    process->simulated = header->flags & GMT_TRACE_SIMULATED;
    gmt_model_modules(process, heap);
    gmt_model_stacks(process, heap);
    gmt_model_devices(process, heap);
    gmt_model_takers(process, heap);
    gmt_model_sites(process, heap);
    gmt_model_contexts(process, heap);
    gmt_model_remains(process, heap);
    gmt_model_objects(process, heap);
    gmt_model_peaks(process, heap);
    gmt_model_calls(process, heap);
    gmt_model_failures(process, heap);
    gmt_model_pools(process, heap);
    gmt_model_ooms(process, heap);
    gmt_model_notes(process, heap);
    return process;
}

void gmt_report_note(struct gmt_report *report, const char *sentence)
{
    report->notes[report->note_count++] = sentence;
}

void gmt_report_drop(struct gmt_report *report)
{
    gmt_heap_drop(&report->heap);
}

uint64_t gmt_process_leaked_blocks(const struct gmt_process *process)
{
    return process->end.by == GMT_ENDED_RUNNING ? 0 : process->leak_blocks;
}

uint64_t gmt_process_bypassed(const struct gmt_process *process)
{
    return process->view->header.bypassed;
}

const char *gmt_model_entry(const struct gmt_process *process, uint32_t index)
{
    const struct gmt_entry_record *record = gmt_trace_view_entry(process->view, index);
    return record ? gmt_trace_view_string(process->view, record->name) : NULL;
}

struct gmt_caller gmt_model_caller(struct gmt_process *process, uint32_t entry, uint32_t stack)
{
    if (stack == GMT_NONE)
        return (struct gmt_caller){NULL, NULL, NULL};
    const char *name = gmt_model_entry(process, entry);
    return (struct gmt_caller){NULL, name ? name : "a function that is not known", gmt_model_stack(process, stack)};
}
