#include "symbol_table.h"

#include <stdlib.h>

#include "report/heap.h"

static int by_address(const void *a, const void *b)
{
    const struct gmt_symbol_entry *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Of several names for one address the exported one is what people know, then one that says how long it is. */
static unsigned rank_of(const GElf_Sym *symbol)
{
    static const unsigned bindings[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
    unsigned binding = GELF_ST_BIND(symbol->st_info);
    return 2 * (binding < 3 ? bindings[binding] : 2) + (symbol->st_size == 0);
}

static int is_code(const GElf_Sym *symbol, const char *name)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || !name || name[0] == '\0' || name[0] == '$')
        return 0;
    return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

void gmt_symbol_table_fill(struct gmt_symbol_table *table, Dwfl_Module *module)
{
    int count = dwfl_module_getsymtab(module);
    *table = (struct gmt_symbol_table){NULL, 0};
    if (count <= 0)
        return;
    table->entries = calloc((size_t)count, sizeof *table->entries);
    if (!table->entries)
        gmt_heap_exhausted();
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        if (name && is_code(&symbol, name))
            table->entries[table->count++] = (struct gmt_symbol_entry){address, symbol.st_size, name, rank_of(&symbol)};
    }
    qsort(table->entries, table->count, sizeof *table->entries, by_address);
}

const char *gmt_symbol_table_find(const struct gmt_symbol_table *table, uint64_t address)
{
    size_t low = 0, high = table->count; /* the first entry above the address */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->entries[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    size_t best = low - 1;
    while (best > 0 && table->entries[best - 1].address == table->entries[best].address)
        best--;
    for (size_t i = best; i < low; i++) {
        const struct gmt_symbol_entry *entry = &table->entries[i];
        if (entry->size == 0 || address - entry->address < entry->size)
            return entry->name;
    }
    return NULL;
}

void gmt_symbol_table_drop(struct gmt_symbol_table *table)
{
    free(table->entries);
    *table = (struct gmt_symbol_table){NULL, 0};
}
