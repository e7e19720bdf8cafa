/* Failed calls, out-of-memory errors, coverage, the end. */
#include "track_fixture.h"

#include <dlfcn.h>
#include <string.h>

#include "base/clock.h"

static struct gmt_event failed_free(uint64_t address, int32_t code)
{
    struct gmt_event event = allocation(address, 0);
    event.entry = ENTRY_FREE;
    event.code = code;
    return event;
}

static void fail_with(struct gmt_event event, enum gmt_failure_kind kind)
{
    gmt_tracker_failure(&tracker, &event, kind);
}

static void equal_failures_are_counted_together(void **state)
{
    struct gmt_event event = allocation(0, 1 << 20);
    (void)state;
    event.code = 2;
    tracker_now = 1100;
    fail_with(event, GMT_FAILURE_FAILED);
    tracker_now = 1300;
    event.bytes = 7;
    fail_with(event, GMT_FAILURE_FAILED);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(USED(FAILURES), 1);
    assert_int_equal(failure->state, 1);
    assert_int_equal(failure->stack, event.stack);
    assert_int_equal(failure->entry, ENTRY_ALLOC);
    assert_int_equal(failure->kind, GMT_FAILURE_FAILED);
    assert_int_equal(failure->code, 2);
    assert_int_equal(failure->count, 2);
    assert_int_equal(failure->first_ns, 100);
    assert_int_equal(failure->last_ns, 300);
    assert_int_equal(failure->last_bytes, 7);
    assert_int_equal(failure->near_site, GMT_NONE);
}

