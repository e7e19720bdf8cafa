/* The process, its devices, modules and stacks. Sites and leaks are in model_sites.c, calls in model_calls.c. */
#include "report/model.h"

#include <string.h>

#include "report/model_build.h"
#include "report/words.h"

/* More than any machine has; a damaged file may claim more, and every site is looked up among them. */
#define DEVICES_MAX 1024u

const char *gmt_kind_json(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->json;
}

const char *gmt_kind_words(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->words;
}

enum gmt_space gmt_kind_space(enum gmt_kind kind)
{
    return gmt_kind_facts(kind)->space;
}

const char *gmt_space_json(enum gmt_space space)
{
    static const char *const names[GMT_SPACE_COUNT] = {
#define X(name, json, words) json,
        GMT_SPACES(X)
#undef X
    };
    return names[space];
}

const char *gmt_space_words(enum gmt_space space)
{
    static const char *const names[GMT_SPACE_COUNT] = {
#define X(name, json, words) words,
        GMT_SPACES(X)
#undef X
    };
    return names[space];
}

static const char *last_part(const char *path)
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
    return process->executable ? last_part(process->executable) : "an unknown program";
}

static const char *hex(struct gmt_heap *heap, const uint8_t *bytes, unsigned count)
{
    static const char digits[] = "0123456789abcdef";
    char *text = gmt_heap_take(heap, 2 * (size_t)count + 1, 1);
    for (unsigned i = 0; i < count; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return text;
}

static void add_modules(struct gmt_process *process, struct gmt_heap *heap)
{
    process->module_count = (unsigned)process->view->counts[GMT_SECTION_MODULES];
    process->modules = gmt_heap_take(heap, process->module_count, sizeof *process->modules);
    for (unsigned i = 0; i < process->module_count; i++) {
        const struct gmt_module_record *record = gmt_trace_view_module(process->view, i);
        struct gmt_module *module = &process->modules[i];
        const char *path = gmt_trace_view_string(process->view, record->path);
        module->path = path ? path : "unknown module";
        module->name = last_part(module->path);
        module->build_id_bytes = record->build_id_bytes <= sizeof module->build_id ? record->build_id_bytes
                                                                                   : (unsigned)sizeof module->build_id;
        memcpy(module->build_id, record->build_id, sizeof module->build_id);
        if (module->build_id_bytes)
            module->build_id_hex = hex(heap, module->build_id, module->build_id_bytes);
    }
}

static void add_stacks(struct gmt_process *process, struct gmt_heap *heap)
{
    process->stack_count = (unsigned)process->view->counts[GMT_SECTION_STACKS];
    process->stacks = gmt_heap_take(heap, process->stack_count, sizeof *process->stacks);
    for (unsigned i = 0; i < process->stack_count; i++) {
        const struct gmt_stack_record *record = gmt_trace_view_stack(process->view, i);
        process->stacks[i].record = i;
        process->stacks[i].user = -1;
        process->stacks[i].cut = record->flags & GMT_STACK_CUT;
        process->stacks[i].incomplete = record->flags & GMT_STACK_INCOMPLETE;
    }
}

static void add_devices(struct gmt_process *process, struct gmt_heap *heap)
{
    uint64_t records = process->view->counts[GMT_SECTION_DEVICES];
    if (records > DEVICES_MAX)
        records = DEVICES_MAX;
    process->devices = gmt_heap_take(heap, records, sizeof *process->devices);
    for (uint64_t i = 0; i < records; i++) {
        const struct gmt_device_record *record = gmt_trace_view_device(process->view, i);
        if (record->state != 1)
            continue;
        struct gmt_device *device = &process->devices[process->device_count++];
        device->ordinal = (uint32_t)i;
        device->name = gmt_trace_view_string(process->view, record->name);
        device->total_bytes = record->total_bytes;
        memcpy(device->uuid, record->uuid, sizeof device->uuid);
        memcpy(device->totals, record->totals, sizeof device->totals);
    }
}

static struct gmt_end_state end_of(const struct gmt_trace_header *header)
{
    if (header->end == GMT_END_EXIT)
        return (struct gmt_end_state){GMT_ENDED_EXIT, header->exit_status};
    if (header->end == GMT_END_EXEC)
        return (struct gmt_end_state){GMT_ENDED_EXEC, -1};
    return (struct gmt_end_state){GMT_ENDED_RUNNING, -1};
}

static void add_notes(struct gmt_process *process, struct gmt_heap *heap)
{
    static const char *const sentences[GMT_TROUBLE_COUNT] = {
#define X(name, sentence) sentence,
        GMT_TRACE_TROUBLES(X)
#undef X
    };
    process->notes = gmt_heap_take(heap, GMT_TROUBLE_COUNT + process->view->note_count + 2, sizeof *process->notes);
    process->doubt_count = process->missing_count = process->view->note_count;
    for (unsigned i = 0; i < process->view->note_count; i++)
        process->notes[process->note_count++] = process->view->notes[i];
    for (unsigned i = 0; i < GMT_TROUBLE_COUNT; i++) {
        uint64_t count = process->view->header.troubles[i];
        const char *number = strstr(sentences[i], "%llu");
        if (count == 0 || !number)
            continue;
        process->doubt_count += i != GMT_TROUBLE_STACKS_CUT; /* ordinary with Python, and no figure is wrong for it */
        process->missing_count += i != GMT_TROUBLE_STACKS_CUT && i != GMT_TROUBLE_ADDRESS_REUSED;
        process->notes[process->note_count++] =
            gmt_heap_print(heap, "%.*s%llu%s.", (int)(number - sentences[i]), sentences[i], (unsigned long long)count,
                           number + strlen("%llu"));
    }
    if (process->view->header.flags & GMT_TRACE_ANONYMOUS)
        process->notes[process->note_count++] = "The trace is in anonymous memory: it would not have survived a kill.";
    if (process->freeing_count)
        process->notes[process->note_count++] =
            gmt_heap_print(heap, "A free of %s was under way at that moment; counted as done.",
                           gmt_words_count(heap, process->freeing_count, "block"));
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
    add_modules(process, heap);
    add_stacks(process, heap);
    add_devices(process, heap);
    gmt_model_sites(process, heap);
    gmt_model_leaks(process, heap);
    gmt_model_peaks(process, heap);
    gmt_model_calls(process, heap);
    add_notes(process, heap);
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

const struct gmt_stack *gmt_model_stack(struct gmt_process *process, uint32_t index)
{
    if (index >= process->stack_count)
        return NULL;
    process->stacks[index].wanted = true;
    return &process->stacks[index];
}

const struct gmt_device *gmt_model_device(const struct gmt_process *process, uint32_t ordinal)
{
    for (unsigned i = 0; i < process->device_count; i++)
        if (process->devices[i].ordinal == ordinal)
            return &process->devices[i];
    return NULL;
}

const char *gmt_model_entry(const struct gmt_process *process, uint32_t index)
{
    const struct gmt_entry_record *record = gmt_trace_view_entry(process->view, index);
    return record ? gmt_trace_view_string(process->view, record->name) : NULL;
}
