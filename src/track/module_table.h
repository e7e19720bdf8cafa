/* Which file an address belongs to. A module is known by path and build-id; its record is made when code of it is first
 * seen on a stack, while it is loaded, so that its name outlives it. */
#ifndef GMT_TRACK_MODULE_TABLE_H
#define GMT_TRACK_MODULE_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/lock.h"
#include "track/trace.h"

struct gmt_module_node;

struct gmt_module_table {
    struct gmt_module_node *head;
};

/* What the resolver needs of the tracker; `lock` guards the rest. */
struct gmt_module_context {
    struct gmt_module_table *table;
    struct gmt_trace *trace;
    struct gmt_arena *arena;
    struct gmt_lock *lock;
};

/* Turns program counters into (module, offset) frames; what no file backs gets module GMT_NONE and its address.
 * Goes through the loader's list (dl_iterate_phdr): call it WITHOUT the tracker's lock, which is taken inside the
 * callback, in the order loader's lock, tracker's lock, and never the other way round. `count` <= 256. */
void gmt_modules_resolve(const struct gmt_module_context *context, const uintptr_t *pcs, uint32_t count,
                         struct gmt_frame_record *frames_out);

/* Looks which known modules are loaded now, and marks the others. Through the loader's list, as above. */
void gmt_modules_check(const struct gmt_module_context *context, uint64_t now_ns);

#endif
