/* One hooked call, from the wrapper's point of view: what to do before and after the real function. */
#ifndef GMT_HOOK_CALL_H
#define GMT_HOOK_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/registers.h"
#include "hook/entry.h"
#include "hook/wrappers.h"
#include "track/tracker.h"

struct gmt_call {
    uint16_t entry;
    int32_t code;
    int saved_errno;
    const void *caller;                    /* return address of the wrapper */
    const struct gmt_registers *registers; /* of the wrapper: where stacks start from */
    uint64_t recorded;                     /* the thread's count of recorded events when the call began */
    uint64_t address;                      /* of a free */
    enum gmt_family family;                /* of what a free gives back */
    struct gmt_taken taken;                /* what a free has taken out */
    CUgraph graph;                         /* that an asynchronous free becomes a node of, or NULL */
    uint64_t old_value;                    /* of a limit, UINT64_MAX unknown */
    uint64_t outer_freeing;                /* what an outer hooked call of this thread frees */
    bool nested_free;                      /* an outer hooked call of this thread frees the same block */
};

/* True while every hook is a bare jump (option off=1). */
extern bool gmt_hooks_off;

/* The steps, in order. `begin` makes sure that the real function is known. Between `begin` and `returned` lies the real
 * call, and no lock is held there. After `end` errno is what the real function left. */
void gmt_call_begin(struct gmt_call *call, uint16_t entry, enum gmt_door door, const void *caller,
                    const struct gmt_registers *registers);
void gmt_call_returned(struct gmt_call *call, int32_t code);
void gmt_call_end(struct gmt_call *call);

/* Moves the counts of calls from before the trace was open into it. Called once when it is opened. */
void gmt_call_flush_early(struct gmt_tracker *tracker);

/* What each rule of entry_points.def does; all are called between `returned` and `end`, but those that begin something
 * (…_begin, context_ends), which come before the call. */
void gmt_call_failed(struct gmt_call *call, uint64_t request);
void gmt_call_initialised(struct gmt_call *call);

void gmt_call_allocated(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes);
void gmt_call_allocated_async(struct gmt_call *call, uint64_t address, uint64_t bytes, CUmemoryPool pool,
                              CUstream stream);
void gmt_call_allocated_once(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes);
void gmt_call_referenced(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes);
void gmt_call_not_registered(struct gmt_call *call, uint64_t address, uint64_t bytes);
void gmt_call_free_begin(struct gmt_call *call, enum gmt_family family, uint64_t address);
void gmt_call_free_end(struct gmt_call *call);
void gmt_call_free_async_begin(struct gmt_call *call, uint64_t address, CUstream stream);
void gmt_call_free_async_end(struct gmt_call *call, uint64_t address);

void gmt_call_allocated_physical(struct gmt_call *call, uint64_t handle, uint64_t bytes,
                                 const CUmemAllocationProp *properties);
void gmt_call_retained(struct gmt_call *call, uint64_t handle, uint64_t address);
void gmt_call_mapped(struct gmt_call *call, uint64_t address, uint64_t bytes, uint64_t handle);
void gmt_call_unmap_begin(struct gmt_call *call, uint64_t address, uint64_t bytes);
void gmt_call_unmap_end(struct gmt_call *call, uint64_t address, uint64_t bytes);
void gmt_call_accessible(uint64_t address, uint64_t bytes);
void gmt_call_exported(struct gmt_call *call, enum gmt_family family, uint64_t address);
void gmt_call_variable(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes,
                       enum gmt_family family, const void *owner);

/* Size of the block or mapping that `address` lies in, as the driver knows it; 0 unknown. */
uint64_t gmt_call_range(CUdeviceptr address);

/* `handle` as the tracker knows it when the driver counts it in the current context. */
uint64_t gmt_call_in_context(uint64_t handle);

void gmt_call_pool_created(struct gmt_call *call, CUmemoryPool pool, const CUmemPoolProps *properties);
void gmt_call_pool_told(CUmemoryPool pool, CUdevice device);
void gmt_call_pool_set(struct gmt_call *call, CUmemoryPool pool, CUmemPool_attribute attribute, const void *value);
void gmt_call_pool_trimmed(struct gmt_call *call, CUmemoryPool pool, CUdevice device);
void gmt_call_limit_begin(struct gmt_call *call, CUlimit limit);
void gmt_call_limit_end(struct gmt_call *call, CUlimit limit, size_t value);

void gmt_call_graph_allocates(struct gmt_call *call, CUgraph graph, uint64_t address, uint64_t bytes);
void gmt_call_graph_frees(struct gmt_call *call, CUgraph graph, uint64_t address);
void gmt_call_graph_joined(struct gmt_call *call, CUgraph parent, CUgraph child);
void gmt_call_graph_node(struct gmt_call *call, CUgraph graph, const CUgraphNodeParams *node);
void gmt_call_graph_made(struct gmt_call *call, enum gmt_kind kind, const void *made, CUgraph graph);
void gmt_call_graph_launched(struct gmt_call *call, CUgraphExec executable);
void gmt_call_capture_begun(CUstream stream, CUgraph into);
void gmt_call_capture_ended(struct gmt_call *call, CUgraph *graph);

void gmt_call_context_retained(struct gmt_call *call, const void *handle, int device, bool primary);
void gmt_call_context_released(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state);
void gmt_call_context_ended(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state);
void gmt_call_context_ends(struct gmt_call *call, int device);

/* The function to hand out instead of `found`, which cuGetProcAddress returned for `symbol`. */
void *gmt_call_handed_out(struct gmt_call *call, const char *symbol, void *found);

#endif
