/* The file of one module, opened for naming its code, after it was made sure that it is the file that ran. */
#ifndef GMT_TOOLS_MODULE_FILE_H
#define GMT_TOOLS_MODULE_FILE_H

#include <elfutils/libdwfl.h>

#include "report/model.h"
#include "symbol_search.h"
#include "symbol_table.h"
#include "unit_index.h"

struct gmt_module_file {
    const char *path, *build_id_hex; /* whose file it is */
    const char *trouble;             /* a clause about why there are no names, or no lines, or NULL */
    bool lacks_lines_only;           /* trouble is about lines */
    Dwfl *dwfl;                      /* NULL when there are no names, and after the file was closed */
    Dwfl_Module *module;
    struct gmt_symbol_table symbols;
    struct gmt_unit_index units;
    const char *debug_path; /* debug information from a --symbols folder, or NULL */
    struct gmt_module_file *next;
};

/* Opens the module's file, or what a --symbols folder has instead. Always fills `file_out`; on any failure with trouble
 * and without dwfl. Strings live in `heap`. */
void gmt_module_file_open(const struct gmt_module *module, const struct gmt_symbol_search *search,
                          struct gmt_heap *heap, struct gmt_module_file *file_out);

/* Gives the file back; what is known about trouble stays. */
void gmt_module_file_close(struct gmt_module_file *file);

#endif
