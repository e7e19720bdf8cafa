/* What each code address of a report is called. The same address is on many stacks, and a name is dear; addresses are
 * named file by file, so that a symbolizer needs one file open at a time. */
#ifndef GMT_REPORT_CODE_NAMES_H
#define GMT_REPORT_CODE_NAMES_H

#include "report/model.h"
#include "report/symbolize.h"

struct gmt_named_code {
    const struct gmt_process *process;
    const struct gmt_module *module; /* NULL for code that no file backs */
    uint64_t offset;
    const struct gmt_symbol *symbols; /* innermost first; filled by gmt_code_names_fill */
    size_t count;                     /* 0 without a name */
    struct gmt_named_code *next;      /* of its bucket */
};

struct gmt_code_names {
    struct gmt_heap *heap;
    struct gmt_named_code **buckets;
    size_t count;
};

void gmt_code_names_init(struct gmt_code_names *names, struct gmt_heap *heap);

/* The address's entry, added when there is none yet. `module` is one of the process's, or NULL. */
struct gmt_named_code *gmt_code_names_at(struct gmt_code_names *names, const struct gmt_process *process,
                                         const struct gmt_module *module, uint64_t offset);

/* Names every address. Fills `jit_trouble` of the processes that have code without a file. */
void gmt_code_names_fill(struct gmt_code_names *names, struct gmt_symbolizer *symbolizer);

#endif
