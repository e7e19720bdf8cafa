/* The real driver: where it is loaded, its functions' addresses, and the few queries that hooks may make. Addresses
 * come from our own ELF look-up, never from the loader. */
#ifndef GMT_HOOK_DRIVER_H
#define GMT_HOOK_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "hook/wrappers.h"

/* Functions of queries.def, by name; never NULL (a stub returns "not found"). */
struct gmt_driver_queries {
#define GMT_QUERY(name, result, parameters) result(*name) parameters;
#include "hook/queries.def"
#undef GMT_QUERY
};

extern struct gmt_driver_queries gmt_driver_queries;

/* One of them, to be called; another thread may be publishing what it discovered. */
#define gmt_driver_query(name) __atomic_load_n(&gmt_driver_queries.name, __ATOMIC_RELAXED)

/* Looks at the loaded objects when that was not done since code was last unloaded, or no driver was found yet;
 * otherwise returns at once. Takes the loader's module lock (dl_iterate_phdr), never its main lock. Thread-safe. */
void gmt_driver_discover(void);

/* In a fork child: another thread of the parent may have been publishing a discovery. */
void gmt_driver_reset_lock(void);

/* True when a driver is loaded (as of the last discovery). */
bool gmt_driver_loaded(void);

/* True when that driver is the simulated device. */
bool gmt_driver_simulated(void);

/* The row whose function in the driver is at `address`, or -1. */
int gmt_driver_find(const void *address);

/* True when `address` lies in the object that is the driver (a driver that looks up its own parts). */
bool gmt_driver_contains(const void *address);

#endif
