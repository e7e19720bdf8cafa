/* From a hooked call to events. The order is fixed: a free takes its record out before the real call, because the
 * driver may hand the address out to another thread the moment it is free; an allocation is recorded after it
 * succeeded. */
#include "hook/call.h"

#include <errno.h>
#include <stddef.h>

#include "base/code_epoch.h"
#include "base/thread.h"
#include "base/unwind.h"
#include "hook/clients.h"
#include "hook/driver.h"
#include "hook/out_of_memory.h"
#include "hook/process.h"

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

/* What an event is about: the address of a block, the handle of a context, the device of a primary one, or an error. */
enum subject { BLOCK, CONTEXT, PRIMARY, ERROR };

static uint64_t subject_of(enum subject kind, uint64_t value)
{
    return value << 2 | kind;
}

static uint64_t context_subject(const void *handle, int device)
{
    return handle ? subject_of(CONTEXT, (uintptr_t)handle) : subject_of(PRIMARY, (uint64_t)device);
}

/* True when a hooked call inside this one has recorded the event already. Something else that was recorded meanwhile is
 * the work of a signal handler. */
static bool recorded_inside(const struct gmt_call *call, uint64_t subject)
{
    return gmt_thread_self.recorded != call->recorded && gmt_thread_self.recorded_subject == subject;
}

static void mark_recorded(uint64_t subject)
{
    gmt_thread_self.recorded++;
    gmt_thread_self.recorded_subject = subject;
}

static uint32_t stack_of(struct gmt_tracker *tracker, const struct gmt_call *call)
{
    const struct gmt_options *options = gmt_process_options();
    struct gmt_unwound unwound;
    gmt_unwound_clear(&unwound);
    uint32_t epoch = gmt_code_epoch();
    uint32_t limit = options->depth < GMT_UNWIND_DEPTH_MAX ? options->depth : GMT_UNWIND_DEPTH_MAX;
    if (options->stacks)
        gmt_unwind(call->registers, limit, epoch, &unwound);
    struct gmt_thread *thread = &gmt_thread_self;
    if (unwound.repeated && thread->stack_hash == unwound.hash && thread->stack_epoch == epoch)
        return thread->stack;
    thread->stack = gmt_tracker_stack(tracker, &unwound, epoch);
    thread->stack_epoch = epoch;
    thread->stack_hash = thread->stack == GMT_NONE ? 0 : unwound.hash;
    return thread->stack;
}

static void learn_device(struct gmt_tracker *tracker, uint32_t device)
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
        learn_device(tracker, (uint32_t)device);
        thread->context = gmt_tracker_context(tracker, handle, (uint32_t)device);
        thread->device = (uint32_t)device;
        thread->context_handle = handle;
        thread->context_epoch = gmt_tracker_context_epoch(tracker) + 1;
    }
    event->context = thread->context;
    event->device = thread->device;
}

static struct gmt_event event_of(struct gmt_tracker *tracker, const struct gmt_call *call)
{
    struct gmt_event event = {.entry = call->entry, .code = call->code, .thread = gmt_thread_id()};
    find_context(tracker, &event);
    event.stack = stack_of(tracker, call);
    return event;
}

void gmt_call_allocated(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes)
{
    uint64_t subject = subject_of(BLOCK, address);
    struct gmt_tracker *tracker = recorded_inside(call, subject) ? NULL : gmt_process_open();
    if (!tracker)
        return;
    struct gmt_event event = event_of(tracker, call);
    event.kind = (uint8_t)kind;
    event.address = address;
    event.bytes = bytes;
    gmt_tracker_add(tracker, &event);
    mark_recorded(subject);
}

