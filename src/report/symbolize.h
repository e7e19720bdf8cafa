/* Who can name code. The model asks through this; the command implements it with libdw, tests with literal answers. */
#ifndef GMT_REPORT_SYMBOLIZE_H
#define GMT_REPORT_SYMBOLIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/model.h"

/* Most functions that one instruction is shown in: the function itself and those inlined into it. */
#define GMT_SYMBOLS_MAX 16

struct gmt_symbol {
    const char *function; /* demangled, without parameters; never NULL */
    const char *file;     /* or NULL */
    uint32_t line;        /* 0 unknown */
    bool inlined;         /* into the function of the next symbol */
};

struct gmt_symbolizer {
    /* Names the code at `offset` (an ELF virtual address of the module's file), innermost function first. Returns how
     * many of symbols_out[GMT_SYMBOLS_MAX] it filled; 0 when it knows none. Strings live as long as the report. Fast
     * when consecutive calls are for the same file. */
    size_t (*name)(struct gmt_symbolizer *self, const struct gmt_module *module, uint64_t offset,
                   struct gmt_symbol *symbols_out);
    /* A clause that says why the module's code cannot be named ("this file is not the one that ran"), or NULL. With
     * `lines_only_out` set to true: why it can be named, but without file and line. After the last call of `name`. */
    const char *(*trouble)(struct gmt_symbolizer *self, const struct gmt_module *module, bool *lines_only_out);
    /* Names code of the process that no file backs: names_out[i] belongs to addresses[i], which ascend; left alone
     * where no name is known. Returns a clause about why nothing could be named, or NULL. The pointer may be NULL. */
    const char *(*name_jit)(struct gmt_symbolizer *self, const struct gmt_process *process, const uint64_t *addresses,
                            size_t count, const char **names_out);
};

#endif
