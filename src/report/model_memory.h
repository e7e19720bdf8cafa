/* Memory and objects: devices, call sites, what was not given back, who holds it, who held it at the peak. */
#ifndef GMT_REPORT_MODEL_MEMORY_H
#define GMT_REPORT_MODEL_MEMORY_H

#include "report/model_code.h"
#include "track/trace_file.h"

struct gmt_context;
struct gmt_failed_call;

struct gmt_device {
    uint32_t ordinal;
    const char *name; /* or NULL */
    uint8_t uuid[16]; /* all zero when unknown */
    uint64_t total_bytes;
    struct gmt_totals totals[GMT_SPACE_COUNT]; /* live figures are recomputed from the blocks */
    uint64_t taken_bytes;                      /* memory that calls ever took there: without what modules bring along */
};

/* What became of a thread. */
enum gmt_taker_state { GMT_TAKER_UNKNOWN, GMT_TAKER_ALIVE, GMT_TAKER_ENDED, GMT_TAKER_STATE_COUNT };

/* A thread that took something. */
struct gmt_taker {
    uint32_t id; /* of the kernel */
    uint64_t start_ticks;
    const char *name; /* or NULL */
    enum gmt_taker_state state;
};

struct gmt_site {
    uint32_t id;       /* index in the trace file */
    const char *api;   /* as the user wrote it: "cudaMalloc"; filled by naming */
    const char *entry; /* the driver's function: "cuMemAlloc_v2" */
    enum gmt_kind kind;
    const struct gmt_device *device;       /* or NULL */
    const struct gmt_stack *stack;         /* or NULL */
    const struct gmt_module *library;      /* which object holds what it took, or NULL; filled by naming */
    struct gmt_caller freed_by;            /* the newest free of something that it took */
    uint64_t live_bytes, live_count;       /* recomputed from the blocks */
    uint64_t kept_count;                   /* what was not given back: live, ended with its context, or too late */
    uint64_t peak_bytes;                   /* own high-water mark */
    uint64_t at_peak_bytes, at_peak_count; /* at the high-water mark of its device and space */
    uint64_t total_bytes, total_count;
    uint64_t first_ns, last_ns;
    uint64_t takers[GMT_TAKER_STATE_COUNT]; /* what was not given back, by what became of the threads that took it */
};

enum gmt_remains_state {
#define GMT_REMAINS(name, json, words) GMT_REMAINS_##name,
#include "report/remains_states.def"
#undef GMT_REMAINS
    GMT_REMAINS_STATE_COUNT
};

/* What one site took and nobody gave back, in one state. Of a kind whose REST is LEAK it is a leak. */
struct gmt_remains {
    const struct gmt_site *site;
    enum gmt_remains_state state;
    uint64_t bytes, count;
    uint64_t smallest, largest;
    uint64_t first_ns, last_ns;                /* oldest and newest */
    uint64_t references;                       /* of all together: how often they must be given back */
    uint64_t mappings;                         /* of all together; of physical memory */
    const struct gmt_context *context;         /* the newest that ended one of them, or NULL */
    uint64_t exported_count;                   /* that another process may have open */
    const struct gmt_stack *exported_stack;    /* who exported the newest of these */
    uint64_t failed_next_count;                /* whose thread met a failing call right after taking them */
    uint32_t failed_next_record;               /* the newest of these calls, an index in the trace file */
    const struct gmt_failed_call *failed_next; /* the same, or NULL */
    uint64_t takers[GMT_TAKER_STATE_COUNT];    /* as in struct gmt_site */
};

/* True when they went with their context. */
static inline bool gmt_remains_is_ended(enum gmt_remains_state state)
{
    return state == GMT_REMAINS_RELEASE || state == GMT_REMAINS_RESET || state == GMT_REMAINS_DESTROY;
}

/* Things of one site that are counted and listed but are no leak, when nobody gave them back. */
struct gmt_object {
    const struct gmt_site *site;
    uint64_t created, destroyed;
    uint64_t live_count, ended_count; /* there to the last; gone with their context */
    uint64_t bytes;                   /* of address space */
    uint64_t variable_bytes;          /* of modules: what their variables take */
    const struct gmt_remains **states;
    unsigned state_count;
};

/* What one site took over from somebody else: another process, another API. */
struct gmt_import {
    const struct gmt_site *site;
    uint64_t opened, closed, live_count, live_bytes;
};

struct gmt_holding {
    uint64_t bytes, count;
    uint64_t host_bytes; /* of `bytes`: pinned host memory */
};

/* What one shared object holds: blocks of the sites whose stacks name it first. */
struct gmt_library {
    const struct gmt_module *module; /* NULL for sites whose stacks name none */
    struct gmt_holding live;
    struct gmt_holding leaked; /* what `leaks` says of its sites */
};

struct gmt_share {
    const struct gmt_site *site;
    uint64_t bytes, count;
};

/* Who held one space of one device at its high-water mark, largest first. Address space and objects have no peak. */
struct gmt_peak {
    const struct gmt_device *device;
    enum gmt_space space;
    uint64_t bytes, count, time_ns;
    struct gmt_share *shares;
    unsigned share_count;
};

#endif
