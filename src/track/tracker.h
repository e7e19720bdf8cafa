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
    uint8_t kind;     /* enum gmt_kind, of allocations */
    int32_t code;     /* result */
    uint64_t address; /* of the block */
    uint64_t bytes;   /* taken, or asked for when it failed */
    uint32_t context; /* of gmt_tracker_context, or GMT_NONE */
    uint32_t device;  /* ordinal, or GMT_NONE */
    uint32_t thread;  /* kernel thread id */
    uint32_t stack;   /* of gmt_tracker_stack, or GMT_NONE */
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

/* A block was taken. */
void gmt_tracker_add(struct gmt_tracker *tracker, const struct gmt_event *event);

/* A free is about to be tried: takes the block out of the index, before the driver can hand its address out again.
 * NULL when no live block starts there. Finish with exactly one of commit and abort. */
struct gmt_block_node *gmt_tracker_free_begin(struct gmt_tracker *tracker, uint64_t address);

/* The free went through. */
void gmt_tracker_free_commit(struct gmt_tracker *tracker, struct gmt_block_node *node);

/* The free failed: the block is live as before. */
void gmt_tracker_free_abort(struct gmt_tracker *tracker, struct gmt_block_node *node);

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
