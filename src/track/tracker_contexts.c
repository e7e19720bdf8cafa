/* Devices and contexts: which exist, who made them, and what goes when one ends. */
#include <string.h>

#include "track/totals.h"
#include "track/tracker_state.h"

static struct gmt_context_record *contexts(struct gmt_tracker *tracker)
{
    return GMT_RECORDS(&tracker->trace, CONTEXTS);
}

/* A live context by handle, or with handle 0 the primary one of `device`. Newest first: handles come back. */
static uint32_t find_live(struct gmt_tracker *tracker, uint64_t handle, uint32_t device)
{
    for (uint64_t i = tracker->trace.header->sections[GMT_SECTION_CONTEXTS].used; i-- > 0;) {
        const struct gmt_context_record *context = &contexts(tracker)[i];
        if (context->state != GMT_CONTEXT_LIVE)
            continue;
        if (handle ? context->handle == handle : context->primary && context->device == device)
            return (uint32_t)i;
    }
    return GMT_NONE;
}

/* The newest primary context of `device`, when it was reset and not used since. The driver keeps its references over a
 * reset: releases still count, and the next use finds the same handle. */
static struct gmt_context_record *find_reset(struct gmt_tracker *tracker, uint32_t device)
{
    for (uint64_t i = tracker->trace.header->sections[GMT_SECTION_CONTEXTS].used; i-- > 0;) {
        struct gmt_context_record *context = &contexts(tracker)[i];
        if (context->primary && context->device == device)
            return context->state == GMT_CONTEXT_RESET ? context : NULL;
    }
    return NULL;
}

static uint32_t make(struct gmt_tracker *tracker, uint64_t handle, uint32_t device, const struct gmt_event *event)
{
    const struct gmt_context_record *reset = find_reset(tracker, device);
    uint32_t index = gmt_trace_append(&tracker->trace, GMT_SECTION_CONTEXTS, 1);
    if (index == GMT_NONE)
        return GMT_NONE;
    struct gmt_context_record *context = &contexts(tracker)[index];
    if (reset && reset->handle == handle) {
        context->primary = 1;
        context->references = reset->references;
    }
    context->handle = handle;
    context->device = device;
    context->created_stack = event ? event->stack : GMT_NONE;
    context->created_entry = event ? event->entry : 0;
    context->ended_stack = GMT_NONE;
    context->created_ns = gmt_tracker_time(tracker);
    __atomic_store_n(&context->state, GMT_CONTEXT_LIVE, __ATOMIC_RELEASE);
    __atomic_fetch_add(&tracker->context_epoch, 1, __ATOMIC_RELEASE);
    return index;
}

uint32_t gmt_tracker_context(struct gmt_tracker *tracker, uint64_t handle, uint32_t device)
{
    if (handle == 0 || !gmt_tracker_enter(tracker))
        return GMT_NONE;
    uint32_t index = find_live(tracker, handle, device);
    if (index == GMT_NONE) {
        index = make(tracker, handle, device, NULL);
        /* Whoever made it, unseen, holds a reference: balanced pairs of others must not end it. */
        if (index != GMT_NONE && contexts(tracker)[index].references == 0)
            contexts(tracker)[index].references = 1;
    }
    gmt_tracker_leave(tracker);
    return index;
}

void gmt_tracker_context_retained(struct gmt_tracker *tracker, uint64_t handle, bool primary,
                                  const struct gmt_event *event)
{
    if (handle == 0 || !gmt_tracker_enter(tracker))
        return;
    uint32_t index = find_live(tracker, handle, event->device);
    if (index == GMT_NONE)
        index = make(tracker, handle, event->device, event);
    if (index != GMT_NONE) {
        contexts(tracker)[index].references++;
        contexts(tracker)[index].primary |= primary;
    }
    gmt_tracker_leave(tracker);
}

/* Blocks of the context are gone from the device but were never freed: they leave the index and stay as records. */
static void end_blocks(struct gmt_tracker *tracker, uint32_t context)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = &GMT_RECORDS(&tracker->trace, BLOCKS)[i];
        if (block->state != GMT_BLOCK_LIVE || block->context != context)
            continue;
        enum gmt_family family = gmt_tracker_family(tracker, block);
        struct gmt_block_node *node = gmt_block_index_find(&tracker->blocks, family, block->address);
        if (node && gmt_block_node_record(node) == i) {
            gmt_block_index_take(&tracker->blocks, &tracker->arena, node);
            gmt_block_node_drop(&tracker->arena, node);
        }
        tracker->variables -= family == GMT_FAMILY_VARIABLE;
        gmt_tracker_retire(tracker, (uint32_t)i, GMT_BLOCK_ENDED);
    }
}

static void end_context(struct gmt_tracker *tracker, uint32_t index, enum gmt_context_state state,
                        const struct gmt_event *event)
{
    struct gmt_context_record *context = &contexts(tracker)[index];
    context->ended_stack = event->stack;
    context->ended_entry = event->entry;
    context->ended_ns = gmt_tracker_time(tracker);
    __atomic_store_n(&context->state, state, __ATOMIC_RELEASE);
    __atomic_fetch_add(&tracker->context_epoch, 1, __ATOMIC_RELEASE);
    end_blocks(tracker, index);
}

void gmt_tracker_context_released(struct gmt_tracker *tracker, uint64_t handle, enum gmt_context_state state,
                                  const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t index = find_live(tracker, handle, event->device);
    struct gmt_context_record *reset = index == GMT_NONE && handle == 0 ? find_reset(tracker, event->device) : NULL;
    if (reset && reset->references > 0)
        reset->references--;
    if (index != GMT_NONE && --contexts(tracker)[index].references <= 0)
        end_context(tracker, index, state, event);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_context_ended(struct gmt_tracker *tracker, uint64_t handle, enum gmt_context_state state,
                               const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t index = find_live(tracker, handle, event->device);
    if (index != GMT_NONE)
        end_context(tracker, index, state, event);
    gmt_tracker_leave(tracker);
}

uint64_t gmt_tracker_context_epoch(const struct gmt_tracker *tracker)
{
    return __atomic_load_n(&tracker->context_epoch, __ATOMIC_ACQUIRE);
}

bool gmt_tracker_device_is_new(struct gmt_tracker *tracker, uint32_t device)
{
    struct gmt_trace_header *header = tracker->trace.header;
    if (!header || device >= header->sections[GMT_SECTION_DEVICES].used)
        return false;
    return __atomic_exchange_n(&GMT_RECORDS(&tracker->trace, DEVICES)[device].state, 1, __ATOMIC_ACQ_REL) == 0;
}

void gmt_tracker_device(struct gmt_tracker *tracker, uint32_t device, const char *name, uint64_t total_bytes,
                        const uint8_t *uuid)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_device_record *record = &GMT_RECORDS(&tracker->trace, DEVICES)[device];
    record->name = gmt_trace_add_string(&tracker->trace, name, strlen(name));
    record->total_bytes = total_bytes;
    memcpy(record->uuid, uuid, sizeof record->uuid);
    gmt_tracker_leave(tracker);
}
