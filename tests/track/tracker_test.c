/* Opening and closing. */
#include "track_fixture.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *string(gmt_string_id id)
{
    return GMT_RECORDS(&tracker.trace, STRINGS) + id;
}

static void the_header_is_complete_after_opening(void **state)
{
    (void)state;
    assert_ptr_equal(gmt_tracker_header(&tracker), HEADER);
    assert_memory_equal(gmt_tracker_path(&tracker), tracker_folder, strlen(tracker_folder));
    assert_int_equal(HEADER->flags, GMT_TRACE_READY);
    assert_int_equal(HEADER->pid, (uint32_t)getpid());
    assert_int_equal(HEADER->driver_version, 13000);
    assert_int_equal(HEADER->start_monotonic_ns, 1000);
    assert_int_equal(HEADER->end, GMT_END_RUNNING);
    assert_int_equal(HEADER->exit_status, -1);
    assert_int_equal(HEADER->first_init_stack, GMT_NONE);
    assert_int_equal(HEADER->next_sequence, 0);
    assert_string_equal(string(HEADER->options), "dir=scratch");
    assert_string_equal(string(HEADER->tool_version), "0.1.0");
    assert_int_equal(USED(ENTRIES), 5);
    assert_string_equal(string(RECORD(ENTRIES, 1)->name), "cuMemAlloc_v2");
    assert_int_equal(USED(DEVICES), 64);
    assert_int_equal(USED(BLOCKS), 0);
}

static void the_simulated_device_is_marked(void **state)
{
    (void)state;
    tracker_setup.simulated = true;
    assert_int_equal(reopen_tracker(), 0);
    assert_int_equal(HEADER->flags, GMT_TRACE_READY | GMT_TRACE_SIMULATED);
}

static void a_closed_tracker_does_nothing(void **state)
{
    struct gmt_event event = allocation(0x1000, 64);
    struct gmt_unwound unwound = {.depth = 0};
    (void)state;
    gmt_tracker_close(&tracker);
    assert_int_equal(gmt_tracker_add(&tracker, &event), GMT_NONE);
    assert_true(is_free(GMT_FAMILY_ADDRESS, 0x1000));
    gmt_tracker_failure(&tracker, &event, GMT_FAILURE_FAILED);
    gmt_tracker_called(&tracker, ENTRY_ALLOC, 0, 1);
    gmt_tracker_client_used(&tracker, 0, GMT_DOOR_DLSYM, 1);
    gmt_tracker_bypassed(&tracker, "cuInit", 1);
    gmt_tracker_initialised(&tracker, 0);
    gmt_tracker_ended(&tracker, GMT_END_EXIT, 0);
    gmt_tracker_context_retained(&tracker, 1, true, &event);
    gmt_tracker_context_released(&tracker, 1, GMT_CONTEXT_RELEASED, &event);
    gmt_tracker_context_ended(&tracker, 1, GMT_CONTEXT_RESET, &event);
    gmt_tracker_audit(&tracker);
    assert_int_equal(gmt_tracker_stack(&tracker, &unwound, 0), GMT_NONE);
    assert_int_equal(gmt_tracker_client(&tracker, (void *)1), GMT_NONE);
    assert_int_equal(gmt_tracker_context(&tracker, 1, 0), GMT_NONE);
    assert_int_equal(gmt_tracker_out_of_memory(&tracker, &event, 0, 0), GMT_NONE);
    assert_false(gmt_tracker_device_is_new(&tracker, 0));
    assert_null(gmt_tracker_header(&tracker));
    assert_string_equal(gmt_tracker_path(&tracker), "");
}

static void without_memory_for_the_index_it_stays_closed(void **state)
{
    (void)state;
    tracker_setup.max_memory = 1000;
    assert_int_equal(unlink(gmt_tracker_path(&tracker)), 0);
    assert_int_equal(reopen_tracker(), -1); /* -GMT_E_NO_MEMORY */
    assert_null(gmt_tracker_header(&tracker));
    assert_int_equal(rmdir(tracker_folder), 0); /* no file is left behind */
}

static void errno_is_left_alone(void **state)
{
    (void)state;
    errno = 4711;
    add(0x1000, 100);
    free_block(0x1000);
    stack_number(5);
    assert_int_equal(reopen_tracker(), 0);
    assert_int_equal(errno, 4711);
}

/* On a file system with room for the header and for little else there is still anonymous memory. */
static int open_on_a_nearly_full_file_system(void *argument)
{
    const char *size = argument;
    if (!gmt_mounts_make_private() || !gmt_mounts_add_tmpfs(tracker_folder, size))
        return GMT_TEST_SKIPPED;
    if (gmt_tracker_open(&tracker, &tracker_setup) != 0)
        return 1;
    add(0x1000, 100);
    return device_totals(0, GMT_SPACE_DEVICE)->live_bytes == 100 ? 0 : 2;
}

static void a_nearly_full_file_system_does_not_stop_the_tracker(void **state)
{
    static char *const sizes[] = {"size=4k", "size=16k", "size=64k", "size=256k", "size=1m"};
    (void)state;
    gmt_tracker_close(&tracker);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int status = gmt_child_run(open_on_a_nearly_full_file_system, sizes[i]);
        if (status == GMT_TEST_SKIPPED) {
            print_message("skipped: this user may not mount file systems here\n");
            skip();
        }
        if (status != 0)
            fail_msg("%s: %d", sizes[i], status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(the_header_is_complete_after_opening),
        TRACKER_TEST(the_simulated_device_is_marked),
        TRACKER_TEST(a_closed_tracker_does_nothing),
        TRACKER_TEST(without_memory_for_the_index_it_stays_closed),
        TRACKER_TEST(errno_is_left_alone),
        TRACKER_TEST(a_nearly_full_file_system_does_not_stop_the_tracker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
