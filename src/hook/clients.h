/* Which code used which door, for the coverage part of a report. Cheap enough for the hundreds of look-ups that every
 * CUDA runtime makes: one slot per calling place, found without a lock. */
#ifndef GMT_HOOK_CLIENTS_H
#define GMT_HOOK_CLIENTS_H

#include "track/tracker.h"

/* Code at `caller` (a return address) got a wrapper through `door`. */
void gmt_clients_note(const void *caller, enum gmt_door door);

/* The name of row `row` led to a function that is no row. Not counted when the driver itself asked (a stub looking up
 * its core).
 */
void gmt_clients_note_bypass(const void *caller, int row);

/* Moves what was counted before the trace file existed into it. Called once when it is opened. */
void gmt_clients_flush(struct gmt_tracker *tracker);

/* Empties everything, in a fork child. */
void gmt_clients_reset(void);

#endif
