/* What the hooks tell the tracker, in plain numbers. All functions are thread-safe, take the tracker's lock for a short
 * time, call neither the driver nor malloc, and leave errno alone. When something cannot be recorded it is counted as a
 * trouble and the program goes on. Addresses are integers; this layer knows no CUDA type. */
#ifndef GMT_TRACK_TRACKER_H
#define GMT_TRACK_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unwind.h"
#include "track/trace_file.h"

struct gmt_tracker;
struct gmt_block_node;

/* One call of a followed function. */
struct gmt_event {
    uint16_t entry;   /* row in entry_points.def */
    uint8_t kind;     /* enum gmt_kind, of what is taken */
    uint8_t family;   /* enum gmt_family, of what is given back */
    int32_t code;     /* result */
    uint64_t address; /* of the block, or handle of the object */
    uint64_t bytes;   /* taken, or asked for when it failed */
    uint32_t context; /* of gmt_tracker_context, or GMT_NONE */
    uint32_t device;  /* ordinal, or GMT_NONE */
    uint32_t thread;  /* of gmt_tracker_thread, or GMT_NONE */
    uint32_t stack;   /* of gmt_tracker_stack, or GMT_NONE */
    /* Of failures. */
    uint32_t last_block;            /* what gmt_tracker_add gave this thread last, or GMT_NONE */
    uint32_t last_memory;           /* the same, of a kind whose rest is a leak */
    bool no_context;                /* the thread had no current context */
    bool in_the_way;                /* refused because something live of `kind` overlaps [address, address + bytes) */
    enum gmt_address_is address_is; /* STACK or HOST when the caller found that out, else UNKNOWN */
};

/* What a free under way has taken out. */
struct gmt_taken {
    struct gmt_block_node *node; /* NULL when nothing live was there */
    uint64_t sequence;           /* of the block */
    uint32_t record;             /* the block's */
    bool reference_only;         /* references are left: it stays where it is */
};

struct gmt_tracker_setup {
    const char *folder; /* for the trace file; empty for the standard places */
    uint64_t max_blocks;
    uint64_t max_memory;            /* bytes for the indexes */
    const char *const *entry_names; /* exported names of the rows */
    uint32_t entry_count;
    const char *options; /* as the user gave them, or "" */
    bool simulated;
    int32_t driver_version;
};

/* The one tracker of this process. */
struct gmt_tracker *gmt_tracker_of_process(void);

/* A tracker starts closed (all zero); open it once, before anything else here. 0, or -GMT_E_NO_MEMORY when not even
 * anonymous memory can be had: it then stays closed, and every other call does nothing. */
int gmt_tracker_open(struct gmt_tracker *tracker, const struct gmt_tracker_setup *setup);

/* Unmaps and forgets everything; the trace file stays. For tests. */
void gmt_tracker_close(struct gmt_tracker *tracker);

/* In a fork child: the parent's mapping is not there any more. Forgets it without touching it. */
void gmt_tracker_forget(struct gmt_tracker *tracker);

/* The trace file's header, NULL while closed. Reading needs no lock; see trace_file.h. */
struct gmt_trace_header *gmt_tracker_header(const struct gmt_tracker *tracker);

/* Absolute path of the trace file; empty when it is anonymous memory or closed. */
const char *gmt_tracker_path(const struct gmt_tracker *tracker);

/* The number of a call stack that was unwound in code epoch `epoch`. */
uint32_t gmt_tracker_stack(struct gmt_tracker *tracker, const struct gmt_unwound *unwound, uint32_t epoch);

/* A block or an object was taken. Returns its record, for `last_block` of later failures; GMT_NONE when there is none.
 */
uint32_t gmt_tracker_add(struct gmt_tracker *tracker, const struct gmt_event *event);

/* The same for what is counted by references: what is live already gets one more. */
uint32_t gmt_tracker_add_reference(struct gmt_tracker *tracker, const struct gmt_event *event);

/* The same for what may be told more than once: what is live already stays as it is. It is part of what lives at
 * (owner_family, owner), when something does. */
uint32_t gmt_tracker_add_once(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_family owner_family,
                              uint64_t owner);

/* A free is about to be tried: takes the block (or one of its references) out of the index, before the driver can hand
 * its address out again. False when nothing live starts there; `taken_out` is then empty. Finish with exactly one of
 * commit, abort and late. */
bool gmt_tracker_free_begin(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address,
                            struct gmt_taken *taken_out);

