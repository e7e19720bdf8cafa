/* Blocks and objects that are given back: at once, one reference after the other, in vain, too late. */
#include "track_fixture.h"

static void a_free_takes_the_block_out_at_once(void **state)
{
    (void)state;
    add(0x1000, 100);
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_FREEING);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000)); /* a second thread frees it as well */
    gmt_tracker_audit(&tracker);
    /* The driver hands the address out again before the free has returned here. */
    add(0x1000, 200);
    struct gmt_event freed = free_event();
    gmt_tracker_free_commit(&tracker, &taken, &freed);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_UNUSED);
    assert_int_equal(RECORD(BLOCKS, 1)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, 1)->bytes, 200);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 200);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
}

static void the_record_of_a_freed_block_is_used_again(void **state)
{
    (void)state;
    add(0x1000, 1);
    add(0x2000, 2);
    free_block(0x1000);
    free_block(0x2000);
    add(0x3000, 3);
    add(0x4000, 4);
    assert_int_equal(USED(BLOCKS), 2);
    assert_int_equal(RECORD(BLOCKS, 1)->bytes, 3); /* the record freed last comes first */
    assert_int_equal(RECORD(BLOCKS, 1)->sequence, 3);
    assert_int_equal(RECORD(BLOCKS, 0)->bytes, 4);
}

static void a_free_that_fails_leaves_the_block_live(void **state)
{
    (void)state;
    add(0x1000, 100);
    tracker_now = 2000;
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    gmt_tracker_free_abort(&tracker, &taken);
    const struct gmt_block_record *block = RECORD(BLOCKS, 0);
    assert_int_equal(block->state, GMT_BLOCK_LIVE);
    assert_int_equal(block->sequence, 1);
    assert_int_equal(block->time_ns, 0); /* as old as it was */
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 100);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->total_count, 1);
    assert_int_equal(RECORD(SITES, 0)->total_count, 1);
    free_block(0x1000);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
}

static void what_is_not_there_cannot_be_freed(void **state)
{
    (void)state;
    add(0x1000, 100);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1001)); /* inside, not the start */
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0));
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LIVE);
}

/* An import is opened twice and closed twice. */
static void references_are_given_back_one_by_one(void **state)
{
    struct gmt_event event = taking(GMT_KIND_IPC, 0x1000, 8192);
    (void)state;
    uint32_t record = gmt_tracker_add_reference(&tracker, &event);
    assert_int_equal(gmt_tracker_add_reference(&tracker, &event), record);
    assert_int_equal(RECORD(BLOCKS, record)->references, 2);
    assert_int_equal(HEADER->next_sequence, 1);
    struct gmt_taken taken = begin_free(GMT_FAMILY_IPC, 0x1000);
    struct gmt_event freed = free_event();
    assert_true(taken.reference_only);
    gmt_tracker_free_commit(&tracker, &taken, &freed);
    assert_int_equal(RECORD(BLOCKS, record)->state, GMT_BLOCK_LIVE);
    assert_int_equal(device_totals(0, GMT_SPACE_IMPORTED)->live_bytes, 8192);
    gmt_tracker_audit(&tracker);
    free_of(GMT_FAMILY_IPC, 0x1000);
    assert_int_equal(device_totals(0, GMT_SPACE_IMPORTED)->live_bytes, 0);
    assert_true(is_free(GMT_FAMILY_IPC, 0x1000));
}

static void a_reference_whose_return_fails_is_kept(void **state)
{
    struct gmt_event event = taking(GMT_KIND_IPC, 0x1000, 8192);
    (void)state;
    gmt_tracker_add_reference(&tracker, &event);
    gmt_tracker_add_reference(&tracker, &event);
    struct gmt_taken taken = begin_free(GMT_FAMILY_IPC, 0x1000);
    gmt_tracker_free_abort(&tracker, &taken);
    assert_int_equal(RECORD(BLOCKS, 0)->references, 2);
    free_of(GMT_FAMILY_IPC, 0x1000);
    taken = begin_free(GMT_FAMILY_IPC, 0x1000);
    gmt_tracker_free_abort(&tracker, &taken);
    assert_int_equal(RECORD(BLOCKS, 0)->references, 1);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LIVE);
}

/* Two threads give one reference back each; the first one's return fails after the second one's has begun. */
static void a_failure_beside_the_last_return_keeps_the_block(void **state)
{
    struct gmt_event event = taking(GMT_KIND_IPC, 0x1000, 8192);
    struct gmt_event freed = free_event();
    (void)state;
    gmt_tracker_add_reference(&tracker, &event);
    gmt_tracker_add_reference(&tracker, &event);
    struct gmt_taken first = begin_free(GMT_FAMILY_IPC, 0x1000);
    struct gmt_taken last = begin_free(GMT_FAMILY_IPC, 0x1000);
    assert_true(first.reference_only && !last.reference_only);
    gmt_tracker_free_abort(&tracker, &first);
    gmt_tracker_free_commit(&tracker, &last, &freed);
    assert_int_equal(RECORD(BLOCKS, 0)->references, 1);
    gmt_tracker_audit(&tracker);
    free_of(GMT_FAMILY_IPC, 0x1000);
    assert_int_equal(device_totals(0, GMT_SPACE_IMPORTED)->live_bytes, 0);
}

