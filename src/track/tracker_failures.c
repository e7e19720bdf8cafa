/* Calls that failed, and frees of what is not live: counted by function, code, kind and stack. */
#include "track/freed_history.h"
#include "track/tracker_state.h"

/* Whether a family's numbers are addresses, which can be compared with others, and not handles. */
static bool has_addresses(enum gmt_family family)
{
    return family == GMT_FAMILY_ADDRESS || family == GMT_FAMILY_REGISTRATION || family == GMT_FAMILY_IPC ||
           family == GMT_FAMILY_MAPPING || family == GMT_FAMILY_VARIABLE;
}

static void set_near(struct gmt_tracker *tracker, struct gmt_failure_record *failure,
                     const struct gmt_block_record *block)
{
    failure->near_site = block->site;
    failure->near_address = gmt_handle_of_program(gmt_tracker_family(tracker, block), block->address);
    failure->near_bytes = block->bytes;
    failure->near_ns = block->time_ns;
}

/* Whether that is what a free is about, gone with its context before. */
static bool is_ended(struct gmt_tracker *tracker, const struct gmt_block_record *block, const struct gmt_event *event)
{
    return block->state == GMT_BLOCK_ENDED && gmt_tracker_family(tracker, block) == event->family &&
           gmt_handle_of_program(event->family, block->address) == gmt_handle_of_program(event->family, event->address);
}

/* What is live at `address` in another family, or what ended there, or else the live memory that starts nearest below.
 * A walk over all records: not for every failure of a stack. */
static void find_nearest(struct gmt_tracker *tracker, const struct gmt_event *event, struct gmt_failure_record *failure)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    bool address = has_addresses(event->family);
    const struct gmt_block_record *ended = NULL;
    failure->address_is = (uint16_t)event->address_is;
    if (!address && event->address_is == GMT_ADDRESS_HOST) /* as many handles are, which calls did take */
        failure->address_is = GMT_ADDRESS_UNKNOWN;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
        if (is_ended(tracker, block, event) && (!ended || block->sequence > ended->sequence))
            ended = block;
        if (block->state != GMT_BLOCK_LIVE || block->address > event->address)
            continue;
        enum gmt_family family = gmt_tracker_family(tracker, block);
        bool same = block->address == event->address && family != event->family;
        bool nearer = address && block->address > failure->near_address && block->address < event->address &&
                      has_addresses(family);
        if (!same && !nearer)
            continue;
        set_near(tracker, failure, block);
        if (same) {
            failure->address_is = GMT_ADDRESS_OTHER_FAMILY;
            return;
        }
    }
    if (failure->near_site != GMT_NONE && event->address - failure->near_address < failure->near_bytes) {
        failure->address_is = GMT_ADDRESS_INSIDE_BLOCK;
    } else if (ended) {
        set_near(tracker, failure, ended);
        failure->address_is = GMT_ADDRESS_ENDED;
    }
}

static bool overlap(uint64_t one, uint64_t one_bytes, uint64_t other, uint64_t other_bytes)
{
    return one < other ? other - one < one_bytes : one - other < other_bytes;
}

/* What stands in the way of a request that was refused because of it. */
static void find_in_the_way(struct gmt_tracker *tracker, const struct gmt_event *event,
                            struct gmt_failure_record *failure)
{
    uint64_t count = tracker->trace.header->sections[GMT_SECTION_BLOCKS].used;
    for (uint64_t i = 0; i < count; i++) {
        const struct gmt_block_record *block = GMT_BLOCK(tracker, i);
        if (block->state != GMT_BLOCK_LIVE || GMT_SITE(tracker, block->site)->kind != event->kind ||
            !overlap(block->address, block->bytes, event->address, event->bytes))
            continue;
        set_near(tracker, failure, block);
        return;
    }
}

