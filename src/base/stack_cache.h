/* Which number a call stack has, known without walking it. A walk is determined by the registers it starts from and by
 * the words of the stack that it reads; when all of these are as they were, the stack is the same. So a stack that
 * comes again, as nearly all do, costs one comparison for each frame, and none of them waits for the one before.
 *
 * One cache for all threads, in static memory that is touched when used: threads differ by their stack pointers. A set
 * that another thread is using counts as a miss. Safe in signal handlers, allocates nothing. */
#ifndef GMT_BASE_STACK_CACHE_H
#define GMT_BASE_STACK_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unwind.h"

/* The number that was given to this stack. `from`, `limit` and `epoch` as for gmt_unwind. */
bool gmt_stack_cache_find(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, uint32_t *number_out);

/* Remembers the number of the stack that this thread has walked last, by gmt_unwind with the same arguments. */
void gmt_stack_cache_add(const struct gmt_registers *from, uint32_t limit, uint32_t epoch, uint32_t number);

/* Numbers given so far mean nothing any more. */
void gmt_stack_cache_forget(void);

#endif
