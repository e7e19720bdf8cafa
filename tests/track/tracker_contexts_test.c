/* Contexts by reference counts, devices, and the blocks that end with a context. */
#include "track_fixture.h"

#include <string.h>

#define HANDLE 0xc0ffee

static struct gmt_event on_device(uint32_t device)
{
    return (struct gmt_event){
        .entry = ENTRY_CONTEXT, .context = GMT_NONE, .device = device, .thread = 42, .stack = stack_number(9)};
}

static void retain(uint64_t handle, bool primary, uint32_t device)
{
    struct gmt_event event = on_device(device);
    gmt_tracker_context_retained(&tracker, handle, primary, &event);
}

static void release(uint64_t handle, uint32_t device)
{
    struct gmt_event event = on_device(device);
    gmt_tracker_context_released(&tracker, handle, GMT_CONTEXT_RELEASED, &event);
}

static void add_in(uint32_t context, uint64_t address, uint64_t bytes)
{
    struct gmt_event event = allocation(address, bytes);
    event.context = context;
    gmt_tracker_add(&tracker, &event);
}

static void the_first_reference_makes_it(void **state)
{
    (void)state;
    tracker_now = 1700;
    retain(HANDLE, true, 2);
    const struct gmt_context_record *context = RECORD(CONTEXTS, 0);
    assert_int_equal(USED(CONTEXTS), 1);
    assert_int_equal(context->handle, 0xc0ffee);
    assert_int_equal(context->state, GMT_CONTEXT_LIVE);
    assert_int_equal(context->device, 2);
    assert_int_equal(context->primary, 1);
    assert_int_equal(context->references, 1);
    assert_int_equal(context->created_stack, stack_number(9));
    assert_int_equal(context->ended_stack, GMT_NONE);
    assert_int_equal(context->created_ns, 700);
    assert_int_equal(gmt_tracker_context(&tracker, HANDLE, 2), 0);
}

static void a_primary_context_lives_until_its_last_reference_goes(void **state)
{
    (void)state;
    retain(HANDLE, true, 0);
    retain(HANDLE, true, 0);
    assert_int_equal(RECORD(CONTEXTS, 0)->references, 2);
    add_in(0, 0x1000, 100);
    release(0, 0);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_LIVE);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LIVE);
    tracker_now = 1900;
    release(0, 0);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_RELEASED);
    assert_int_equal(RECORD(CONTEXTS, 0)->ended_ns, 900);
    assert_int_equal(RECORD(CONTEXTS, 0)->ended_stack, stack_number(9));
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
    assert_int_equal(RECORD(BLOCKS, 0)->context, 0);
}

/* As measured: the driver keeps the references of a primary context over a reset, and its handle comes back. */
static void a_reset_keeps_the_references(void **state)
{
    struct gmt_event event = on_device(0);
    (void)state;
    retain(HANDLE, true, 0);
    retain(HANDLE, true, 0);
    gmt_tracker_context_ended(&tracker, 0, GMT_CONTEXT_RESET, &event);
    release(0, 0); /* one of the two, while nothing uses the context */
    assert_int_equal(RECORD(CONTEXTS, 0)->references, 1);
    retain(HANDLE, true, 0);
    assert_int_equal(RECORD(CONTEXTS, 1)->state, GMT_CONTEXT_LIVE);
    assert_int_equal(RECORD(CONTEXTS, 1)->references, 2);
    add_in(1, 0x1000, 100);
    release(0, 0);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LIVE);
    release(0, 0);
    assert_int_equal(RECORD(CONTEXTS, 1)->state, GMT_CONTEXT_RELEASED);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
}

/* A program of the driver API goes on with the handle that it has, without another retain. */
static void a_reset_context_can_be_used_again_without_a_retain(void **state)
{
    struct gmt_event event = on_device(0);
    (void)state;
    retain(HANDLE, true, 0);
    gmt_tracker_context_ended(&tracker, 0, GMT_CONTEXT_RESET, &event);
    assert_int_equal(gmt_tracker_context(&tracker, HANDLE, 0), 1);
    assert_int_equal(RECORD(CONTEXTS, 1)->primary, 1);
    assert_int_equal(RECORD(CONTEXTS, 1)->references, 1);
    release(0, 0);
    assert_int_equal(RECORD(CONTEXTS, 1)->state, GMT_CONTEXT_RELEASED);
}

static void a_reset_ends_what_it_held_whatever_its_references(void **state)
{
    struct gmt_event event = on_device(0);
    (void)state;
    retain(HANDLE, true, 0);
    retain(HANDLE, true, 0);
    retain(HANDLE + 1, true, 1);
    add_in(0, 0x1000, 100);
    gmt_tracker_context_ended(&tracker, 0, GMT_CONTEXT_RESET, &event);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_RESET);
    assert_int_equal(RECORD(CONTEXTS, 0)->references, 2);
    assert_int_equal(RECORD(CONTEXTS, 1)->state, GMT_CONTEXT_LIVE);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
}