/* Renews what a failure says of its last call. */
static void describe(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind,
                     uint32_t about, struct gmt_failure_record *failure)
{
    failure->near_site = GMT_NONE;
    failure->near_stack = GMT_NONE;
    failure->near_address = failure->near_bytes = failure->near_ns = 0;
    failure->last_address = gmt_handle_of_program(event->family, event->address);
    const struct gmt_freed_record *freed =
        kind == GMT_FAILURE_DOUBLE ? gmt_freed_history_find(&tracker->trace, event->family, event->address) : NULL;
    if (freed) {
        failure->near_site = freed->site;
        failure->near_stack = freed->stack;
        failure->near_address = failure->last_address;
        failure->near_bytes = freed->bytes;
        failure->near_ns = freed->time_ns;
    } else if (kind == GMT_FAILURE_STRAY) {
        find_nearest(tracker, event, failure);
    } else if (event->in_the_way) {
        find_in_the_way(tracker, event, failure);
    } else {
        if (about == GMT_NONE)
            about = gmt_tracker_find(tracker, event->family, event->address);
        if (about == GMT_NONE)
            return;
        set_near(tracker, failure, GMT_BLOCK(tracker, about));
        if (kind == GMT_FAILURE_EXPORTED)
            failure->near_stack = GMT_BLOCK(tracker, about)->note_stack;
    }
}

/* Whether an address that was freed before is now that of something which another function frees. */
static bool is_other_now(struct gmt_tracker *tracker, const struct gmt_event *event)
{
    for (enum gmt_family family = 0; has_addresses(event->family) && family < GMT_FAMILY_COUNT; family++) {
        if (family != event->family && has_addresses(family) &&
            gmt_tracker_find(tracker, family, event->address) != GMT_NONE)
            return true;
    }
    return false;
}

static uint32_t failure_of(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind)
{
    struct gmt_key key = {event->stack, (uint32_t)event->entry << 8 | kind, (uint32_t)event->code, 0};
    uint32_t index = gmt_key_table_find(&tracker->failures, key);
    if (index != GMT_NONE)
        return index;
    index = gmt_trace_append(&tracker->trace, GMT_SECTION_FAILURES, 1);
    if (index == GMT_NONE)
        return GMT_NONE;
    if (gmt_key_table_add(&tracker->failures, &tracker->arena, key, index) != 0)
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
    struct gmt_failure_record *failure = &GMT_RECORDS(&tracker->trace, FAILURES)[index];
    failure->stack = event->stack;
    failure->entry = event->entry;
    failure->kind = (uint16_t)kind;
    failure->code = event->code;
    failure->first_ns = gmt_tracker_time(tracker);
    failure->near_site = failure->near_stack = GMT_NONE;
    return index;
}

uint32_t gmt_tracker_record_failure(struct gmt_tracker *tracker, const struct gmt_event *event,
                                    enum gmt_failure_kind kind, uint32_t about)
{
    if (kind == GMT_FAILURE_STRAY && gmt_freed_history_find(&tracker->trace, event->family, event->address) &&
        !is_other_now(tracker, event))
        kind = GMT_FAILURE_DOUBLE;
    uint32_t index = failure_of(tracker, event, kind);
    if (index == GMT_NONE)
        return GMT_NONE;
    struct gmt_failure_record *failure = &GMT_RECORDS(&tracker->trace, FAILURES)[index];
    /* The address and what lies near it belong together, and looking takes long: for the 1st, 2nd, 4th, 8th … */
    if ((failure->count & (failure->count + 1)) == 0)
        describe(tracker, event, kind, about, failure);
    failure->last_bytes = event->bytes;
    failure->last_thread = event->thread;
    failure->no_context = event->no_context;
    failure->last_ns = gmt_tracker_time(tracker);
    failure->count++;
    __atomic_store_n(&failure->state, 1, __ATOMIC_RELEASE);
    return index;
}

/* A program that meets an error soon after it took something often forgets that on its way out. */
static void mark_block(struct gmt_tracker *tracker, uint32_t record, const struct gmt_event *event, uint32_t failure)
{
    if (record >= tracker->trace.header->sections[GMT_SECTION_BLOCKS].used)
        return;
    struct gmt_block_record *block = GMT_BLOCK(tracker, record);
    if (block->state == GMT_BLOCK_LIVE && block->thread == event->thread && block->failed_next == GMT_NONE)
        block->failed_next = failure;
}

void gmt_tracker_failure(struct gmt_tracker *tracker, const struct gmt_event *event, enum gmt_failure_kind kind)
{
    if (!gmt_tracker_enter(tracker))
        return;
    uint32_t failure = gmt_tracker_record_failure(tracker, event, kind, GMT_NONE);
    if (failure != GMT_NONE && event->code != 0) {
        mark_block(tracker, event->last_block, event, failure);
        mark_block(tracker, event->last_memory, event, failure);
    }
    gmt_tracker_leave(tracker);
}
