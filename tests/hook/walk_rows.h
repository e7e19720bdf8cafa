/* The followed functions, written down by hand: how to call each, and what a call must leave in the trace. */
#ifndef GMT_TESTS_WALK_ROWS_H
#define GMT_TESTS_WALK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "track/trace_file.h"

enum walk_what {
    WALK_WATCH, /* leaves nothing; functions that have no row here are these */
    WALK_INIT,
    WALK_LOOK_UP,
    WALK_ALLOCATE,  /* something new, of `kind` with `bytes` */
    WALK_REFERENCE, /* the same, or one more reference to what is there */
    WALK_VARIABLE,  /* the same, and what is asked for and not there is no failure */
    WALK_FREE,      /* what `maker` made */
    WALK_EXPORT,
    WALK_RETAIN, /* physical memory, by an address where it is mapped */
    WALK_MAP,
    WALK_UNMAP,
    WALK_ACCESS,
    WALK_POOL, /* allocates, and makes a pool */
    WALK_POOL_OF,
    WALK_THRESHOLD,
    WALK_TRIM,
    WALK_LIMIT,
    WALK_CONTEXT_CREATE,
    WALK_CONTEXT_RETAIN,
    WALK_CONTEXT_RELEASE,
    WALK_CONTEXT_DESTROY,
    WALK_PRIMARY_RETAIN,
    WALK_PRIMARY_RELEASE,
    WALK_PRIMARY_RESET,
};

struct walk_row {
    const char *name; /* exported */
    enum walk_what what;
    /* One letter an argument:
     *   o pointer to an address or handle    a the address or handle    r an address where it is mapped
     *   n 4096 bytes    p pointer to a pitch    w 100 and h 7 of a pitched block    u pointer to a size
     *   s stream    m pool    c pointer to a context    k the context's handle    g graph    x executable graph
     *   y a name to look up    f pointer to a function    v a version    t pointer to a status
     *   A B 2-D array (old, new), C D 3-D array (old, new), 3 levels, E buffer and F handle of external memory
     *   P properties of a pool, H of physical memory    T threshold, e its attribute    l limit    q its value
     *   N node that allocates, G the same with its type
     *   0 zero */
    const char *arguments;
    /* Of what is taken. */
    enum gmt_kind kind;
    uint64_t bytes;
    uint64_t request;  /* what a call that fails for memory is said to have asked for */
    const char *maker; /* the function that made what this one works on */
};

extern const struct walk_row walk_rows[];
extern const unsigned walk_row_count;

/* The row of a function, or NULL. */
const struct walk_row *walk_row_of(const char *name);

/* How cuGetProcAddress leads to a function: a row of meanings.def. */
struct walk_meaning {
    const char *symbol;
    int version;
    bool per_thread;
    const char *exported;
};

extern const struct walk_meaning walk_meanings[];
extern const unsigned walk_meaning_count;

#endif
