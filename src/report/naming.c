#include "report/naming.h"

#include <string.h>

#include "report/api_name.h"
#include "report/code_names.h"
#include "report/frame_class.h"
#include "report/model_build.h"

/* No unwinder records more (option depth); a damaged file may claim more. */
#define DEPTH_MAX 1024u

struct namer {
    struct gmt_symbolizer *symbolizer; /* or NULL */
    struct gmt_heap *heap;
    struct gmt_code_names codes;
};

static unsigned stack_depth(const struct gmt_process *process, const struct gmt_stack_record *record)
{
    uint64_t frames = process->view->counts[GMT_SECTION_FRAMES];
    uint64_t present = record->first_frame < frames ? frames - record->first_frame : 0;
    uint64_t depth = record->depth < present ? record->depth : present;
    return depth < DEPTH_MAX ? (unsigned)depth : DEPTH_MAX;
}

/* The code address of a stack's frame `index`. */
static const struct gmt_named_code *code_at(struct namer *namer, const struct gmt_process *process,
                                            const struct gmt_stack_record *record, unsigned index)
{
    const struct gmt_frame_record *frame = gmt_trace_view_frame(process->view, (uint64_t)record->first_frame + index);
    const struct gmt_module *module = frame->module < process->module_count ? &process->modules[frame->module] : NULL;
    return gmt_code_names_at(&namer->codes, process, module, frame->offset);
}

static void collect_codes(struct namer *namer, const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->stack_count; i++) {
        if (!process->stacks[i].wanted)
            continue;
        const struct gmt_stack_record *record = gmt_trace_view_stack(process->view, process->stacks[i].record);
        for (unsigned at = 0; at < stack_depth(process, record); at++)
            code_at(namer, process, record, at);
    }
}

static unsigned add_frames(const struct gmt_named_code *code, struct gmt_frame *frames_out)
{
    if (code->count == 0) {
        *frames_out = (struct gmt_frame){.module = code->module, .offset = code->offset};
        return 1;
    }
    for (size_t i = 0; i < code->count; i++) {
        const struct gmt_symbol *symbol = &code->symbols[i];
        frames_out[i] = (struct gmt_frame){.function = symbol->function,
                                           .file = symbol->file,
                                           .line = symbol->line,
                                           .inlined = symbol->inlined,
                                           .module = code->module,
                                           .offset = code->offset};
    }
    return (unsigned)code->count;
}

static void name_stack(struct namer *namer, struct gmt_process *process, struct gmt_stack *stack)
{
    static struct gmt_frame frames[DEPTH_MAX * GMT_SYMBOLS_MAX];
    const struct gmt_stack_record *record = gmt_trace_view_stack(process->view, stack->record);
    stack->count = 0;
    stack->depth = stack_depth(process, record);
    for (unsigned i = 0; i < stack->depth; i++)
        stack->count += add_frames(code_at(namer, process, record, i), frames + stack->count);
    gmt_stack_classify(stack, frames);
    struct gmt_frame *copy = gmt_heap_take(namer->heap, stack->count, sizeof *copy);
    memcpy(copy, frames, stack->count * sizeof *copy);
    stack->frames = copy;
}

static void name_caller(struct namer *namer, struct gmt_caller *caller)
{
    if (caller->entry)
        caller->api = gmt_api_name(caller->stack, caller->entry, namer->heap);
}

/* Every function that somebody called. */
static void name_functions(struct namer *namer, struct gmt_process *process)
{
    for (unsigned i = 0; i < process->site_count; i++) {
        struct gmt_site *site = &process->sites[i];
        site->api = gmt_api_name(site->stack, site->entry, namer->heap);
        name_caller(namer, &site->freed_by);
    }
    for (unsigned i = 0; i < process->failure_count; i++)
        process->failures[i].api = gmt_api_name(process->failures[i].stack, process->failures[i].entry, namer->heap);
    for (unsigned i = 0; i < process->oom_count; i++)
        process->ooms[i].api = gmt_api_name(process->ooms[i].stack, process->ooms[i].entry, namer->heap);
    for (unsigned i = 0; i < process->context_count; i++) {
        name_caller(namer, &process->contexts[i].created);
        name_caller(namer, &process->contexts[i].ended);
    }
    for (unsigned i = 0; i < process->pool_count; i++) {
        name_caller(namer, &process->pools[i].raised);
        name_caller(namer, &process->pools[i].trimmed);
    }
    for (unsigned i = 0; i < process->limit_count; i++)
        name_caller(namer, &process->limits[i].set);
}

static void name_process(struct namer *namer, struct gmt_process *process)
{
    for (unsigned i = 0; i < process->stack_count; i++)
        if (process->stacks[i].wanted)
            name_stack(namer, process, &process->stacks[i]);
    gmt_model_libraries(process, namer->heap);
    name_functions(namer, process);
    gmt_model_count_objects(process);
    for (unsigned i = 0; namer->symbolizer && i < process->module_count; i++) {
        struct gmt_module *module = &process->modules[i];
        module->trouble = namer->symbolizer->trouble(namer->symbolizer, module, &module->lacks_lines_only);
    }
}

void gmt_report_name(struct gmt_report *report, struct gmt_symbolizer *symbolizer)
{
    struct namer namer = {.symbolizer = symbolizer, .heap = &report->heap};
    gmt_code_names_init(&namer.codes, &report->heap);
    for (unsigned i = 0; i < report->process_count; i++)
        gmt_model_count_takers(&report->processes[i]);
    for (unsigned i = 0; i < report->process_count; i++)
        collect_codes(&namer, &report->processes[i]);
    if (symbolizer)
        gmt_code_names_fill(&namer.codes, symbolizer);
    for (unsigned i = 0; i < report->process_count; i++)
        name_process(&namer, &report->processes[i]);
}
