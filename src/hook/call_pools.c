/* See call_pools.h. */
#include "hook/call_pools.h"

#include <errno.h>

#include "hook/call_event.h"
#include "hook/call_graphs.h"
#include "hook/driver.h"
#include "hook/process.h"

#define POOLS_SAMPLED 64u

/* The device that a pool takes from, or GMT_NONE when it is the host. */
static uint32_t device_of(const CUmemPoolProps *properties)
{
    return properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE ? (uint32_t)properties->location.id : GMT_NONE;
}

void gmt_call_pool_created(struct gmt_call *call, CUmemoryPool pool, const CUmemPoolProps *properties)
{
    gmt_call_allocated(call, GMT_KIND_POOL, (uintptr_t)pool, 0);
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (!tracker)
        return;
    if (properties)
        gmt_tracker_pool(tracker, GMT_POOL_CREATED, (uintptr_t)pool, device_of(properties));
    else
        gmt_tracker_pool(tracker, GMT_POOL_IMPORTED, (uintptr_t)pool, GMT_NONE);
}

void gmt_call_pool_told(CUmemoryPool pool, CUdevice device)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (tracker)
        gmt_tracker_pool(tracker, GMT_POOL_DEFAULT, (uintptr_t)pool, (uint32_t)device);
}

void gmt_call_pool_set(struct gmt_call *call, CUmemoryPool pool, CUmemPool_attribute attribute, const void *value)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    if (!tracker || attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    gmt_tracker_pool_threshold(tracker, (uintptr_t)pool, *(const cuuint64_t *)value, &event);
}

/* With `pool` NULL: the graph memory of `device`. */
void gmt_call_pool_trimmed(struct gmt_call *call, CUmemoryPool pool, CUdevice device)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, pool ? (uintptr_t)pool : (uint64_t)device);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, false);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    if (!pool)
        event.device = (uint32_t)device;
    gmt_tracker_pool_trimmed(tracker, (uintptr_t)pool, &event);
    gmt_call_mark(subject);
}

static uint64_t pool_figure(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    cuuint64_t value = 0;
    gmt_driver_query(cuMemPoolGetAttribute)(pool, attribute, &value);
    return value;
}

static void sample_pool(struct gmt_tracker *tracker, enum gmt_pool_type type, CUmemoryPool pool, uint32_t device)
{
    cuuint64_t reserved = 0;
    if (gmt_driver_query(cuMemPoolGetAttribute)(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved) != CUDA_SUCCESS)
        return;
    struct gmt_pool_sample sample = {
        .type = type,
        .handle = (uintptr_t)pool,
        .device = device,
        .threshold_bytes = pool_figure(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD),
        .reserved_bytes = reserved,
        .used_bytes = pool_figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT),
        .reserved_high_bytes = pool_figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH),
        .used_high_bytes = pool_figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH),
    };
    gmt_tracker_pool_sampled(tracker, &sample);
}

static uint64_t graph_figure(CUdevice device, CUgraphMem_attribute attribute)
{
    cuuint64_t value = 0;
    gmt_driver_query(cuDeviceGetGraphMemAttribute)(device, attribute, &value);
    return value;
}

static void sample_graphs(struct gmt_tracker *tracker, uint32_t device)
{
    struct gmt_pool_sample sample = {
        .type = GMT_POOL_GRAPHS,
        .device = device,
        .reserved_bytes = graph_figure((CUdevice)device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT),
        .used_bytes = graph_figure((CUdevice)device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT),
        .reserved_high_bytes = graph_figure((CUdevice)device, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH),
        .used_high_bytes = graph_figure((CUdevice)device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH),
    };
    if (sample.reserved_high_bytes > 0)
        gmt_tracker_pool_sampled(tracker, &sample);
}

void gmt_pools_sample(struct gmt_tracker *tracker, uint32_t device)
{
    if (device == GMT_NONE || gmt_captures_under_way())
        return;
    CUmemoryPool pool = NULL;
    if (gmt_driver_query(cuDeviceGetDefaultMemPool)(&pool, (CUdevice)device) == CUDA_SUCCESS && pool)
        sample_pool(tracker, GMT_POOL_DEFAULT, pool, device);
    uint64_t handles[POOLS_SAMPLED];
    uint32_t count = gmt_tracker_pools_of(tracker, device, handles, POOLS_SAMPLED);
    for (uint32_t i = 0; i < count; i++)
        sample_pool(tracker, GMT_POOL_CREATED, (CUmemoryPool)(uintptr_t)handles[i], device);
    sample_graphs(tracker, device);
}

/* The program is about to end a context itself. `device` < 0: that of the current one. */
void gmt_call_context_ends(struct gmt_call *call, int device)
{
    struct gmt_tracker *tracker = gmt_process_tracker();
    CUdevice current = device;
    if (tracker && (device >= 0 || gmt_driver_query(cuCtxGetDevice)(&current) == CUDA_SUCCESS))
        gmt_pools_sample(tracker, (uint32_t)current);
    errno = call->saved_errno;
}

void gmt_call_limit_begin(struct gmt_call *call, CUlimit limit)
{
    size_t value = 0;
    call->old_value = UINT64_MAX;
    if (gmt_process_tracker() && gmt_driver_query(cuCtxGetLimit)(&value, limit) == CUDA_SUCCESS)
        call->old_value = value;
    errno = call->saved_errno;
}

void gmt_call_limit_end(struct gmt_call *call, CUlimit limit, size_t value)
{
    uint64_t subject = gmt_subject(GMT_SUBJECT_CHANGE, (uint64_t)limit);
    struct gmt_tracker *tracker = gmt_call_recorder(call, subject, true);
    if (!tracker)
        return;
    struct gmt_event event = gmt_call_event(tracker, call);
    gmt_driver_query(cuCtxGetLimit)(&value, limit); /* the driver may have rounded it */
    gmt_tracker_limit(tracker, (uint32_t)limit, call->old_value, value, &event);
    gmt_call_mark(subject);
}
