/* A hooked call from begin to end, and what all kinds of calls need to make events. What each rule of the table does is
 * in call_blocks.c, call_contexts.c, call_graphs.c, call_memory.c and call_pools.c. */
#include "hook/call.h"

#include <errno.h>
#include <stddef.h>

#include "base/code_epoch.h"
#include "base/stack_cache.h"
#include "base/thread.h"
#include "hook/call_event.h"
#include "hook/clients.h"
#include "hook/driver.h"
#include "hook/process.h"
#include "hook/threads.h"

bool gmt_hooks_off;

/* Calls before there was a trace: look-ups, and the cuInit that makes it. */
static struct {
    uint32_t successes;
    uint32_t failures;
} early[GMT_ENTRY_COUNT];

static bool seen_directly[GMT_ENTRY_COUNT]; /* rows that were called through the exported symbol */

void gmt_call_begin(struct gmt_call *call, uint16_t entry, enum gmt_door door, const void *caller,
                    const struct gmt_registers *registers)
{
    call->entry = entry;
    call->code = 0;
    call->saved_errno = errno;
    call->caller = caller;
    call->registers = registers;
    call->recorded = gmt_thread_self.recorded;
    gmt_process_start();
    gmt_driver_discover();
    if (door == GMT_DOOR_SYMBOL && !__atomic_exchange_n(&seen_directly[entry], true, __ATOMIC_RELAXED))
        gmt_clients_note(caller, door);
    errno = call->saved_errno;
}

void gmt_call_returned(struct gmt_call *call, int32_t code)
{
    call->code = code;
    call->saved_errno = errno;
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        gmt_tracker_called(tracker, call->entry, code, 1);
    else
        __atomic_fetch_add(code == CUDA_SUCCESS ? &early[call->entry].successes : &early[call->entry].failures, 1,
                           __ATOMIC_RELAXED);
}

void gmt_call_flush_early(struct gmt_tracker *tracker)
{
    for (uint16_t entry = 0; entry < GMT_ENTRY_COUNT; entry++) {
        uint32_t successes = __atomic_exchange_n(&early[entry].successes, 0, __ATOMIC_RELAXED);
        uint32_t failures = __atomic_exchange_n(&early[entry].failures, 0, __ATOMIC_RELAXED);
        if (successes > 0)
            gmt_tracker_called(tracker, entry, CUDA_SUCCESS, successes);
        if (failures > 0)
            gmt_tracker_called(tracker, entry, -1, failures);
    }
}

void gmt_call_end(struct gmt_call *call)
{
    errno = call->saved_errno;
}

struct gmt_tracker *gmt_call_recorder(const struct gmt_call *call, uint64_t subject, bool open)
{
    if (gmt_thread_self.recorded != call->recorded && gmt_thread_self.recorded_subject == subject)
        return NULL;
    return open ? gmt_process_open() : gmt_process_tracker();
}

void gmt_call_mark(uint64_t subject)
{
    gmt_thread_self.recorded++;
    gmt_thread_self.recorded_subject = subject;
}

uint32_t gmt_call_stack(struct gmt_tracker *tracker, const struct gmt_call *call)
{
    const struct gmt_options *options = gmt_process_options();
    uint32_t limit = options->depth < GMT_UNWIND_DEPTH_MAX ? options->depth : GMT_UNWIND_DEPTH_MAX;
    uint32_t epoch = gmt_code_epoch();
    uint32_t number;
    if (options->stacks && gmt_stack_cache_find(call->registers, limit, epoch, &number))
        return number;
    struct gmt_unwound unwound;
    gmt_unwound_clear(&unwound);
    if (options->stacks)
        gmt_unwind(call->registers, limit, epoch, &unwound);
    number = gmt_tracker_stack(tracker, &unwound, epoch);
    if (options->stacks && number != GMT_NONE)
        gmt_stack_cache_add(call->registers, limit, epoch, number);
    return number;
}

void gmt_call_learn_device(struct gmt_tracker *tracker, uint32_t device)
{
    if (!gmt_tracker_device_is_new(tracker, device))
        return;
    char name[256] = "";
    size_t total = 0;
    CUuuid uuid = {{0}};
    gmt_driver_query(cuDeviceGetName)(name, sizeof name, (CUdevice)device);
    gmt_driver_query(cuDeviceTotalMem_v2)(&total, (CUdevice)device);
    gmt_driver_query(cuDeviceGetUuid_v2)(&uuid, (CUdevice)device);
    name[sizeof name - 1] = '\0';
    gmt_tracker_device(tracker, device, name, total, (const uint8_t *)uuid.bytes);
}

