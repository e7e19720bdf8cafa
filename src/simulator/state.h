/* What the simulated driver remembers, and the one lock over it. What must not live here: anything about one family of
 * functions only.
 */
#ifndef GMT_SIMULATOR_STATE_H
#define GMT_SIMULATOR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simulator/body.h"
#include "simulator/heap_arena.h"

enum { GMT_SIM_DEVICES_MAX = 64, GMT_SIM_LIMITS = 8 };

struct gmt_sim_array;
struct gmt_sim_block;
struct gmt_sim_code;
struct gmt_sim_event;
struct gmt_sim_held;
struct gmt_sim_pool;
struct gmt_sim_stream;
struct gmt_sim_texture_table;

struct gmt_sim_context {
    struct gmt_sim_context *next; /* all contexts ever, newest first: a stale handle stays recognisable */
    struct gmt_sim_device *device;
    bool alive, primary;
    int references;
    unsigned int api_version, flags;
    unsigned long long id;
    uint64_t call_costs; /* bytes of the device that calls cost because a script says so */
    uint64_t charged; /* bytes of the device that the context itself costs, with stacks, streams, tables of textures */
    uint64_t streams, stream_bytes; /* that the program made and has; what those that it had at once have cost */
    size_t limits[GMT_SIM_LIMITS];  /* by CUlimit */
    struct gmt_sim_heap device_heap, low_heap, managed_heap, host_heap;
    struct gmt_sim_block *blocks; /* that end with the context */
    struct gmt_sim_array *arrays; /* likewise, as what follows */
    struct gmt_sim_texture_table *textures;
    struct gmt_sim_event *events;
    struct gmt_sim_code *modules;
    struct gmt_sim_stream *legacy_stream, *thread_stream;
};

/* Memory of graphs on one device (graph_memory.h), in bytes. What a driver calls used is what is reserved, with a
 * high-water mark of its own (measured). */
struct gmt_sim_graph_pool {
    uint64_t live, reserved, reserved_high, used_high;
};

struct gmt_sim_device {
    int ordinal;
    uint64_t capacity, used; /* bytes */
    struct gmt_sim_context *primary;
    struct gmt_sim_pool *pools; /* the default pool is the last */
    struct gmt_sim_pool *default_pool, *current_pool;
    struct gmt_sim_graph_pool graph_pool;
    int contexts;                   /* alive ones */
    struct gmt_sim_block *deferred; /* given back in a stream, held until the program waits */
    struct gmt_sim_held *held;      /* given back, and still open elsewhere */
};

/* One lock over everything below; no callback of the program is ever run under it. */
void gmt_sim_lock(void);
void gmt_sim_unlock(void);

/* Unlocks and returns `result`: the end of a body. */
CUresult gmt_sim_leave(CUresult result);

/* The devices, set up by cuInit. NULL for a number that is none. Lock held. */
struct gmt_sim_device *gmt_sim_device(int ordinal);
int gmt_sim_device_count(void);

/* A size as settings have it: bytes, or with K, M, G or T. */
bool gmt_sim_size_read(const char *text, uint64_t *bytes_out);

/* Takes `bytes` of the device, or says that it does not have them. Lock held. */
bool gmt_sim_device_take(struct gmt_sim_device *device, uint64_t bytes);
void gmt_sim_device_give(struct gmt_sim_device *device, uint64_t bytes);

/* Sets the devices up as the environment says. CUDA_ERROR_INVALID_VALUE, and a sentence on standard error, when it says
 * nonsense. Lock held. */
CUresult gmt_sim_devices_start(void);

/* Takes the lock and gives the calling thread's current context, or returns why not (201 none, 709 it has ended)
 * without the lock: the start of a body that needs a context. */
CUresult gmt_sim_enter(struct gmt_sim_context **context_out);

/* The same for a context given as a handle; NULL is the current one. */
CUresult gmt_sim_enter_given(CUcontext handle, struct gmt_sim_context **context_out);

/* The calling thread's current context as it is, alive or not; NULL for none. */
struct gmt_sim_context *gmt_sim_current(void);

#endif
