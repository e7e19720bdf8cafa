/* Every call of an exported driver function passes here before its body runs. What lives here: the table of exported
 * functions, their call counts, and who may stop a call. What must not: what a call does.
 */
#ifndef GMT_SIMULATOR_ARRIVALS_H
#define GMT_SIMULATOR_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

/* One exported function; the table is laid out in exports.S. */
struct gmt_sim_entry {
    const char *name;
    void *address; /* what a look-up hands out */
    void *body;    /* NULL: not supported */
};

extern const struct gmt_sim_entry gmt_sim_entries[];
extern const struct gmt_sim_entry gmt_sim_entries_end[];

/* What the entry code does next: jump to `body`, or return `result` when it is NULL. Returned in two registers. */
struct gmt_sim_verdict {
    void *body;
    uint64_t result;
};

/* Called by the entry code of row `index` with the caller's arguments kept aside. Thread-safe. */
struct gmt_sim_verdict gmt_sim_call_arrived(uint32_t index);

/* The number of rows, and the row of exactly this name or -1. */
int gmt_sim_entry_count(void);
int gmt_sim_entry_find(const char *name);

/* Calls of row `index` that have arrived so far, this one included. Thread-safe. */
uint64_t gmt_sim_entry_calls(int index);

/* From now on every function but a few that only tell works; before, it is "not initialised". Also after a fork: the
 * child of an initialised process is told so for ever, as on a GPU. While the process exits it is "deinitialised". */
void gmt_sim_initialised(void);
bool gmt_sim_is_initialised(void);

/* Marks the calling thread as one that runs a host function of a stream; driver calls are "not permitted" there. */
void gmt_sim_host_function_enter(void);
void gmt_sim_host_function_leave(void);

#endif