/* Which context is current, and its device. Cached per thread: an allocation loop asks the driver for the handle only.
 */
static void find_context(struct gmt_tracker *tracker, struct gmt_event *event)
{
    struct gmt_thread *thread = &gmt_thread_self;
    CUcontext context = NULL;
    event->context = GMT_NONE;
    event->device = GMT_NONE;
    if (gmt_driver_query(cuCtxGetCurrent)(&context) != CUDA_SUCCESS || !context)
        return;
    uint64_t handle = (uintptr_t)context;
    uint64_t epoch = gmt_tracker_context_epoch(tracker) + 1; /* 0 is the empty cache */
    if (thread->context_handle != handle || thread->context_epoch != epoch) {
        CUdevice device = 0;
        if (gmt_driver_query(cuCtxGetDevice)(&device) != CUDA_SUCCESS)
            return;
        gmt_call_learn_device(tracker, (uint32_t)device);
        thread->context = gmt_tracker_context(tracker, handle, (uint32_t)device);
        thread->device = (uint32_t)device;
        thread->context_handle = handle;
        thread->context_epoch = gmt_tracker_context_epoch(tracker) + 1;
    }
    event->context = thread->context;
    event->device = thread->device;
}

struct gmt_event gmt_call_event_outside(struct gmt_tracker *tracker, const struct gmt_call *call)
{
    return (struct gmt_event){.entry = call->entry,
                              .code = call->code,
                              .context = GMT_NONE,
                              .device = GMT_NONE,
                              .thread = gmt_thread_record(tracker),
                              .stack = gmt_call_stack(tracker, call),
                              .last_block = gmt_thread_self.last_block - 1,
                              .last_memory = gmt_thread_self.last_memory - 1};
}

struct gmt_event gmt_call_event(struct gmt_tracker *tracker, const struct gmt_call *call)
{
    struct gmt_event event = gmt_call_event_outside(tracker, call);
    find_context(tracker, &event);
    event.no_context = event.context == GMT_NONE;
    return event;
}

struct gmt_event gmt_call_event_of(struct gmt_tracker *tracker, const struct gmt_call *call, enum gmt_kind kind,
                                   uint64_t address, uint64_t bytes)
{
    struct gmt_event event = gmt_call_event(tracker, call);
    event.kind = (uint8_t)kind;
    event.address = address;
    event.bytes = bytes;
    return event;
}

void gmt_call_took(enum gmt_kind kind, uint32_t record)
{
    gmt_thread_self.last_block = record + 1;
    if (gmt_kind_facts(kind)->rest == GMT_REST_LEAK)
        gmt_thread_self.last_memory = record + 1;
}

uint64_t gmt_call_in_context(uint64_t handle)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    struct gmt_event event = {.context = GMT_NONE};
    if (tracker)
        find_context(tracker, &event);
    return gmt_handle_in_context(handle, event.context);
}

uint32_t gmt_call_add(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    uint32_t record = gmt_tracker_add(tracker, event);
    gmt_call_took(event->kind, record);
    return record;
}

void gmt_call_initialised(struct gmt_call *call)
{
    struct gmt_tracker *tracker = gmt_process_open();
    if (tracker && __atomic_load_n(&gmt_tracker_header(tracker)->first_init_stack, __ATOMIC_RELAXED) == GMT_NONE)
        gmt_tracker_initialised(tracker, gmt_call_stack(tracker, call));
}

void *gmt_call_handed_out(struct gmt_call *call, const char *symbol, void *found)
{
    int row = gmt_driver_find(found);
    if (row < 0) /* a driver whose own table of functions was bound to our exports */
        row = gmt_entry_find_exported(found);
    if (row >= 0) {
        gmt_clients_note(call->caller, GMT_DOOR_GET_PROC_ADDRESS);
        return gmt_entry_handed_out[row];
    }
    /* An outer hooked look-up has been here already when the pointer is a wrapper. */
    int named = gmt_entry_find(symbol);
    if (named >= 0 && gmt_entry_find_handed_out(found) < 0)
        gmt_clients_note_bypass(call->caller, named);
    return found;
}
