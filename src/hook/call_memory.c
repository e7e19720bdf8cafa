/* Virtual memory, exports and imports, variables of modules. */
#include <errno.h>

#include "base/thread.h"
#include "hook/call_event.h"
#include "hook/driver.h"
#include "hook/process.h"

uint64_t gmt_call_range(CUdeviceptr address)
{
    size_t bytes = 0;
    if (gmt_driver_query(cuPointerGetAttribute)(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS)
        return 0;
    return bytes;
}

void gmt_call_allocated_physical(struct gmt_call *call, uint64_t handle, uint64_t bytes,
                                 const CUmemAllocationProp *properties)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, handle);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    bool on_device = properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
    if (on_device) { /* whatever device is current */
        event.device = (uint32_t)properties->location.id;
        gmt_call_learn_device(tracker, event.device);
    }
    event.kind = on_device ? GMT_KIND_PHYSICAL : GMT_KIND_PHYSICAL_HOST;
    event.address = handle;
    event.bytes = bytes;
    gmt_call_add(tracker, &event);
    gmt_call_mark(subject);
}

void gmt_call_retained(struct gmt_call *call, uint64_t handle, uint64_t address)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, handle);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    gmt_tracker_retained(tracker, handle, address);
    gmt_call_mark(subject);
}

void gmt_call_mapped(struct gmt_call *call, uint64_t address, uint64_t bytes, uint64_t handle)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_BLOCK, address);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_of(tracker, call, GMT_KIND_MAPPING, address, bytes);
    gmt_call_took(GMT_KIND_MAPPING, gmt_tracker_mapped(tracker, &event, handle));
    gmt_call_mark(subject);
}

void gmt_call_unmap_begin(struct gmt_call *call, uint64_t address, uint64_t bytes)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        gmt_tracker_unmap_begin(tracker, address, bytes);
    errno = call->saved_errno;
}

void gmt_call_unmap_end(struct gmt_call *call, uint64_t address, uint64_t bytes)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (!tracker)
        return;
    if (call->code == CUDA_SUCCESS) {
        gmt_tracker_unmap_commit(tracker, address, bytes);
        return;
    }
    gmt_tracker_unmap_abort(tracker, address, bytes);
    gmt_call_failed(call, 0);
}

void gmt_call_accessible(uint64_t address, uint64_t bytes)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        gmt_tracker_accessible(tracker, address, bytes);
}

void gmt_call_exported(struct gmt_call *call, enum gmt_family family, uint64_t address)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event_outside(tracker, call);
    event.family = (uint8_t)family;
    event.address = address;
    gmt_tracker_exported(tracker, &event);
}

/* A variable is recorded once for each address, however often it is asked for; it goes with its module. */
void gmt_call_variable(struct gmt_call *call, enum gmt_kind kind, uint64_t address, uint64_t bytes,
                       enum gmt_family family, const void *owner)
{
    struct gmt_tracker *tracker = gmt_process_open();
    if (!tracker || gmt_tracker_is_live(tracker, GMT_FAMILY_VARIABLE, address))
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    event.kind = (uint8_t)kind;
    event.address = address;
    event.bytes = bytes > 0 ? bytes : gmt_call_range(address);
    gmt_tracker_add_once(tracker, &event, family, (uintptr_t)owner);
}
