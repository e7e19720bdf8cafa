/* Pools of stream-ordered memory, and limits of contexts: what somebody set that keeps memory from the device. */
#include "track/tracker_state.h"

static struct gmt_pool_record *pools(struct gmt_tracker *tracker)
{
    return GMT_RECORDS(&tracker->trace, POOLS);
}

/* The live pool with this handle; with handle 0 the graph pool of `device`. Newest first: handles come back. */
static struct gmt_pool_record *find(struct gmt_tracker *tracker, uint64_t handle, uint32_t device)
{
    for (uint64_t i = tracker->trace.header->sections[GMT_SECTION_POOLS].used; i-- > 0;) {
        struct gmt_pool_record *pool = &pools(tracker)[i];
        if (pool->state == GMT_POOL_LIVE && pool->handle == handle && (handle != 0 || pool->device == device))
            return pool;
    }
    return NULL;
}

static struct gmt_pool_record *find_or_make(struct gmt_tracker *tracker, enum gmt_pool_type type, uint64_t handle,
                                            uint32_t device)
{
    struct gmt_pool_record *pool = find(tracker, handle, device);
    if (pool)
        return pool;
    uint32_t index = gmt_trace_append(&tracker->trace, GMT_SECTION_POOLS, 1);
    if (index == GMT_NONE)
        return NULL;
    pool = &pools(tracker)[index];
    pool->type = type;
    pool->handle = handle;
    pool->device = device;
    pool->threshold_stack = GMT_NONE;
    pool->trim_stack = GMT_NONE;
    __atomic_store_n(&pool->state, GMT_POOL_LIVE, __ATOMIC_RELEASE);
    return pool;
}

void gmt_tracker_pool(struct gmt_tracker *tracker, enum gmt_pool_type type, uint64_t handle, uint32_t device)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_pool_record *pool = find_or_make(tracker, type, handle, device);
    if (pool && pool->device == GMT_NONE)
        pool->device = device; /* of an imported pool, told later */
    gmt_tracker_leave(tracker);
}

void gmt_tracker_pool_gone(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_pool_record *pool = find(tracker, handle, GMT_NONE);
    if (pool)
        __atomic_store_n(&pool->state, GMT_POOL_DESTROYED, __ATOMIC_RELEASE);
}

uint32_t gmt_tracker_pool_device(struct gmt_tracker *tracker, uint64_t handle)
{
    if (handle == 0 || !gmt_tracker_enter(tracker))
        return GMT_NONE;
    const struct gmt_pool_record *pool = find(tracker, handle, GMT_NONE);
    uint32_t device = pool ? pool->device : GMT_NONE;
    gmt_tracker_leave(tracker);
    return device;
}

uint32_t gmt_tracker_pools_of(struct gmt_tracker *tracker, uint32_t device, uint64_t *handles_out, uint32_t count)
{
    uint32_t found = 0;
    if (!gmt_tracker_enter(tracker))
        return 0;
    uint64_t used = tracker->trace.header->sections[GMT_SECTION_POOLS].used;
    for (uint64_t i = 0; i < used && found < count; i++) {
        const struct gmt_pool_record *pool = &pools(tracker)[i];
        if (pool->state == GMT_POOL_LIVE && pool->device == device &&
            (pool->type == GMT_POOL_CREATED || pool->type == GMT_POOL_IMPORTED))
            handles_out[found++] = pool->handle;
    }
    gmt_tracker_leave(tracker);
    return found;
}

void gmt_tracker_pool_sampled(struct gmt_tracker *tracker, const struct gmt_pool_sample *sample)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_pool_record *pool = find_or_make(tracker, sample->type, sample->handle, sample->device);
    if (pool) {
        pool->threshold_bytes = sample->threshold_bytes;
        pool->reserved_bytes = sample->reserved_bytes;
        pool->used_bytes = sample->used_bytes;
        pool->reserved_high_bytes = sample->reserved_high_bytes;
        pool->used_high_bytes = sample->used_high_bytes;
        uint64_t now = gmt_tracker_time(tracker);
        pool->sample_ns = now > 0 ? now : 1; /* 0 is never */
    }
    gmt_tracker_leave(tracker);
}

void gmt_tracker_pool_threshold(struct gmt_tracker *tracker, uint64_t handle, uint64_t bytes,
                                const struct gmt_event *event)
{
    if (handle == 0 || !gmt_tracker_enter(tracker))
        return;
    struct gmt_pool_record *pool = find_or_make(tracker, GMT_POOL_DEFAULT, handle, event->device);
    if (pool) {
        pool->threshold_bytes = bytes;
        pool->threshold_stack = event->stack;
        pool->threshold_entry = event->entry;
        pool->threshold_ns = gmt_tracker_time(tracker);
    }
    gmt_tracker_leave(tracker);
}

void gmt_tracker_pool_trimmed(struct gmt_tracker *tracker, uint64_t handle, const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    enum gmt_pool_type type = handle ? GMT_POOL_DEFAULT : GMT_POOL_GRAPHS;
    struct gmt_pool_record *pool = find_or_make(tracker, type, handle, event->device);
    if (pool) {
        pool->trim_stack = event->stack;
        pool->trim_count++;
        pool->trim_ns = gmt_tracker_time(tracker);
    }
    gmt_tracker_leave(tracker);
}

/* The newest record, when it is the same change again. */
static struct gmt_limit_record *repeated(struct gmt_tracker *tracker, const struct gmt_limit_record *change)
{
    uint64_t used = tracker->trace.header->sections[GMT_SECTION_LIMITS].used;
    struct gmt_limit_record *last = used > 0 ? &GMT_RECORDS(&tracker->trace, LIMITS)[used - 1] : NULL;
    bool equal = last && last->limit == change->limit && last->old_value == change->old_value &&
                 last->new_value == change->new_value && last->context == change->context &&
                 last->stack == change->stack;
    return equal ? last : NULL;
}

void gmt_tracker_limit(struct gmt_tracker *tracker, uint32_t limit, uint64_t old_value, uint64_t new_value,
                       const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_limit_record change = {.state = 1,
                                      .limit = limit,
                                      .old_value = old_value,
                                      .new_value = new_value,
                                      .context = event->context,
                                      .device = event->device,
                                      .stack = event->stack,
                                      .entry = event->entry,
                                      .time_ns = gmt_tracker_time(tracker),
                                      .count = 1};
    struct gmt_limit_record *last = repeated(tracker, &change);
    uint32_t index = last ? GMT_NONE : gmt_trace_append(&tracker->trace, GMT_SECTION_LIMITS, 1);
    if (last) {
        last->count++;
        last->time_ns = change.time_ns;
    } else if (index != GMT_NONE) {
        GMT_RECORDS(&tracker->trace, LIMITS)[index] = change;
    }
    gmt_tracker_leave(tracker);
}