static void another_entry_code_kind_or_stack_is_another_failure(void **state)
{
    (void)state;
    struct gmt_event event = failed_free(0x1000, 1);
    fail_with(event, GMT_FAILURE_STRAY);
    fail_with(event, GMT_FAILURE_FAILED);
    event.code = 201;
    fail_with(event, GMT_FAILURE_STRAY);
    event.entry = ENTRY_MANAGED;
    fail_with(event, GMT_FAILURE_STRAY);
    event.stack = stack_number(1);
    fail_with(event, GMT_FAILURE_STRAY);
    fail_with(failed_free(0, 0), GMT_FAILURE_NULL);
    assert_int_equal(USED(FAILURES), 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(RECORD(FAILURES, i)->count, 1);
}

static void a_stray_free_names_the_nearest_block_below(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    struct gmt_event event = allocation(0x2000, 0x200);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    add(0x3000, 0x300);
    fail_with(failed_free(0x2fff, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->last_address, 0x2fff);
    assert_int_equal(failure->near_address, 0x2000);
    assert_int_equal(failure->near_bytes, 0x200);
    assert_int_equal(failure->near_site, 1);
}

static void below_all_blocks_there_is_no_nearest(void **state)
{
    (void)state;
    add(0x2000, 0x200);
    fail_with(failed_free(0x1fff, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->near_site, GMT_NONE);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0);
}

static void a_freed_block_is_not_near(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    add(0x2000, 0x200);
    free_block(0x2000);
    fail_with(failed_free(0x2010, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0x1000);
}

/* Address, distance and site belong together, also when the same place goes wrong with another address. */
static void the_nearest_block_follows_the_last_address(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    add(0x5000, 0x200);
    fail_with(failed_free(0x1010, 1), GMT_FAILURE_STRAY);
    fail_with(failed_free(0x5010, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->count, 2);
    assert_int_equal(failure->last_address, 0x5010);
    assert_int_equal(failure->near_address, 0x5000);
    assert_int_equal(failure->near_bytes, 0x200);
}

static struct gmt_event refused(uint64_t bytes, uint32_t device)
{
    struct gmt_event event = allocation(0, bytes);
    event.code = 2;
    event.device = device;
    return event;
}

static void out_of_memory_keeps_what_was_live(void **state)
{
    (void)state;
    add(0x1000, 100);
    add(0x2000, 11);
    struct gmt_event event = allocation(0x3000, 500);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    tracker_now = 1400;
    event = refused(1 << 30, 0);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 4096, 65536), 0);
    free_block(0x3000);
    const struct gmt_oom_record *oom = RECORD(OOMS, 0);
    assert_int_equal(oom->state, 1);
    assert_int_equal(oom->stack, event.stack);
    assert_int_equal(oom->entry, ENTRY_ALLOC);
    assert_int_equal(oom->code, 2);
    assert_int_equal(oom->device, 0);
    assert_int_equal(oom->time_ns, 400);
    assert_int_equal(oom->request_bytes, 1073741824);
    assert_int_equal(oom->free_bytes, 4096);
    assert_int_equal(oom->total_bytes, 65536);
    assert_int_equal(oom->later_success, 0);
    assert_int_equal(oom->totals[GMT_SPACE_DEVICE].live_bytes, 611);
    assert_int_equal(oom->top_count, 2);
    assert_int_equal(oom->top[0].site, 1);
    assert_int_equal(oom->top[0].live_bytes, 500);
    assert_int_equal(oom->top[0].live_count, 1);
    assert_int_equal(oom->top[1].site, 0);
    assert_int_equal(oom->top[1].live_bytes, 111);
    assert_int_equal(oom->top[1].live_count, 2);
}

static void only_the_largest_sites_of_that_device_are_kept(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct gmt_event event = allocation(0x1000 + i, 100 + (i * 7) % 20);
        event.stack = stack_number(i);
        gmt_tracker_add(&tracker, &event);
        event.address += 0x1000;
        event.bytes = 1000000;
        event.device = 1;
        gmt_tracker_add(&tracker, &event);
    }
    struct gmt_event event = refused(1, 0);
    gmt_tracker_out_of_memory(&tracker, &event, UINT64_MAX, UINT64_MAX);
    const struct gmt_oom_record *oom = RECORD(OOMS, 0);
    assert_int_equal(oom->top_count, 16);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(oom->top[i].live_bytes, 119 - i);
}

static void a_success_on_that_device_marks_the_recovery(void **state)
{
    (void)state;
    struct gmt_event first = refused(10, 0);
    struct gmt_event second = refused(10, 1);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    gmt_tracker_out_of_memory(&tracker, &second, 0, 0);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    add(0x1000, 1);
    assert_int_equal(RECORD(OOMS, 0)->later_success, 1);
    assert_int_equal(RECORD(OOMS, 1)->later_success, 0);
    assert_int_equal(RECORD(OOMS, 2)->later_success, 1);
    gmt_tracker_out_of_memory(&tracker, &first, 0, 0);
    assert_int_equal(RECORD(OOMS, 3)->later_success, 0);
}

static void out_of_memory_without_a_device(void **state)
{
    (void)state;
    struct gmt_event event = refused(10, GMT_NONE);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, UINT64_MAX, UINT64_MAX), 0);
    assert_int_equal(RECORD(OOMS, 0)->device, GMT_NONE);
    assert_int_equal(RECORD(OOMS, 0)->top_count, 0);
}

static void the_1025th_is_dropped(void **state)
{
    (void)state;
    struct gmt_event event = refused(10, 0);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 0, 0), i);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 0, 0), GMT_NONE);
    assert_int_equal(HEADER->sections[GMT_SECTION_OOMS].dropped, 1);
}

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
        TRACKER_TEST(equal_failures_are_counted_together),
        TRACKER_TEST(another_entry_code_kind_or_stack_is_another_failure),
        TRACKER_TEST(a_stray_free_names_the_nearest_block_below),
        TRACKER_TEST(below_all_blocks_there_is_no_nearest),
        TRACKER_TEST(a_freed_block_is_not_near),
        TRACKER_TEST(the_nearest_block_follows_the_last_address),
        TRACKER_TEST(out_of_memory_keeps_what_was_live),
        TRACKER_TEST(only_the_largest_sites_of_that_device_are_kept),
        TRACKER_TEST(a_success_on_that_device_marks_the_recovery),
        TRACKER_TEST(out_of_memory_without_a_device),
        TRACKER_TEST(the_1025th_is_dropped),
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
