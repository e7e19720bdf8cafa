/* The rows of entry_points.def as numbers and addresses. Each row has two wrappers: the exported one, which forwards to
 * the next definer in link-map order (so that another interposer keeps its turn), and the one that look-ups hand out,
 * which calls the driver's own function. */
#ifndef GMT_HOOK_ENTRY_H
#define GMT_HOOK_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

enum gmt_entry_id {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) GMT_ENTRY_##name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
    GMT_ENTRY_COUNT
};

/* Functions of the driver, never NULL: the real one, or a stub that returns the driver's own "not found". */
struct gmt_entry_targets {
    void *next;   /* for the exported wrapper */
    void *driver; /* for the wrapper that look-ups hand out */
};

extern struct gmt_entry_targets gmt_entry_targets[GMT_ENTRY_COUNT];

/* The exported names, the wrappers and the "not found" stub of each row. */
extern const char *const gmt_entry_names[GMT_ENTRY_COUNT];
extern void *const gmt_entry_exported[GMT_ENTRY_COUNT];
extern void *const gmt_entry_handed_out[GMT_ENTRY_COUNT];
extern void *const gmt_entry_missing[GMT_ENTRY_COUNT];

/* The row with this exported name, or -1. Calls nothing: the dlsym door asks before anything is ready. */
int gmt_entry_find(const char *name);

/* True for a row whose calls take nothing (WATCH): to miss one loses no memory. */
bool gmt_entry_only_watched(int row);

/* The row whose exported wrapper this is, or -1. */
int gmt_entry_find_exported(const void *address);

/* The row whose handed-out wrapper this is, or -1. */
int gmt_entry_find_handed_out(const void *address);

#endif
