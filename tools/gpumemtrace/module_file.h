/* The file of one module, opened for naming its code, after it was made sure that it is the file that ran. */
#ifndef GMT_TOOLS_MODULE_FILE_H
#define GMT_TOOLS_MODULE_FILE_H

#include <elfutils/libdwfl.h>

#include "report/model.h"
#include "symbol_table.h"

/* Code of one compilation unit: [low, high). */
struct gmt_unit_range {
    uint64_t low, high;
    Dwarf_Off unit; /* offset of the unit's DIE */
};

struct gmt_module_file {
    const char *path, *build_id_hex; /* whose file it is */
    const char *trouble;             /* why there are no names, or NULL */
    Dwfl *dwfl;                      /* NULL with trouble */
    Dwfl_Module *module;
    struct gmt_symbol_table symbols;
    struct gmt_unit_range *ranges; /* by address; filled when libdw's own index does not know an address; malloc */
    size_t range_count;
    bool has_ranges;
    struct gmt_module_file *next;
};

/* Opens the module's file. Always fills `file_out`; on any failure with trouble and without dwfl. */
void gmt_module_file_open(const struct gmt_module *module, struct gmt_module_file *file_out);

void gmt_module_file_close(struct gmt_module_file *file);

/* The compilation unit that `address` belongs to; false when the file has no debug information for it. `bias_out` is
 * what to take away from addresses before they are looked up in it. */
bool gmt_module_file_unit(struct gmt_module_file *file, uint64_t address, Dwarf_Die *unit_out, Dwarf_Addr *bias_out);

#endif
