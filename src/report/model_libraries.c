/* Which shared object holds memory: what NCCL, cuBLAS or a plug-in takes for itself is told apart from the program's.
 */
#include "report/model.h"

#include <stdlib.h>

#include "report/frame_class.h"
#include "report/kinds.h"
#include "report/model_build.h"

/* The first module on the stack that takes memory for itself; NULL when there is none. Code that no file backs is
 * passed over: whoever made it comes next. */
static const struct gmt_module *holder_of(const struct gmt_stack *stack)
{
    for (unsigned i = 0; stack && i < stack->count; i++) {
        const struct gmt_module *module = stack->frames[i].module;
        if (module && gmt_module_classify(module) == GMT_FRAME_USER)
            return module;
    }
    return NULL;
}

static void count(struct gmt_holding *holding, const struct gmt_site *site, uint64_t bytes, uint64_t blocks)
{
    holding->bytes += bytes;
    holding->count += blocks;
    if (gmt_kind_space(site->kind) == GMT_SPACE_HOST)
        holding->host_bytes += bytes;
}

static int larger_library(const void *a, const void *b)
{
    const struct gmt_library *x = a, *y = b;
    if (x->leaked.bytes != y->leaked.bytes)
        return x->leaked.bytes < y->leaked.bytes ? 1 : -1;
    if (x->live.bytes != y->live.bytes)
        return x->live.bytes < y->live.bytes ? 1 : -1;
    return x->module < y->module ? -1 : x->module > y->module;
}

void gmt_model_libraries(struct gmt_process *process, struct gmt_heap *heap)
{
    /* One for each module, and the last for no module at all. */
    struct gmt_library *table = gmt_heap_take(heap, (size_t)process->module_count + 1, sizeof *table);
    for (unsigned i = 0; i < process->site_count; i++) {
        struct gmt_site *site = &process->sites[i];
        site->library = holder_of(site->stack);
        size_t index = site->library ? (size_t)(site->library - process->modules) : process->module_count;
        table[index].module = site->library;
        if (gmt_kind_leaks(site->kind))
            count(&table[index].live, site, site->live_bytes, site->live_count);
    }
    for (unsigned i = 0; i < process->leak_count; i++) {
        const struct gmt_remains *leak = process->leaks[i];
        size_t index = leak->site->library ? (size_t)(leak->site->library - process->modules) : process->module_count;
        count(&table[index].leaked, leak->site, leak->bytes, leak->count);
    }
    process->libraries = table;
    for (size_t i = 0; i <= process->module_count; i++)
        if (table[i].live.count || table[i].leaked.count)
            table[process->library_count++] = table[i];
    qsort(table, process->library_count, sizeof *table, larger_library);
}
