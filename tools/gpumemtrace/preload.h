/* The environment of a traced program: LD_PRELOAD and the library's settings. */
#ifndef GMT_TOOLS_PRELOAD_H
#define GMT_TOOLS_PRELOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "elf_program.h"
#include "report/sentence.h"

struct gmt_preload {
    const char *folder;      /* for trace files */
    const char *settings;    /* further ones, "key=value:key=value", or NULL */
    const char *sanitizer;   /* a sanitizer's runtime that must come first, or "" */
    const char *cudart;      /* the shared runtime that the program itself needs, or "" */
    uint64_t simulate_bytes; /* 0: the real device */
    bool verbose;            /* say what is set */
};

/* Sets LD_PRELOAD, GPUMEMTRACE_OPTIONS and, to simulate, GPUMEMTRACE_SIMULATE of this process, for the program it will
 * start. Libraries that are preloaded already stay, behind the tracer. False with a sentence when that cannot be done.
 */
bool gmt_preload_apply(const struct gmt_preload *preload, struct gmt_sentence *why_out);

#endif
