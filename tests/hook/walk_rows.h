/* The followed functions, written down by hand: how to call each, and what a call must leave in the trace. */
#ifndef GMT_TESTS_WALK_ROWS_H
#define GMT_TESTS_WALK_ROWS_H

#include <stdint.h>

#include "track/trace_file.h"

enum walk_what {
    WALK_INIT,
    WALK_LOOK_UP,
    WALK_ALLOCATE,
    WALK_FREE,
    WALK_CREATE,  /* a context */
    WALK_RETAIN,  /* a context of its own */
    WALK_RELEASE, /* one reference of a context of its own */
    WALK_DESTROY,
    WALK_PRIMARY_RETAIN,
    WALK_PRIMARY_RELEASE,
    WALK_PRIMARY_RESET,
};

struct walk_row {
    const char *name; /* exported */
    enum walk_what what;
    /* One letter an argument: o pointer to an address, p pointer to a pitch, n 4096 bytes, w 100 and h 7 (of a pitched
     * block), a the address, s stream, m pool, c pointer to a context, k the context's handle, 0 zero, y a name to look
     * up, f pointer to a function, v a version, t pointer to a status. */
    const char *arguments;
    /* How cuGetProcAddress leads to it. */
    const char *symbol;
    int version;
    uint64_t flags;
    /* Of allocations: what is recorded. */
    enum gmt_kind kind;
    uint64_t bytes;
    uint64_t request;
};

extern const struct walk_row walk_rows[];
extern const unsigned walk_row_count;

#endif
