/* What calls did besides taking and giving back: errors, contexts, pools, limits; and who called. */
#ifndef GMT_REPORT_MODEL_CALLS_H
#define GMT_REPORT_MODEL_CALLS_H

#include "report/model_memory.h"

/* What near_* of a failed call is to it. */
enum gmt_near_role {
    GMT_NEAR_NOTHING,
    GMT_NEAR_BELOW,      /* STRAY: the nearest block that starts at or below the address */
    GMT_NEAR_FREED,      /* DOUBLE: what the first free gave back */
    GMT_NEAR_SUBJECT,    /* the block itself */
    GMT_NEAR_IN_THE_WAY, /* a refused registration: the earlier one */
};

/* Calls that failed in the same way at the same stack. */
struct gmt_failed_call {
    uint32_t record;         /* index in the trace file */
    const char *api, *entry; /* as in struct gmt_site */
    enum gmt_failure_kind kind;
    int32_t code;
    uint64_t count, first_ns, last_ns, last_address, last_bytes;
    const struct gmt_stack *stack;
    const struct gmt_taker *thread; /* of the last one, or NULL */
    bool no_context;                /* the last one came from a thread without a current context */
    enum gmt_address_is address_is; /* of STRAY: what last_address is */
    enum gmt_near_role near_role;
    const struct gmt_site *near_site; /* NULL exactly when near_role is NOTHING */
    uint64_t near_address, near_bytes;
    uint64_t near_ns;                   /* when the block was taken; DOUBLE: when it was freed first */
    const struct gmt_stack *near_stack; /* DOUBLE: of the first free. EXPORTED: of the export. Or NULL */
    bool near_unmapped;                 /* IN_THE_WAY: the program has unmapped that range since */
};

/* A driver's state on a device. */
struct gmt_context {
    uint64_t handle;
    enum gmt_context_state state;
    const struct gmt_device *device; /* or NULL */
    bool primary;
    bool first;                /* of its device */
    bool idle;                 /* nothing was ever taken on its device */
    struct gmt_caller created; /* entry NULL when that was not seen */
    struct gmt_caller ended;   /* entry NULL while it lives */
    uint64_t created_ns, ended_ns;
};

/* A pool of stream-ordered memory, or a device's memory of graphs. */
struct gmt_pool {
    enum gmt_pool_type type;
    bool destroyed;
    bool sampled; /* the figures below were read, at sample_ns */
    uint64_t handle;
    const struct gmt_device *device; /* or NULL */
    uint64_t reserved_bytes, used_bytes, reserved_high_bytes, used_high_bytes, sample_ns;
    bool has_threshold;       /* threshold_bytes is known */
    uint64_t threshold_bytes; /* UINT64_MAX keeps everything */
    struct gmt_caller raised; /* who set it; entry NULL when nobody did */
    uint64_t raised_ns;
    struct gmt_caller trimmed; /* who did it last; entry NULL when nobody did */
    uint64_t trim_count, trim_ns;
};

/* A limit of a context that the program changed. */
struct gmt_limit {
    uint32_t number;          /* CUlimit */
    const char *json, *words; /* words NULL for a limit that is not known here */
    bool in_bytes;
    uint64_t old_value; /* UINT64_MAX unknown */
    uint64_t new_value;
    const struct gmt_device *device; /* or NULL */
    uint32_t context;                /* index in the trace file */
    struct gmt_caller set;
    uint64_t time_ns, count; /* of the last of `count` equal changes */
};

struct gmt_oom {
    uint32_t index; /* in the trace file */
    const char *api, *entry;
    int32_t code;
    const struct gmt_device *device; /* or NULL */
    const struct gmt_stack *stack;
    uint64_t time_ns, request_bytes;
    uint64_t free_bytes, total_bytes; /* UINT64_MAX unknown */
    bool recovered;                   /* an allocation on the device succeeded afterwards */
    struct gmt_totals totals[GMT_SPACE_COUNT];
    struct gmt_share top[GMT_OOM_TOP_SITES];
    unsigned top_count;
    struct gmt_share objects[GMT_OOM_TOP_OBJECTS]; /* most numerous first */
    unsigned object_count;
    uint64_t live_of_kind[GMT_KIND_COUNT]; /* on all devices */
    bool bytes_suffice;                    /* more than half of the device was free and objects[0] is numerous */
    const struct gmt_pool **pools;         /* of the device, as sampled then */
    const struct gmt_limit **limits;       /* that held then */
    unsigned pool_count, limit_count;
};

/* CUresult of a request that did not fit, of one that something registered earlier is in the way of, and of a call
 * where none is allowed. */
#define GMT_CODE_OUT_OF_MEMORY 2
#define GMT_CODE_ALREADY_REGISTERED 712
#define GMT_CODE_NOT_PERMITTED 800

/* One followed function that was called. */
struct gmt_call {
    const char *name;
    uint64_t calls, failures;
};

/* One caller of the driver. */
struct gmt_client {
    const struct gmt_module *module; /* or NULL */
    uint64_t uses[GMT_DOOR_COUNT];
};

#endif
