#include "report/naming.h"

#include <stdlib.h>
#include <string.h>

#include "report/api_name.h"
#include "report/frame_class.h"
#include "report/model_build.h"

/* No unwinder records more (option depth); a damaged file may claim more. */
#define DEPTH_MAX 1024u

/* What one code address is called. The same address is on many stacks, and a name is dear. */
struct named_code {
    struct named_code *next;
    const struct gmt_module *module;
    uint64_t offset;
    size_t count;
    struct gmt_symbol *symbols;
};

#define BUCKETS 65536u

struct namer {
    struct gmt_symbolizer *symbolizer; /* or NULL */
    struct gmt_heap *heap;
    struct named_code **buckets;
};

static const struct named_code *name_code(struct namer *namer, const struct gmt_module *module, uint64_t offset)
{
    uint64_t hash = (offset ^ ((uintptr_t)module >> 4)) * UINT64_C(0x9E3779B97F4A7C15);
    struct named_code **bucket = &namer->buckets[hash >> 48];
    for (struct named_code *code = *bucket; code; code = code->next)
        if (code->module == module && code->offset == offset)
            return code;
    struct gmt_symbol symbols[GMT_SYMBOLS_MAX];
    size_t count =
        module && namer->symbolizer ? namer->symbolizer->name(namer->symbolizer, module, offset, symbols) : 0;
    struct named_code *code = gmt_heap_take(namer->heap, 1, sizeof *code);
    *code = (struct named_code){*bucket, module, offset, count, NULL};
    if (count) {
        code->symbols = gmt_heap_take(namer->heap, count, sizeof *code->symbols);
        memcpy(code->symbols, symbols, count * sizeof *symbols);
    }
    *bucket = code;
    return code;
}

static unsigned stack_depth(const struct gmt_process *process, const struct gmt_stack_record *record)
{
    uint64_t frames = process->view->counts[GMT_SECTION_FRAMES];
    uint64_t present = record->first_frame < frames ? frames - record->first_frame : 0;
    uint64_t depth = record->depth < present ? record->depth : present;
    return depth < DEPTH_MAX ? (unsigned)depth : DEPTH_MAX;
}

static unsigned add_frames(struct namer *namer, const struct gmt_module *module, uint64_t offset,
                           struct gmt_frame *frames_out)
{
    const struct named_code *code = name_code(namer, module, offset);
    if (code->count == 0) {
        *frames_out = (struct gmt_frame){.module = module, .offset = offset};
        return 1;
    }
    for (size_t i = 0; i < code->count; i++) {
        const struct gmt_symbol *symbol = &code->symbols[i];
        frames_out[i] = (struct gmt_frame){.function = symbol->function,
                                           .file = symbol->file,
                                           .line = symbol->line,
                                           .inlined = symbol->inlined,
                                           .module = module,
                                           .offset = offset};
    }
    return (unsigned)code->count;
}

static void name_stack(struct namer *namer, struct gmt_process *process, struct gmt_stack *stack)
{
    static struct gmt_frame frames[DEPTH_MAX * GMT_SYMBOLS_MAX];
    const struct gmt_stack_record *record = gmt_trace_view_stack(process->view, stack->record);
    unsigned depth = stack_depth(process, record);
    stack->count = 0;
    stack->depth = depth;
    for (unsigned i = 0; i < depth; i++) {
        const struct gmt_frame_record *frame = gmt_trace_view_frame(process->view, (uint64_t)record->first_frame + i);
        const struct gmt_module *module =
            frame->module < process->module_count ? &process->modules[frame->module] : NULL;
        stack->count += add_frames(namer, module, frame->offset, frames + stack->count);
    }
    gmt_stack_classify(stack, frames);
    struct gmt_frame *copy = gmt_heap_take(namer->heap, stack->count, sizeof *copy);
    memcpy(copy, frames, stack->count * sizeof *copy);
    stack->frames = copy;
}

static void name_process(struct namer *namer, struct gmt_process *process)
{
    for (unsigned i = 0; i < process->stack_count; i++)
        if (process->stacks[i].wanted)
            name_stack(namer, process, &process->stacks[i]);
    gmt_model_libraries(process, namer->heap);
    for (unsigned i = 0; i < process->site_count; i++)
        process->sites[i].api = gmt_api_name(process->sites[i].stack, process->sites[i].entry, namer->heap);
    for (unsigned i = 0; i < process->failure_count; i++)
        process->failures[i].api = gmt_api_name(process->failures[i].stack, process->failures[i].entry, namer->heap);
    for (unsigned i = 0; i < process->oom_count; i++)
        process->ooms[i].api = gmt_api_name(process->ooms[i].stack, process->ooms[i].entry, namer->heap);
    for (unsigned i = 0; namer->symbolizer && i < process->module_count; i++)
        process->modules[i].trouble = namer->symbolizer->trouble(namer->symbolizer, &process->modules[i]);
}

void gmt_report_name(struct gmt_report *report, struct gmt_symbolizer *symbolizer)
{
    struct namer namer = {symbolizer, &report->heap,
                          gmt_heap_take(&report->heap, BUCKETS, sizeof(struct named_code *))};
    for (unsigned i = 0; i < report->process_count; i++)
        name_process(&namer, &report->processes[i]);
}
