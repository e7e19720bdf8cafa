/* What the samples of sample_remains.c and sample_holders.c are made of. */
#ifndef GMT_TESTS_SAMPLE_PARTS_H
#define GMT_TESTS_SAMPLE_PARTS_H

#include "trace_fixture.h"

#define MIB (UINT64_C(1) << 20)
#define MS UINT64_C(1000000)

/* Indexes of the followed functions, see sample_parts.c. */
enum {
    ENTRY_MALLOC,
    ENTRY_FREE,
    ENTRY_EVENT,
    ENTRY_STREAM,
    ENTRY_RESERVE,
    ENTRY_CREATE,
    ENTRY_MAP,
    ENTRY_MODULE,
    ENTRY_REGISTER,
    ENTRY_RESET,
    ENTRY_TEXTURE,
    ENTRY_LIMIT,
    ENTRY_POOL,
    ENTRY_COUNT
};

/* Stacks in app: LOAD and TRAIN take, CLEAN gives back. RUNTIME is the runtime on its own account. */
struct sample_common {
    uint32_t app, cudart, plugin;
    uint32_t load, train, clean, runtime, in_plugin;
};

/* Device 0, the functions, modules and stacks. */
struct sample_common sample_common(struct fixture *fixture);

/* The newest block, and a new live one. */
struct gmt_block_record *sample_last_block(struct fixture *fixture);
struct gmt_block_record *sample_block(struct fixture *fixture, uint32_t site, uint64_t bytes);

/* Index of a new primary context that was made 10 ms and, unless it is live, ended 2 s after the start. */
uint32_t sample_context(struct fixture *fixture, uint32_t device, enum gmt_context_state state, uint32_t created,
                        uint32_t ended);

uint32_t sample_thread(struct fixture *fixture, uint32_t id, const char *name, enum gmt_thread_state state);

/* Index of a copy of `failure`, made valid, with times, and counted once unless it says more. */
uint32_t sample_failure(struct fixture *fixture, struct gmt_failure_record failure);

#endif
