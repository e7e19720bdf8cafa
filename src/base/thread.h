/* The calling thread, as the hooks know it. Initial-exec storage: no allocation and no loader call on first use. */
#ifndef GMT_BASE_THREAD_H
#define GMT_BASE_THREAD_H

#include <stdint.h>

struct gmt_thread {
    uint32_t id;          /* kernel thread id, 0 until asked for; use gmt_thread_id */
    uint32_t record;      /* its record in the trace file, plus 1; 0 until it is made, UINT32_MAX: it never will be */
    uint32_t last_block;  /* what it took last, plus 1; 0 nothing */
    uint32_t last_memory; /* the same, of what would be a leak */
    uint64_t recorded; /* events this thread has recorded: tells an outer hooked call that an inner one did its work */
    uint64_t recorded_subject; /* what the last of them was about: a signal handler's event is not an inner call's */
    uint64_t freeing;          /* address whose free is under way in this thread, 0 none */
    /* The context used last, so that an allocation need not look it up. Valid while `context_epoch` is current. */
    uint64_t context_handle;
    uint64_t context_epoch;
    uint32_t context;
    uint32_t device;
};

extern __thread struct gmt_thread gmt_thread_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The calling thread's kernel id. One system call per thread and process. */
uint32_t gmt_thread_id(void);

/* Forgets what a fork child inherited from its parent's thread. */
void gmt_thread_reset(void);

#endif