static void ended_blocks_leave_totals_and_index_and_stay_as_records(void **state)
{
    struct gmt_event event = on_device(0);
    (void)state;
    retain(HANDLE, false, 0);
    retain(HANDLE + 1, false, 0);
    add_in(0, 0x1000, 100);
    add_in(1, 0x2000, 20);
    add_in(0, 0x3000, 3);
    gmt_tracker_context_ended(&tracker, HANDLE, GMT_CONTEXT_DESTROYED, &event);
    const struct gmt_totals *totals = &RECORD(DEVICES, 0)->totals[GMT_SPACE_DEVICE];
    assert_int_equal(totals->live_bytes, 20);
    assert_int_equal(totals->live_count, 1);
    assert_int_equal(totals->peak_bytes, 123);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000));
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
    assert_int_equal(RECORD(BLOCKS, 1)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, 2)->state, GMT_BLOCK_ENDED);
    /* Addresses come back in the next context; the old records are kept as they are. */
    add_in(1, 0x1000, 50);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
    assert_int_equal(RECORD(BLOCKS, 0)->bytes, 100);
    assert_int_equal(RECORD(BLOCKS, 3)->bytes, 50);
    free_block(0x1000);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
}

/* What a context takes along, kind by kind; written down here, and not read from trace_kinds.def. */
static void some_kinds_outlive_their_context(void **state)
{
    static const struct {
        enum gmt_kind kind;
        bool outlives;
    } kinds[] = {
        {GMT_KIND_DEVICE, false},
        {GMT_KIND_PITCHED, false},
        {GMT_KIND_MANAGED, false},
        {GMT_KIND_PINNED, false},
        {GMT_KIND_STREAM_ORDERED, true},
        {GMT_KIND_GRAPH_MEMORY, true},
        {GMT_KIND_MAPPED_BUFFER, false},
        {GMT_KIND_POOL_IMPORT, false},
        {GMT_KIND_REGISTERED, false},
        {GMT_KIND_IPC, false},
        {GMT_KIND_ARRAY, false},
        {GMT_KIND_MIPMAP, false},
        {GMT_KIND_PHYSICAL, true},
        {GMT_KIND_PHYSICAL_HOST, true},
        {GMT_KIND_PHYSICAL_IMPORT, true},
        {GMT_KIND_MULTICAST, true},
        {GMT_KIND_MAPPING, true},
        {GMT_KIND_RESERVATION, true},
        {GMT_KIND_EXTERNAL_MEMORY, true},
        {GMT_KIND_EXTERNAL_SEMAPHORE, false},
        {GMT_KIND_VARIABLE, false},
        {GMT_KIND_MANAGED_VARIABLE, false},
        {GMT_KIND_MODULE, false},
        {GMT_KIND_LIBRARY, true},
        {GMT_KIND_STREAM, false},
        {GMT_KIND_EVENT, false},
        {GMT_KIND_TEXTURE, false},
        {GMT_KIND_SURFACE, false},
        {GMT_KIND_TEXTURE_REFERENCE, false},
        {GMT_KIND_GRAPH, true},
        {GMT_KIND_GRAPH_EXEC, true},
        {GMT_KIND_POOL, true},
        {GMT_KIND_GREEN_CONTEXT, false},
    };
    struct gmt_event event = on_device(0);
    (void)state;
    assert_int_equal(sizeof kinds / sizeof kinds[0], GMT_KIND_COUNT);
    retain(HANDLE, false, 0);
    for (unsigned i = 0; i < GMT_KIND_COUNT; i++) {
        struct gmt_event taken = taking(kinds[i].kind, 0x1000 * (i + 1), 10);
        taken.context = 0;
        assert_int_equal(gmt_tracker_add(&tracker, &taken), i);
    }
    gmt_tracker_context_ended(&tracker, HANDLE, GMT_CONTEXT_DESTROYED, &event);
    gmt_tracker_audit(&tracker);
    for (unsigned i = 0; i < GMT_KIND_COUNT; i++) {
        bool outlived = RECORD(BLOCKS, i)->state == GMT_BLOCK_LIVE;
        if (outlived != kinds[i].outlives)
            fail_msg("%s", gmt_kind_facts(kinds[i].kind)->json);
        assert_true(outlived || RECORD(BLOCKS, i)->state == GMT_BLOCK_ENDED);
        assert_int_equal(!is_free(gmt_kind_facts(kinds[i].kind)->family, 0x1000 * (i + 1)), outlived);
    }
}