void gmt_call_failed(struct gmt_call *call, uint64_t request)
{
    if (call->code == CUDA_ERROR_DEINITIALIZED)
        return; /* the driver has shut down: every runtime releases its context once more when the process ends */
    /* A process that cannot initialise CUDA at all (no GPU) has nothing to report: no file for it. */
    uint64_t subject = subject_of(ERROR, (uint64_t)call->code);
    struct gmt_tracker *tracker = recorded_inside(call, subject) ? NULL : gmt_process_tracker();
    if (!tracker)
        return;
    struct gmt_event event = event_of(tracker, call);
    event.bytes = request;
    gmt_tracker_failure(tracker, &event, GMT_FAILURE_FAILED);
    mark_recorded(subject);
    if (call->code == CUDA_ERROR_OUT_OF_MEMORY)
        gmt_out_of_memory(tracker, &event);
}

void gmt_call_free_begin(struct gmt_call *call, uint64_t address)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    call->address = address;
    call->outer_freeing = gmt_thread_self.freeing;
    call->taken = NULL;
    call->nested_free = address != 0 && call->outer_freeing == address;
    if (!call->nested_free && tracker)
        call->taken = gmt_tracker_free_begin(tracker, address);
    gmt_thread_self.freeing = address;
    errno = call->saved_errno;
}

/* What a free that met no block of ours was. */
static enum gmt_failure_kind kind_of_stray(const struct gmt_call *call)
{
    if (call->address == 0)
        return GMT_FAILURE_NULL;
    return GMT_FAILURE_STRAY;
}

void gmt_call_free_end(struct gmt_call *call)
{
    gmt_thread_self.freeing = call->outer_freeing;
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (call->nested_free || !tracker)
        return;
    if (call->taken && call->code == CUDA_SUCCESS) {
        gmt_tracker_free_commit(tracker, call->taken);
    } else {
        if (call->taken)
            gmt_tracker_free_abort(tracker, call->taken);
        struct gmt_event event = event_of(tracker, call);
        event.address = call->address;
        gmt_tracker_failure(tracker, &event, call->taken ? GMT_FAILURE_FAILED : kind_of_stray(call));
    }
}

void gmt_call_initialised(struct gmt_call *call)
{
    struct gmt_tracker *tracker = gmt_process_open();
    if (tracker && __atomic_load_n(&gmt_tracker_header(tracker)->first_init_stack, __ATOMIC_RELAXED) == GMT_NONE)
        gmt_tracker_initialised(tracker, stack_of(tracker, call));
}

static struct gmt_event context_event(struct gmt_tracker *tracker, const struct gmt_call *call, int device)
{
    struct gmt_event event = {.entry = call->entry, .code = call->code, .context = GMT_NONE, .thread = gmt_thread_id()};
    event.device = device < 0 ? GMT_NONE : (uint32_t)device;
    if (device >= 0)
        learn_device(tracker, event.device);
    event.stack = stack_of(tracker, call);
    return event;
}

void gmt_call_context_retained(struct gmt_call *call, const void *handle, int device, bool primary)
{
    uint64_t subject = subject_of(CONTEXT, (uintptr_t)handle);
    struct gmt_tracker *tracker = recorded_inside(call, subject) ? NULL : gmt_process_open();
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_retained(tracker, (uintptr_t)handle, primary, &event);
    mark_recorded(subject);
}

void gmt_call_context_released(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state)
{
    uint64_t subject = context_subject(handle, device);
    struct gmt_tracker *tracker = recorded_inside(call, subject) ? NULL : gmt_process_tracker();
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_released(tracker, (uintptr_t)handle, state, &event);
    mark_recorded(subject);
}

void gmt_call_context_ended(struct gmt_call *call, const void *handle, int device, enum gmt_context_state state)
{
    uint64_t subject = context_subject(handle, device);
    struct gmt_tracker *tracker = recorded_inside(call, subject) ? NULL : gmt_process_tracker();
    if (!tracker)
        return;
    struct gmt_event event = context_event(tracker, call, device);
    gmt_tracker_context_ended(tracker, (uintptr_t)handle, state, &event);
    mark_recorded(subject);
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
