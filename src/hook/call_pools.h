/* Pools and limits: what keeps memory from the device although no block holds it. */
#ifndef GMT_HOOK_CALL_POOLS_H
#define GMT_HOOK_CALL_POOLS_H

#include "hook/call.h"

/* Asks the pools of `device` what they hold: at an out-of-memory error, and before the program resets or destroys a
 * context. Does nothing while a stream is being recorded, which the question would spoil. */
void gmt_pools_sample(struct gmt_tracker *tracker, uint32_t device);

#endif
