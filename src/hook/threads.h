/* Threads of the program as the trace knows them, and what the kernel says of them and of addresses. */
#ifndef GMT_HOOK_THREADS_H
#define GMT_HOOK_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "track/tracker.h"

/* The calling thread's record, made at its first event. */
uint32_t gmt_thread_record(struct gmt_tracker *tracker);

/* Looks, before a report, which threads still run, which registered ranges are still mapped, and which code is still
 * loaded. Reads a small file for each thread. */
void gmt_threads_look_around(struct gmt_tracker *tracker);

/* What an address is that no block starts at: STACK, HOST or UNKNOWN. */
enum gmt_address_is gmt_threads_address_is(uint64_t address);

#endif