/* The free went through. Of `event`: entry, stack, thread. */
void gmt_tracker_free_commit(struct gmt_tracker *tracker, struct gmt_taken *taken, const struct gmt_event *event);

/* The free failed: the block is live as before. */
void gmt_tracker_free_abort(struct gmt_tracker *tracker, struct gmt_taken *taken);

/* The free came when the driver had shut down: the block goes with the process, and is no leak. `event` as for a
 * failure. */
void gmt_tracker_free_late(struct gmt_tracker *tracker, struct gmt_taken *taken, const struct gmt_event *event);

/* A live block may be open in another process from now on. `event`: address, family, stack. */
void gmt_tracker_exported(struct gmt_tracker *tracker, const struct gmt_event *event);

/* True when something live is there. */
bool gmt_tracker_is_live(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address);

/* The context and the device of what lives there; both stay as they are when nothing does. In a process of one context
 * there is nothing to look up. */
void gmt_tracker_place_of(struct gmt_tracker *tracker, enum gmt_family family, uint64_t address, uint32_t *context,
                          uint32_t *device);

/* Physical memory `handle` was mapped at event->address (kind MAPPING). */
uint32_t gmt_tracker_mapped(struct gmt_tracker *tracker, const struct gmt_event *event, uint64_t handle);

/* The memory mapped at `address` has one more reference, by the name `handle`. */
void gmt_tracker_retained(struct gmt_tracker *tracker, uint64_t handle, uint64_t address);

/* Mappings in [address, address + bytes) are about to be unmapped; finish with exactly one of the other two. */
void gmt_tracker_unmap_begin(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes);
void gmt_tracker_unmap_commit(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes);
void gmt_tracker_unmap_abort(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes);

/* Access to the mappings in the range was set. */
void gmt_tracker_accessible(struct gmt_tracker *tracker, uint64_t address, uint64_t bytes);

/* `graph` is a new one: what was known of its handle is of another that is gone. */
void gmt_tracker_graph_begun(struct gmt_tracker *tracker, uint64_t graph);

/* A graph got a node that allocates (event: kind GRAPH_MEMORY) or frees. Nothing is live before a launch. */
void gmt_tracker_graph_allocates(struct gmt_tracker *tracker, uint64_t graph, const struct gmt_event *event);
void gmt_tracker_graph_frees(struct gmt_tracker *tracker, uint64_t graph, uint64_t address);

/* The nodes of `child` are part of `parent` now. */
void gmt_tracker_graph_joined(struct gmt_tracker *tracker, uint64_t parent, uint64_t child);

/* The same, and the graph `child` is no more: it belongs to the parent. Of `event`: entry, stack, thread. */
void gmt_tracker_graph_moved(struct gmt_tracker *tracker, uint64_t parent, uint64_t child,
                             const struct gmt_event *event);

/* `executable` was made of `graph`. */
void gmt_tracker_graph_instantiated(struct gmt_tracker *tracker, uint64_t executable, uint64_t graph);

/* True when launching or destroying this graph or executable graph changes what is live. Takes no lock. */
bool gmt_tracker_graphs_have_memory(const struct gmt_tracker *tracker);

/* An executable graph was launched. Of `event`: entry, context, device, thread. */
void gmt_tracker_graph_launched(struct gmt_tracker *tracker, uint64_t executable, const struct gmt_event *event);

/* Figures of a pool, as the driver told them. */
struct gmt_pool_sample {
    enum gmt_pool_type type;
    uint64_t handle; /* 0 for GRAPHS */
    uint32_t device;
    uint64_t threshold_bytes, reserved_bytes, used_bytes, reserved_high_bytes, used_high_bytes;
};

/* A pool exists. `device` may be GMT_NONE. */
void gmt_tracker_pool(struct gmt_tracker *tracker, enum gmt_pool_type type, uint64_t handle, uint32_t device);

/* The device of a known pool, or GMT_NONE. */
uint32_t gmt_tracker_pool_device(struct gmt_tracker *tracker, uint64_t handle);

/* Copies up to `count` handles of live pools of `device` that were created or imported. Returns how many. */
uint32_t gmt_tracker_pools_of(struct gmt_tracker *tracker, uint32_t device, uint64_t *handles_out, uint32_t count);

void gmt_tracker_pool_sampled(struct gmt_tracker *tracker, const struct gmt_pool_sample *sample);
void gmt_tracker_pool_threshold(struct gmt_tracker *tracker, uint64_t handle, uint64_t bytes,
                                const struct gmt_event *event);
