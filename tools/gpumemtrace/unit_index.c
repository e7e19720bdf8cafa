#include "unit_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "report/heap.h"

/* Namespaces within namespaces; a damaged file may nest them without end. */
#define NESTING_MAX 64

static void add_ranges(struct gmt_die_ranges *ranges, Dwarf_Die *die, Dwarf_Addr bias)
{
    Dwarf_Addr base, low, high;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;) {
        if (ranges->count == ranges->capacity) {
            ranges->capacity = ranges->capacity ? 2 * ranges->capacity : 256;
            ranges->ranges = realloc(ranges->ranges, ranges->capacity * sizeof *ranges->ranges);
            if (!ranges->ranges)
                gmt_heap_exhausted();
        }
        ranges->ranges[ranges->count++] = (struct gmt_die_range){low + bias, high + bias, dwarf_dieoffset(die)};
    }
}

static int by_low(const void *a, const void *b)
{
    const struct gmt_die_range *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void sort(struct gmt_die_ranges *ranges)
{
    if (ranges->count)
        qsort(ranges->ranges, ranges->count, sizeof *ranges->ranges, by_low);
    ranges->filled = true;
}

static const struct gmt_die_range *find(const struct gmt_die_ranges *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges->ranges[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < ranges->ranges[low - 1].high ? &ranges->ranges[low - 1] : NULL;
}

/* clang writes no .debug_aranges, which libdw's index is made from: the units' own ranges are as good. */
static void fill_units(struct gmt_unit_index *index, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = dwfl_module_nextcu(module, NULL, &bias); unit;
         unit = dwfl_module_nextcu(module, unit, &bias))
        add_ranges(&index->units, unit, bias);
    sort(&index->units);
}

bool gmt_unit_index_unit(struct gmt_unit_index *index, Dwfl_Module *module, uint64_t address, Dwarf_Die *unit_out,
                         Dwarf_Addr *bias_out)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias_out);
    if (unit) {
        *unit_out = *unit;
        return true;
    }
    Dwarf *dwarf = dwfl_module_getdwarf(module, bias_out);
    if (!dwarf)
        return false;
    if (!index->units.filled)
        fill_units(index, module);
    const struct gmt_die_range *range = find(&index->units, address);
    return range && dwarf_offdie(dwarf, range->die, unit_out) != NULL;
}

bool gmt_die_advance(Dwarf_Die *die)
{
    Dwarf_Off before = dwarf_dieoffset(die);
    return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > before;
}

/* Functions have their code in the unit itself or in namespaces. */
static void collect_functions(struct gmt_die_ranges *functions, Dwarf_Die *parent, unsigned nesting)
{
    Dwarf_Die die;
    if (nesting > NESTING_MAX || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            add_ranges(functions, &die, 0);
        else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
            collect_functions(functions, &die, nesting + 1);
    } while (gmt_die_advance(&die));
}

bool gmt_unit_index_function(struct gmt_unit_index *index, Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *function_out)
{
    Dwarf_Off offset = dwarf_dieoffset(unit);
    if (!index->functions.filled || index->unit != offset) {
        index->functions.count = 0;
        index->unit = offset;
        collect_functions(&index->functions, unit, 0);
        sort(&index->functions);
    }
    const struct gmt_die_range *range = find(&index->functions, address);
    return range && dwarf_offdie(dwarf_cu_getdwarf(unit->cu), range->die, function_out) != NULL;
}

void gmt_unit_index_drop(struct gmt_unit_index *index)
{
    free(index->units.ranges);
    free(index->functions.ranges);
    *index = (struct gmt_unit_index){.unit = 0};
}