static void a_handle_that_comes_back_is_another_context(void **state)
{
    struct gmt_event event = on_device(0);
    (void)state;
    retain(HANDLE, false, 0);
    gmt_tracker_context_ended(&tracker, HANDLE, GMT_CONTEXT_DESTROYED, &event);
    retain(HANDLE, false, 0);
    assert_int_equal(USED(CONTEXTS), 2);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_DESTROYED);
    assert_int_equal(RECORD(CONTEXTS, 1)->state, GMT_CONTEXT_LIVE);
    assert_int_equal(gmt_tracker_context(&tracker, HANDLE, 0), 1);
}

static void a_context_of_unseen_origin_is_made_on_first_use(void **state)
{
    (void)state;
    assert_int_equal(gmt_tracker_context(&tracker, HANDLE, 1), 0);
    assert_int_equal(gmt_tracker_context(&tracker, HANDLE, 1), 0);
    assert_int_equal(RECORD(CONTEXTS, 0)->created_stack, GMT_NONE);
    assert_int_equal(RECORD(CONTEXTS, 0)->primary, 0);
    assert_int_equal(RECORD(CONTEXTS, 0)->references, 1); /* its maker's */
    assert_int_equal(gmt_tracker_context(&tracker, 0, 1), GMT_NONE);
    retain(HANDLE, true, 1);
    release(0, 1);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_LIVE);
    release(0, 1);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_RELEASED);
}

static void releasing_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    release(HANDLE, 0);
    release(0, 0);
    retain(HANDLE, false, 0);
    release(0, 0); /* not a primary one */
    assert_int_equal(USED(CONTEXTS), 1);
    assert_int_equal(RECORD(CONTEXTS, 0)->state, GMT_CONTEXT_LIVE);
}

static void the_epoch_changes_with_every_beginning_and_end(void **state)
{
    (void)state;
    assert_int_equal(gmt_tracker_context_epoch(&tracker), 0);
    retain(HANDLE, true, 0);
    assert_int_equal(gmt_tracker_context_epoch(&tracker), 1);
    retain(HANDLE, true, 0);
    release(0, 0);
    assert_int_equal(gmt_tracker_context_epoch(&tracker), 1);
    release(0, 0);
    assert_int_equal(gmt_tracker_context_epoch(&tracker), 2);
}

static void more_contexts_than_fit_are_dropped(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 16384; i++)
        assert_true(gmt_tracker_context(&tracker, i, 0) == i - 1);
    assert_int_equal(gmt_tracker_context(&tracker, 20000, 0), GMT_NONE);
    retain(20001, false, 0);
    assert_int_equal(HEADER->sections[GMT_SECTION_CONTEXTS].dropped, 2);
}

static void a_device_is_new_once(void **state)
{
    static const uint8_t uuid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    (void)state;
    assert_int_equal(RECORD(DEVICES, 3)->state, 0);
    assert_true(gmt_tracker_device_is_new(&tracker, 3));
    assert_false(gmt_tracker_device_is_new(&tracker, 3));
    assert_true(gmt_tracker_device_is_new(&tracker, 63));
    assert_false(gmt_tracker_device_is_new(&tracker, 64));
    assert_false(gmt_tracker_device_is_new(&tracker, GMT_NONE));
    gmt_tracker_device(&tracker, 3, "A device", 1234567, uuid);
    const struct gmt_device_record *device = RECORD(DEVICES, 3);
    assert_int_equal(device->state, 1);
    assert_string_equal(GMT_RECORDS(&tracker.trace, STRINGS) + device->name, "A device");
    assert_int_equal(device->total_bytes, 1234567);
    assert_memory_equal(device->uuid, uuid, 16);
    assert_int_equal(RECORD(DEVICES, 2)->state, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(the_first_reference_makes_it),
        TRACKER_TEST(a_primary_context_lives_until_its_last_reference_goes),
        TRACKER_TEST(a_reset_keeps_the_references),
        TRACKER_TEST(a_reset_context_can_be_used_again_without_a_retain),
        TRACKER_TEST(a_reset_ends_what_it_held_whatever_its_references),
        TRACKER_TEST(ended_blocks_leave_totals_and_index_and_stay_as_records),
        TRACKER_TEST(some_kinds_outlive_their_context),
        TRACKER_TEST(a_handle_that_comes_back_is_another_context),
        TRACKER_TEST(a_context_of_unseen_origin_is_made_on_first_use),
        TRACKER_TEST(releasing_what_is_not_there_changes_nothing),
        TRACKER_TEST(the_epoch_changes_with_every_beginning_and_end),
        TRACKER_TEST(more_contexts_than_fit_are_dropped),
        TRACKER_TEST(a_device_is_new_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
