/* Opening, and blocks: taken, freed, put back, lost. */
#include "track_fixture.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct gmt_totals *device_totals(unsigned device, enum gmt_space space)
{
    return &RECORD(DEVICES, device)->totals[space];
}

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

static void a_block_is_recorded_with_all_it_is(void **state)
{
    struct gmt_event event = allocation(0x7000, 4096);
    (void)state;
    tracker_now = 1500;
    event.context = 3;
    gmt_tracker_add(&tracker, &event);
    const struct gmt_block_record *block = RECORD(BLOCKS, 0);
    assert_int_equal(USED(BLOCKS), 1);
    assert_int_equal(block->address, 0x7000);
    assert_int_equal(block->bytes, 4096);
    assert_int_equal(block->time_ns, 500);
    assert_int_equal(block->sequence, 1);
    assert_int_equal(block->site, 0);
    assert_int_equal(block->context, 3);
    assert_int_equal(block->thread, 42);
    assert_int_equal(block->state, GMT_BLOCK_LIVE);
    const struct gmt_site_record *site = RECORD(SITES, 0);
    assert_int_equal(site->state, 1);
    assert_int_equal(site->stack, event.stack);
    assert_int_equal(site->entry, ENTRY_ALLOC);
    assert_int_equal(site->kind, GMT_KIND_DEVICE);
    assert_int_equal(site->device, 0);
    assert_int_equal(site->live_bytes, 4096);
    assert_int_equal(site->first_ns, 500);
    assert_int_equal(HEADER->last_event_ns, 500);
    assert_int_equal(HEADER->own_bytes, 1048576);
}

static void blocks_are_grouped_by_stack_entry_kind_and_device(void **state)
{
    (void)state;
    add(0x1000, 1);
    add(0x2000, 2);
    struct gmt_event event = allocation(0x3000, 4);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x4000, 8);
    event.entry = ENTRY_MANAGED;
    event.kind = GMT_KIND_MANAGED;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x5000, 16);
    event.device = 1;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x6000, 32);
    event.kind = GMT_KIND_PINNED;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x7000, 64);
    event.device = GMT_NONE;
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(USED(SITES), 6);
    assert_int_equal(RECORD(SITES, 0)->live_bytes, 3);
    assert_int_equal(RECORD(SITES, 0)->live_count, 2);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 7);
    assert_int_equal(device_totals(0, GMT_SPACE_MANAGED)->live_bytes, 8);
    assert_int_equal(device_totals(0, GMT_SPACE_HOST)->live_bytes, 32);
    assert_int_equal(device_totals(1, GMT_SPACE_DEVICE)->live_bytes, 16);
    assert_int_equal(HEADER->next_sequence, 7);
}

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

/* The free of the first one went past the hooks. */
static void an_address_handed_out_again_replaces_the_stale_block(void **state)
{
    (void)state;
    add(0x1000, 100);
    struct gmt_event event = allocation(0x1000, 30);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 1);
    assert_int_equal(USED(BLOCKS), 1);
    assert_int_equal(RECORD(BLOCKS, 0)->bytes, 30);
    assert_int_equal(RECORD(BLOCKS, 0)->site, 1);
    assert_int_equal(RECORD(SITES, 0)->live_bytes, 0);
    assert_int_equal(RECORD(SITES, 0)->total_bytes, 100);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 30);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->peak_bytes, 100);
    free_block(0x1000);
}

static void null_is_no_block(void **state)
{
    (void)state;
    add(0, 0);
    assert_int_equal(USED(BLOCKS), 0);
    assert_int_equal(HEADER->next_sequence, 0);
}

static void a_full_table_of_blocks_is_counted(void **state)
{
    (void)state;
    tracker_setup.max_blocks = 16;
    assert_int_equal(reopen_tracker(), 0);
    for (uint64_t i = 1; i <= 20; i++)
        add(i * 0x1000, 10);
    assert_int_equal(USED(BLOCKS), 16);
    assert_int_equal(TROUBLES(BLOCKS_FULL), 4);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 160);
    assert_int_equal(HEADER->next_sequence, 16);
    free_block(0x1000);
    add(0x20000, 10); /* there is room again */
    assert_int_equal(TROUBLES(BLOCKS_FULL), 4);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, 16);
}

static void without_memory_blocks_are_dropped_and_counted(void **state)
{
    uint64_t added = 0;
    (void)state;
    tracker_setup.max_memory = (uint64_t)1 << 20;
    tracker_setup.max_blocks = 100000;
    assert_int_equal(reopen_tracker(), 0);
    while (TROUBLES(NO_MEMORY) == 0 && added < 100000)
        add(++added * 0x1000, 1);
    assert_true(added > 5000 && added < 100000);
    assert_int_equal(HEADER->next_sequence, added - 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, added - 1);
    gmt_tracker_audit(&tracker);
    free_block(0x1000);
    add(0x500, 1); /* a freed block's memory serves the next */
    assert_int_equal(TROUBLES(NO_MEMORY), 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, added - 1);
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
        TRACKER_TEST(a_block_is_recorded_with_all_it_is),
        TRACKER_TEST(blocks_are_grouped_by_stack_entry_kind_and_device),
        TRACKER_TEST(a_free_takes_the_block_out_at_once),
        TRACKER_TEST(the_record_of_a_freed_block_is_used_again),
        TRACKER_TEST(a_free_that_fails_leaves_the_block_live),
        TRACKER_TEST(what_is_not_there_cannot_be_freed),
        TRACKER_TEST(an_address_handed_out_again_replaces_the_stale_block),
        TRACKER_TEST(null_is_no_block),
        TRACKER_TEST(a_full_table_of_blocks_is_counted),
        TRACKER_TEST(without_memory_blocks_are_dropped_and_counted),
        TRACKER_TEST(without_memory_for_the_index_it_stays_closed),
        TRACKER_TEST(errno_is_left_alone),
        TRACKER_TEST(a_nearly_full_file_system_does_not_stop_the_tracker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