/* … and after the second one's is over, and the record serves another block. */
static void a_late_failure_does_not_touch_a_record_that_is_used_again(void **state)
{
    struct gmt_event event = taking(GMT_KIND_IPC, 0x1000, 8192);
    (void)state;
    gmt_tracker_add_reference(&tracker, &event);
    gmt_tracker_add_reference(&tracker, &event);
    struct gmt_taken first = begin_free(GMT_FAMILY_IPC, 0x1000);
    free_of(GMT_FAMILY_IPC, 0x1000);
    gmt_tracker_free_abort(&tracker, &first); /* nothing there */
    assert_int_equal(RECORD(BLOCKS, 0)->references, 0);
    gmt_tracker_add_reference(&tracker, &event);
    gmt_tracker_add_reference(&tracker, &event);
    first = begin_free(GMT_FAMILY_IPC, 0x1000);
    free_of(GMT_FAMILY_IPC, 0x1000);
    add(0x2000, 7);
    gmt_tracker_free_abort(&tracker, &first);
    assert_int_equal(RECORD(BLOCKS, 0)->bytes, 7);
    assert_int_equal(RECORD(BLOCKS, 0)->references, 1);
}

/* A program frees twice from two threads, the driver takes the second one's and gives the address out again. */
static void a_failed_free_of_an_address_that_is_taken_again(void **state)
{
    (void)state;
    add(0x1000, 100);
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    add(0x1000, 7);
    gmt_tracker_free_abort(&tracker, &taken);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 7);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, 1);
    gmt_tracker_audit(&tracker);
    free_block(0x1000);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000));
}

/* Another thread destroys the context while the free is under way. */
static void a_failed_free_in_a_context_that_ended_meanwhile(void **state)
{
    struct gmt_event event = allocation(0x1000, 100);
    (void)state;
    event.context = gmt_tracker_context(&tracker, 0xc1, 0);
    gmt_tracker_add(&tracker, &event);
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    gmt_tracker_context_ended(&tracker, 0xc1, GMT_CONTEXT_DESTROYED, &event);
    gmt_tracker_free_abort(&tracker, &taken);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_ENDED);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000));
}

static void a_site_knows_who_frees_its_blocks(void **state)
{
    (void)state;
    add(0x1000, 100);
    assert_int_equal(RECORD(SITES, 0)->freed_stack, GMT_NONE);
    free_block(0x1000);
    assert_int_equal(RECORD(SITES, 0)->freed_stack, stack_number(90));
    assert_int_equal(RECORD(SITES, 0)->freed_entry, ENTRY_FREE);
}

static void a_free_after_the_driver_shut_down_is_late_and_no_leak(void **state)
{
    struct gmt_event event = free_event();
    (void)state;
    add(0x1000, 100);
    event.address = 0x1000;
    event.code = 4;
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    gmt_tracker_free_late(&tracker, &taken, &event);
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LATE);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
    assert_int_equal(RECORD(FAILURES, 0)->kind, GMT_FAILURE_LATE);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0x1000);
    assert_int_equal(RECORD(FAILURES, 0)->near_bytes, 100);
    add(0x2000, 1); /* its record stays as it is */
    assert_int_equal(RECORD(BLOCKS, 0)->state, GMT_BLOCK_LATE);
    assert_int_equal(RECORD(BLOCKS, 1)->bytes, 1);
}

static void freeing_what_was_exported_is_noted(void **state)
{
    struct gmt_event event = free_event();
    (void)state;
    add(0x1000, 100);
    event.address = 0x1000;
    event.family = GMT_FAMILY_ADDRESS;
    event.stack = stack_number(60);
    gmt_tracker_exported(&tracker, &event);
    assert_int_equal(RECORD(BLOCKS, 0)->flags, GMT_BLOCK_EXPORTED);
    assert_int_equal(RECORD(BLOCKS, 0)->note_stack, stack_number(60));
    assert_int_equal(USED(FAILURES), 0);
    free_block(0x1000);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->kind, GMT_FAILURE_EXPORTED);
    assert_int_equal(failure->code, 0);
    assert_int_equal(failure->stack, stack_number(90));
    assert_int_equal(failure->near_stack, stack_number(60));
    assert_int_equal(failure->last_address, 0x1000);
    assert_int_equal(failure->near_address, 0x1000);
    assert_int_equal(failure->near_bytes, 100);
    assert_int_equal(failure->near_site, 0);
    add(0x1000, 100); /* the note does not come back with the address */
    assert_int_equal(RECORD(BLOCKS, 0)->flags, 0);
    event.address = 0x9999;
    gmt_tracker_exported(&tracker, &event); /* of what is not there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_free_takes_the_block_out_at_once),
        TRACKER_TEST(the_record_of_a_freed_block_is_used_again),
        TRACKER_TEST(a_free_that_fails_leaves_the_block_live),
        TRACKER_TEST(what_is_not_there_cannot_be_freed),
        TRACKER_TEST(references_are_given_back_one_by_one),
        TRACKER_TEST(a_reference_whose_return_fails_is_kept),
        TRACKER_TEST(a_failure_beside_the_last_return_keeps_the_block),
        TRACKER_TEST(a_late_failure_does_not_touch_a_record_that_is_used_again),
        TRACKER_TEST(a_failed_free_of_an_address_that_is_taken_again),
        TRACKER_TEST(a_failed_free_in_a_context_that_ended_meanwhile),
        TRACKER_TEST(a_site_knows_who_frees_its_blocks),
        TRACKER_TEST(a_free_after_the_driver_shut_down_is_late_and_no_leak),
        TRACKER_TEST(freeing_what_was_exported_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
