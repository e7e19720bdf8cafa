/* Coverage: calls, clients, bypasses, the start and the end; and events that the lock keeps out. */
#include "track_fixture.h"

#include <dlfcn.h>
#include <string.h>

#include "base/clock.h"

static void calls_are_counted_with_their_failures(void **state)
{
    (void)state;
    gmt_tracker_called(&tracker, ENTRY_ALLOC, 0, 1);
    gmt_tracker_called(&tracker, ENTRY_ALLOC, 2, 1);
    gmt_tracker_called(&tracker, ENTRY_ALLOC, -1, 1);
    gmt_tracker_called(&tracker, ENTRY_FREE, 0, 1);
    assert_int_equal(RECORD(ENTRIES, ENTRY_ALLOC)->calls, 3);
    assert_int_equal(RECORD(ENTRIES, ENTRY_ALLOC)->failures, 2);
    assert_int_equal(RECORD(ENTRIES, ENTRY_FREE)->calls, 1);
    assert_int_equal(RECORD(ENTRIES, ENTRY_FREE)->failures, 0);
}

static void a_client_is_a_module(void **state)
{
    (void)state;
    uint32_t program = gmt_tracker_client(&tracker, (const char *)a_client_is_a_module + 1);
    uint32_t libc = gmt_tracker_client(&tracker, (const char *)dlsym(RTLD_DEFAULT, "qsort") + 1);
    uint32_t nowhere = gmt_tracker_client(&tracker, (const void *)0x1235);
    assert_int_equal(program, 0);
    assert_int_equal(libc, 1);
    assert_int_equal(nowhere, 2);
    assert_int_equal(gmt_tracker_client(&tracker, (const char *)calls_are_counted_with_their_failures + 1), program);
    assert_int_equal(gmt_tracker_client(&tracker, (const void *)0x9999), nowhere);
    assert_int_equal(RECORD(CLIENTS, 2)->module, GMT_NONE);
    gmt_tracker_client_used(&tracker, libc, GMT_DOOR_DLSYM, 3);
    gmt_tracker_client_used(&tracker, libc, GMT_DOOR_DLSYM, 1);
    gmt_tracker_client_used(&tracker, libc, GMT_DOOR_GET_PROC_ADDRESS, 400);
    gmt_tracker_client_used(&tracker, GMT_NONE, GMT_DOOR_DLSYM, 1);
    assert_int_equal(RECORD(CLIENTS, 1)->uses[GMT_DOOR_SYMBOL], 0);
    assert_int_equal(RECORD(CLIENTS, 1)->uses[GMT_DOOR_DLSYM], 4);
    assert_int_equal(RECORD(CLIENTS, 1)->uses[GMT_DOOR_GET_PROC_ADDRESS], 400);
    assert_int_equal(RECORD(CLIENTS, 0)->uses[GMT_DOOR_DLSYM], 0);
}

static void bypasses_are_summed_and_the_first_is_named(void **state)
{
    (void)state;
    gmt_tracker_bypassed(&tracker, "cuMemAlloc", 2);
    gmt_tracker_bypassed(&tracker, "cuMemFree", 3);
    assert_int_equal(HEADER->bypassed, 5);
    assert_string_equal(GMT_RECORDS(&tracker.trace, STRINGS) + HEADER->bypassed_name, "cuMemAlloc");
}

static void the_first_initialisation_keeps_its_stack(void **state)
{
    (void)state;
    uint32_t first = stack_number(3);
    gmt_tracker_initialised(&tracker, first);
    gmt_tracker_initialised(&tracker, stack_number(4));
    assert_int_equal(HEADER->first_init_stack, first);
}

static void the_end_is_written_even_below_the_lock(void **state)
{
    (void)state;
    assert_true(gmt_tracker_enter(&tracker));
    tracker_now = 5000;
    gmt_tracker_ended(&tracker, GMT_END_EXIT, 3);
    gmt_tracker_leave(&tracker);
    assert_int_equal(HEADER->end, GMT_END_EXIT);
    assert_int_equal(HEADER->exit_status, 3);
    assert_int_equal(HEADER->end_ns, 4000);
}

/* A signal handler that comes while this thread is inside the tracker. */
static void events_from_within_the_lock_are_dropped_and_counted(void **state)
{
    struct gmt_event event = allocation(0x1000, 100);
    (void)state;
    assert_true(gmt_tracker_enter(&tracker));
    gmt_tracker_add(&tracker, &event);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000));
    gmt_tracker_failure(&tracker, &event, GMT_FAILURE_FAILED);
    gmt_tracker_leave(&tracker);
    assert_int_equal(TROUBLES(LOCK_REENTERED), 3);
    assert_int_equal(TROUBLES(LOCK_TIMEOUT), 0);
    assert_int_equal(USED(BLOCKS), 0);
    assert_int_equal(USED(FAILURES), 0);
}

static void a_lock_that_stays_taken_is_counted(void **state)
{
    struct gmt_event event = allocation(0x1000, 100);
    (void)state;
    gmt_clock_replace(NULL);
    tracker.lock.word = 1; /* taken by a thread that will not come back */
    gmt_tracker_add(&tracker, &event);
    gmt_lock_reset(&tracker.lock);
    assert_int_equal(TROUBLES(LOCK_TIMEOUT), 1);
    assert_int_equal(USED(BLOCKS), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(calls_are_counted_with_their_failures),
        TRACKER_TEST(a_client_is_a_module),
        TRACKER_TEST(bypasses_are_summed_and_the_first_is_named),
        TRACKER_TEST(the_first_initialisation_keeps_its_stack),
        TRACKER_TEST(the_end_is_written_even_below_the_lock),
        TRACKER_TEST(events_from_within_the_lock_are_dropped_and_counted),
        TRACKER_TEST(a_lock_that_stays_taken_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
