/* The functions of a file's compilation units by address. libdw walks through a whole unit for every address, which
 * takes a millisecond in a large one, and finds no function that clang put into a namespace. */
#ifndef GMT_TOOLS_UNIT_INDEX_H
#define GMT_TOOLS_UNIT_INDEX_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code [low, high) that belongs to the unit or function at that offset of .debug_info. */
struct gmt_die_range {
    uint64_t low, high;
    Dwarf_Off die;
};

struct gmt_die_ranges {
    struct gmt_die_range *ranges; /* by address; malloc */
    size_t count, capacity;
    bool filled;
};

/* Both all zero before first use. */
struct gmt_unit_index {
    struct gmt_die_ranges units; /* filled when libdw's own index does not know an address */
    struct gmt_die_ranges functions;
    Dwarf_Off unit; /* whose functions they are, while functions.filled */
};

/* The compilation unit that `address` belongs to; false when the file has no debug information for it. `bias_out` is
 * what to take away from addresses before they are looked up in it. */
bool gmt_unit_index_unit(struct gmt_unit_index *index, Dwfl_Module *module, uint64_t address, Dwarf_Die *unit_out,
                         Dwarf_Addr *bias_out);

/* The next sibling; false at the last one, and in a damaged file whose siblings lead back. */
bool gmt_die_advance(Dwarf_Die *die);

/* The function of `unit` that contains `address`, bias taken away. Fast while consecutive addresses are in one unit. */
bool gmt_unit_index_function(struct gmt_unit_index *index, Dwarf_Die *unit, Dwarf_Addr address,
                             Dwarf_Die *function_out);

void gmt_unit_index_drop(struct gmt_unit_index *index);

#endif
