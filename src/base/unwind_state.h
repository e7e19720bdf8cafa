/* What the unwinder keeps for each thread. For unwind.c and walk_proof.c alone. */
#ifndef GMT_BASE_UNWIND_STATE_H
#define GMT_BASE_UNWIND_STATE_H

#include <stdint.h>

#include "base/walk_memory.h"

#define GMT_UNWIND_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec"), visibility("hidden")))

/* Part of a stack that is known to be mapped: a thread unwinds the same stack again and again. */
struct gmt_stack_window {
    uintptr_t low;
    uintptr_t high;
};

extern GMT_UNWIND_THREAD_LOCAL struct gmt_stack_window gmt_unwind_window;
extern GMT_UNWIND_THREAD_LOCAL struct gmt_walk_memory gmt_unwind_memory;

#endif