/* `handle` 0 is the graph pool of event->device. */
void gmt_tracker_pool_trimmed(struct gmt_tracker *tracker, uint64_t handle, const struct gmt_event *event);

/* A limit of the event's context was changed from `old_value` (UINT64_MAX unknown) to `new_value`. */
void gmt_tracker_limit(struct gmt_tracker *tracker, uint32_t limit, uint64_t old_value, uint64_t new_value,
                       const struct gmt_event *event);

/* The record of a thread that is new to the tracker, or GMT_NONE when there is no room. `start_ticks` 0 is unknown. */
uint32_t gmt_tracker_thread(struct gmt_tracker *tracker, uint32_t id, uint64_t start_ticks, const char *name);

/* Asks `is_alive` about every thread that was running when last looked at. Without the lock. */
void gmt_tracker_check_threads(struct gmt_tracker *tracker, bool (*is_alive)(uint32_t id, uint64_t start_ticks));

/* Asks `is_mapped` about every live registration and marks those whose range is not. Without the lock. */
void gmt_tracker_check_registrations(struct gmt_tracker *tracker, bool (*is_mapped)(uint64_t address, uint64_t bytes));

/* Code may have been unloaded: marks the modules that are not there any more. Goes through the loader's list. */
void gmt_tracker_check_modules(struct gmt_tracker *tracker);

/* A call failed, or a free met no block. Counted by function, code, kind and stack. */
void gmt_tracker_failure(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind);

/* A call failed for lack of memory: keeps what was live. `free_bytes` and `total_bytes` as the driver says now, or
 * UINT64_MAX. Returns the record's number, or GMT_NONE. */
uint32_t gmt_tracker_out_of_memory(struct gmt_tracker *tracker, const struct gmt_event *event, uint64_t free_bytes,
                                   uint64_t total_bytes);

/* The live context with this handle; made with creator unknown when it was not seen before. */
uint32_t gmt_tracker_context(struct gmt_tracker *tracker, uint64_t handle, uint32_t device);

/* A context got a reference: `event` carries stack and device. The first one makes it. */
void gmt_tracker_context_retained(struct gmt_tracker *tracker, uint64_t handle, bool primary,
                                  const struct gmt_event *event);

/* A context lost a reference. With the last one its blocks are gone, and `state` says how. Either `handle` is given, or
 * 0 for the primary context of event->device. */
void gmt_tracker_context_released(struct gmt_tracker *tracker, uint64_t handle, enum gmt_context_state state,
                                  const struct gmt_event *event);

/* A context ended, whatever its references; otherwise as gmt_tracker_context_released. */
void gmt_tracker_context_ended(struct gmt_tracker *tracker, uint64_t handle, enum gmt_context_state state,
                               const struct gmt_event *event);

/* Changes whenever a context was made or ended: a cached (handle, context) pair holds for one epoch. */
uint64_t gmt_tracker_context_epoch(const struct gmt_tracker *tracker);

/* True once per device: the caller then finds out what it is and calls gmt_tracker_device. */
bool gmt_tracker_device_is_new(struct gmt_tracker *tracker, uint32_t device);

/* What a device is. `uuid` has 16 bytes. */
void gmt_tracker_device(struct gmt_tracker *tracker, uint32_t device, const char *name, uint64_t total_bytes,
                        const uint8_t *uuid);

/* A followed function was called `count` times and returned `code`. */
void gmt_tracker_called(struct gmt_tracker *tracker, uint16_t entry, int32_t code, uint64_t count);

/* The number of the client (CLIENTS record) that code at the return address `caller` belongs to, or GMT_NONE. */
uint32_t gmt_tracker_client(struct gmt_tracker *tracker, const void *caller);

/* That client used a door `uses` more times. */
void gmt_tracker_client_used(struct gmt_tracker *tracker, uint32_t client, enum gmt_door door, uint64_t uses);

/* `count` look-ups of table names, `name` among them, led to functions that are no rows: CUDA may be used past the
 * hooks. */
void gmt_tracker_bypassed(struct gmt_tracker *tracker, const char *name, uint64_t count);

/* The first successful cuInit, with its stack. */
void gmt_tracker_initialised(struct gmt_tracker *tracker, uint32_t stack);

/* The process ends now with this status (-1 unknown). */
void gmt_tracker_ended(struct gmt_tracker *tracker, enum gmt_end end, int32_t status);

#endif
