/* Modules and call stacks; their frames and names come with naming.c. */
#include "report/model_code.h"

#include <string.h>

#include "report/model_build.h"

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
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

void gmt_model_modules(struct gmt_process *process, struct gmt_heap *heap)
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
        module->unloaded = record->unloaded == 1;
        memcpy(module->build_id, record->build_id, sizeof module->build_id);
        if (module->build_id_bytes)
            module->build_id_hex = hex(heap, module->build_id, module->build_id_bytes);
    }
}

void gmt_model_stacks(struct gmt_process *process, struct gmt_heap *heap)
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

const struct gmt_stack *gmt_model_stack(struct gmt_process *process, uint32_t index)
{
    if (index >= process->stack_count)
        return NULL;
    process->stacks[index].wanted = true;
    return &process->stacks[index];
}
