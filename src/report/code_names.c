#include "report/code_names.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 65536u

void gmt_code_names_init(struct gmt_code_names *names, struct gmt_heap *heap)
{
    *names = (struct gmt_code_names){heap, gmt_heap_take(heap, BUCKETS, sizeof(struct gmt_named_code *)), 0};
}

struct gmt_named_code *gmt_code_names_at(struct gmt_code_names *names, const struct gmt_process *process,
                                         const struct gmt_module *module, uint64_t offset)
{
    const void *owner = module ? (const void *)module : process;
    uint64_t hash = (offset ^ ((uintptr_t)owner >> 4)) * UINT64_C(0x9E3779B97F4A7C15);
    struct gmt_named_code **bucket = &names->buckets[hash >> 48];
    for (struct gmt_named_code *code = *bucket; code; code = code->next)
        if (code->process == process && code->module == module && code->offset == offset)
            return code;
    struct gmt_named_code *code = gmt_heap_take(names->heap, 1, sizeof *code);
    *code = (struct gmt_named_code){process, module, offset, NULL, 0, *bucket};
    *bucket = code;
    names->count++;
    return code;
}

/* Code without a file first, process by process; then file by file, the same one of all processes together. */
static int by_file(const void *a, const void *b)
{
    const struct gmt_named_code *x = *(struct gmt_named_code *const *)a, *y = *(struct gmt_named_code *const *)b;
    if (!x->module || !y->module) {
        if (x->module || y->module)
            return x->module ? 1 : -1;
        if (x->process != y->process)
            return x->process < y->process ? -1 : 1;
    } else if (x->module != y->module) {
        int order = strcmp(x->module->path, y->module->path);
        if (order == 0)
            order = strcmp(x->module->build_id_hex ? x->module->build_id_hex : "",
                           y->module->build_id_hex ? y->module->build_id_hex : "");
        if (order != 0)
            return order;
    }
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static struct gmt_named_code **sorted(struct gmt_code_names *names)
{
    struct gmt_named_code **codes = gmt_heap_take(names->heap, names->count, sizeof *codes);
    size_t count = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct gmt_named_code *code = names->buckets[i]; code; code = code->next)
            codes[count++] = code;
    if (count)
        qsort(codes, count, sizeof *codes, by_file);
    return codes;
}

static void name_by_file(struct gmt_code_names *names, struct gmt_symbolizer *symbolizer, struct gmt_named_code *code)
{
    struct gmt_symbol found[GMT_SYMBOLS_MAX];
    code->count = symbolizer->name(symbolizer, code->module, code->offset, found);
    if (code->count == 0)
        return;
    struct gmt_symbol *symbols = gmt_heap_take(names->heap, code->count, sizeof *symbols);
    memcpy(symbols, found, code->count * sizeof *symbols);
    code->symbols = symbols;
}

/* Names the codes of one process that have no file. */
static void name_jit(struct gmt_code_names *names, struct gmt_symbolizer *symbolizer, struct gmt_named_code **codes,
                     size_t count)
{
    struct gmt_process *process = (struct gmt_process *)codes[0]->process;
    uint64_t *addresses = gmt_heap_take(names->heap, count, sizeof *addresses);
    const char **functions = gmt_heap_take(names->heap, count, sizeof *functions);
    for (size_t i = 0; i < count; i++)
        addresses[i] = codes[i]->offset;
    process->jit_trouble = symbolizer->name_jit(symbolizer, process, addresses, count, functions);
    for (size_t i = 0; i < count; i++) {
        if (!functions[i])
            continue;
        struct gmt_symbol *symbol = gmt_heap_take(names->heap, 1, sizeof *symbol);
        symbol->function = functions[i];
        codes[i]->symbols = symbol;
        codes[i]->count = 1;
    }
}

void gmt_code_names_fill(struct gmt_code_names *names, struct gmt_symbolizer *symbolizer)
{
    struct gmt_named_code **codes = sorted(names);
    size_t i = 0;
    while (i < names->count && !codes[i]->module) {
        size_t first = i;
        while (i < names->count && !codes[i]->module && codes[i]->process == codes[first]->process)
            i++;
        if (symbolizer->name_jit)
            name_jit(names, symbolizer, codes + first, i - first);
    }
    for (; i < names->count; i++)
        name_by_file(names, symbolizer, codes[i]);
}
