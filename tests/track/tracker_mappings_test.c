/* Virtual memory: handles, references and mappings, and what holds the memory. */
#include "track_fixture.h"

#include <time.h>

#define MEMORY 0x77
#define HERE 0x100000

static uint32_t create(uint64_t handle, uint64_t bytes)
{
    return add_kind(GMT_KIND_PHYSICAL, handle, bytes);
}

static uint32_t map(uint64_t address, uint64_t bytes, uint64_t handle)
{
    struct gmt_event event = taking(GMT_KIND_MAPPING, address, bytes);
    return gmt_tracker_mapped(&tracker, &event, handle);
}

static void unmap(uint64_t address, uint64_t bytes)
{
    gmt_tracker_unmap_begin(&tracker, address, bytes);
    gmt_tracker_unmap_commit(&tracker, address, bytes);
    gmt_tracker_audit(&tracker);
}

static void release(uint64_t handle)
{
    free_of(GMT_FAMILY_HANDLE, handle);
    gmt_tracker_audit(&tracker);
}

static uint64_t memory_bytes(void)
{
    return device_totals(0, GMT_SPACE_DEVICE)->live_bytes;
}

static uint64_t mapped_bytes(void)
{
    return device_totals(0, GMT_SPACE_ADDRESSES)->live_bytes;
}

static void a_handle_alone_holds_the_memory(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    assert_int_equal(memory_bytes(), 4096);
    release(MEMORY);
    assert_int_equal(memory_bytes(), 0);
}

static void a_mapping_alone_holds_the_memory(void **state)
{
    (void)state;
    uint32_t memory = create(MEMORY, 4096);
    uint32_t mapping = map(HERE, 4096, MEMORY);
    assert_int_equal(RECORD(BLOCKS, mapping)->owner, memory);
    assert_int_equal(RECORD(BLOCKS, memory)->mappings, 1);
    release(MEMORY);
    assert_int_equal(RECORD(BLOCKS, memory)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, memory)->references, 0);
    assert_int_equal(memory_bytes(), 4096);
    assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY));
    unmap(HERE, 4096);
    assert_int_equal(memory_bytes(), 0);
    assert_int_equal(mapped_bytes(), 0);
}

static void both_hold_the_memory(void **state)
{
    (void)state;
    uint32_t memory = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    map(HERE + 0x100000, 4096, MEMORY);
    assert_int_equal(RECORD(BLOCKS, memory)->mappings, 2);
    assert_int_equal(mapped_bytes(), 8192);
    unmap(HERE, 4096);
    unmap(HERE + 0x100000, 4096);
    assert_int_equal(memory_bytes(), 4096);
    release(MEMORY);
    assert_int_equal(memory_bytes(), 0);
}

static void a_range_of_two_mappings_is_unmapped_at_once(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    create(MEMORY + 1, 8192);
    map(HERE, 4096, MEMORY);
    map(HERE + 4096, 8192, MEMORY + 1);
    map(HERE + 12288, 4096, MEMORY);
    release(MEMORY);
    release(MEMORY + 1);
    unmap(HERE, 12288);
    assert_int_equal(mapped_bytes(), 4096);
    assert_int_equal(memory_bytes(), 4096);
    unmap(HERE + 12288, 4096);
    assert_int_equal(memory_bytes(), 0);
}

static void a_hole_in_the_range_is_passed_over(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    map(HERE + 4096, 4096, MEMORY);
    map(HERE + 0x10000, 4096, MEMORY);
    map(HERE + 0x20000, 4096, MEMORY);
    unmap(HERE, 0x20000);
    assert_int_equal(mapped_bytes(), 4096);
    unmap(HERE, UINT64_MAX); /* damaged values end, too */
    assert_int_equal(mapped_bytes(), 0);
}

static void an_unmapping_that_fails_restores_all(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    uint32_t first = map(HERE, 4096, MEMORY);
    uint32_t second = map(HERE + 4096, 4096, MEMORY);
    gmt_tracker_unmap_begin(&tracker, HERE, 8192);
    assert_int_equal(RECORD(BLOCKS, first)->state, GMT_BLOCK_FREEING);
    assert_int_equal(mapped_bytes(), 0);
    gmt_tracker_audit(&tracker);
    gmt_tracker_unmap_abort(&tracker, HERE, 8192);
    assert_int_equal(RECORD(BLOCKS, first)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, second)->state, GMT_BLOCK_LIVE);
    assert_int_equal(mapped_bytes(), 8192);
    assert_int_equal(RECORD(BLOCKS, 0)->mappings, 2);
    assert_int_equal(device_totals(0, GMT_SPACE_ADDRESSES)->total_count, 2);
}

static void what_was_retained_is_released_once_more(void **state)
{
    (void)state;
    uint32_t memory = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    gmt_tracker_retained(&tracker, MEMORY, HERE);
    assert_int_equal(RECORD(BLOCKS, memory)->references, 2);
    release(MEMORY);
    unmap(HERE, 4096);
    assert_int_equal(memory_bytes(), 4096);
    release(MEMORY);
    assert_int_equal(memory_bytes(), 0);
}

/* The handle was given back; an address inside of the mapping brings it again. */
static void memory_is_retained_by_any_address_of_a_mapping(void **state)
{
    (void)state;
    uint32_t memory = create(MEMORY, 8192);
    map(HERE, 8192, MEMORY);
    release(MEMORY);
    gmt_tracker_retained(&tracker, MEMORY + 5, HERE + 8191); /* under another number */
    assert_int_equal(RECORD(BLOCKS, memory)->references, 1);
    assert_int_equal(RECORD(BLOCKS, memory)->address, MEMORY + 5);
    gmt_tracker_audit(&tracker);
    gmt_tracker_retained(&tracker, MEMORY + 6, HERE + 8192); /* nothing is mapped there */
    assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY + 6));
    unmap(HERE, 8192);
    assert_int_equal(memory_bytes(), 8192);
    release(MEMORY + 5);
    assert_int_equal(memory_bytes(), 0);
}

/* Two numbers for one memory: each may be given back, and none leads to what comes later. */
static void memory_may_have_two_handles(void **state)
{
    for (unsigned first = 0; first < 2; first++) {
        uint32_t memory = create(MEMORY, 4096);
        map(HERE, 4096, MEMORY);
        gmt_tracker_retained(&tracker, MEMORY + 9, HERE);
        assert_int_equal(RECORD(BLOCKS, memory)->references, 2);
        unmap(HERE, 4096);
        free_of(GMT_FAMILY_HANDLE, first ? MEMORY + 9 : MEMORY);
        assert_int_equal(memory_bytes(), 4096);
        free_of(GMT_FAMILY_HANDLE, first ? MEMORY : MEMORY + 9);
        assert_int_equal(memory_bytes(), 0);
        assert_int_equal(tracker.second_names, 0);
        add(0x5000, 1); /* takes the record */
        assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY));
        assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY + 9));
        free_block(0x5000);
    }
    (void)state;
}

/* Only a free of a handle has to look for other names, which goes through the whole index. */
static void a_second_handle_does_not_slow_other_frees_down(void **state)
{
    enum { COUNT = 40000 };
    (void)state;
    tracker_setup.max_blocks = 100000;
    assert_int_equal(reopen_tracker(), 0);
    create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    gmt_tracker_retained(&tracker, MEMORY + 9, HERE);
    for (uint64_t i = 0; i < COUNT; i++)
        add(0x10000000 + i * 256, 256);
    clock_t started = clock();
    for (uint64_t i = 0; i < COUNT; i++)
        free_block(0x10000000 + i * 256);
    assert_in_range(clock() - started, 0, CLOCKS_PER_SEC);
}

/* The driver gives a freed address range to another thread before the unmapping has returned here. */
static void an_address_that_is_mapped_anew_meanwhile_stays(void **state)
{
    (void)state;
    uint32_t old = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    release(MEMORY);
    gmt_tracker_unmap_begin(&tracker, HERE, 4096);
    create(MEMORY + 1, 4096);
    uint32_t mapping = map(HERE, 4096, MEMORY + 1);
    gmt_tracker_unmap_commit(&tracker, HERE, 4096);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
    assert_int_equal(RECORD(BLOCKS, mapping)->state, GMT_BLOCK_LIVE);
    assert_int_equal(RECORD(BLOCKS, old)->state == GMT_BLOCK_LIVE && RECORD(BLOCKS, old)->address == MEMORY, 0);
    assert_int_equal(memory_bytes(), 4096);
    assert_int_equal(mapped_bytes(), 4096);
    unmap(HERE, 4096);
}

/* Another thread unmaps the last mapping while the release of the last reference is under way. */
static void the_last_mapping_goes_during_the_last_release(void **state)
{
    struct gmt_event freed = free_event();
    (void)state;
    uint32_t memory = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    struct gmt_taken taken = begin_free(GMT_FAMILY_HANDLE, MEMORY);
    gmt_tracker_unmap_begin(&tracker, HERE, 4096);
    gmt_tracker_unmap_commit(&tracker, HERE, 4096);
    assert_int_equal(RECORD(BLOCKS, memory)->state, GMT_BLOCK_LIVE);
    add(0x5000, 1); /* must not get the record of the memory */
    gmt_tracker_free_commit(&tracker, &taken, &freed);
    assert_int_equal(memory_bytes(), 1);
    gmt_tracker_audit(&tracker);
    free_block(0x5000);
    /* The same with a release that fails. */
    create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    taken = begin_free(GMT_FAMILY_HANDLE, MEMORY);
    gmt_tracker_unmap_begin(&tracker, HERE, 4096);
    gmt_tracker_unmap_commit(&tracker, HERE, 4096);
    gmt_tracker_free_abort(&tracker, &taken);
    assert_int_equal(memory_bytes(), 4096);
    release(MEMORY);
    assert_int_equal(memory_bytes(), 0);
}

/* Another thread retains the memory while the release of the last reference is under way. */
static void memory_is_retained_during_the_last_release(void **state)
{
    struct gmt_event freed = free_event();
    (void)state;
    for (unsigned fails = 0; fails < 2; fails++) {
        uint32_t memory = create(MEMORY, 4096);
        map(HERE, 4096, MEMORY);
        struct gmt_taken taken = begin_free(GMT_FAMILY_HANDLE, MEMORY);
        gmt_tracker_retained(&tracker, MEMORY, HERE);
        if (fails)
            gmt_tracker_free_abort(&tracker, &taken);
        else
            gmt_tracker_free_commit(&tracker, &taken, &freed);
        assert_int_equal(RECORD(BLOCKS, memory)->references, fails ? 2 : 1);
        assert_int_equal(RECORD(BLOCKS, memory)->mappings, 1);
        gmt_tracker_audit(&tracker);
        release(MEMORY);
        if (fails)
            release(MEMORY);
        unmap(HERE, 4096);
        assert_int_equal(memory_bytes(), 0);
        assert_true(is_free(GMT_FAMILY_HANDLE, MEMORY));
    }
}

static const struct gmt_failure_record *stray_release(uint64_t handle, unsigned stack)
{
    struct gmt_event event = free_event();
    event.address = handle;
    event.family = GMT_FAMILY_HANDLE;
    event.code = 1;
    event.stack = stack_number(stack);
    gmt_tracker_failure(&tracker, &event, GMT_FAILURE_STRAY);
    return RECORD(FAILURES, USED(FAILURES) - 1);
}

static void a_dead_handle_is_released_twice(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    release(MEMORY);
    assert_int_equal(stray_release(MEMORY, 1)->kind, GMT_FAILURE_DOUBLE);
    create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    release(MEMORY); /* the memory is there still, the handle is not */
    const struct gmt_failure_record *failure = stray_release(MEMORY, 2);
    assert_int_equal(failure->kind, GMT_FAILURE_DOUBLE);
    assert_int_equal(failure->near_stack, stack_number(90));
    gmt_tracker_retained(&tracker, MEMORY, HERE); /* a good one again */
    release(MEMORY);
    unmap(HERE, 4096);
    assert_int_equal(stray_release(MEMORY + 1, 3)->kind, GMT_FAILURE_STRAY);
}

/* A handle that comes back although its release was not seen: what is mapped stays. */
static void a_stale_handle_leaves_the_mapped_memory(void **state)
{
    (void)state;
    uint32_t old = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    uint32_t memory = create(MEMORY, 100);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 1);
    assert_int_not_equal(memory, old);
    assert_int_equal(memory_bytes(), 4196);
    gmt_tracker_audit(&tracker);
    unmap(HERE, 4096);
    assert_int_equal(memory_bytes(), 100);
    release(MEMORY);
}

static void memory_that_was_not_seen_can_be_mapped(void **state)
{
    (void)state;
    uint32_t mapping = map(HERE, 4096, 0x999);
    assert_int_equal(RECORD(BLOCKS, mapping)->owner, GMT_NONE);
    gmt_tracker_retained(&tracker, 0x999, HERE);
    gmt_tracker_retained(&tracker, 0, HERE);
    unmap(HERE, 4096);
    assert_int_equal(mapped_bytes(), 0);
}

static void access_is_noted_on_each_mapping_of_the_range(void **state)
{
    (void)state;
    create(MEMORY, 4096);
    uint32_t first = map(HERE, 4096, MEMORY);
    uint32_t second = map(HERE + 4096, 4096, MEMORY);
    uint32_t third = map(HERE + 8192, 4096, MEMORY);
    gmt_tracker_accessible(&tracker, HERE, 8192);
    assert_int_equal(RECORD(BLOCKS, first)->flags, GMT_BLOCK_ACCESSIBLE);
    assert_int_equal(RECORD(BLOCKS, second)->flags, GMT_BLOCK_ACCESSIBLE);
    assert_int_equal(RECORD(BLOCKS, third)->flags, 0);
}

static void a_late_release_of_mapped_memory(void **state)
{
    struct gmt_event event = free_event();
    (void)state;
    uint32_t memory = create(MEMORY, 4096);
    map(HERE, 4096, MEMORY);
    event.address = MEMORY;
    event.family = GMT_FAMILY_HANDLE;
    struct gmt_taken taken = begin_free(GMT_FAMILY_HANDLE, MEMORY);
    gmt_tracker_free_late(&tracker, &taken, &event);
    assert_int_equal(RECORD(BLOCKS, memory)->state, GMT_BLOCK_LATE);
    assert_int_equal(memory_bytes(), 0);
    unmap(HERE, 4096);
    assert_int_equal(RECORD(BLOCKS, memory)->state, GMT_BLOCK_LATE);
}

/* With a hole behind each mapping. A walk over all records for each hole takes seconds, and the lock stays taken. */
static void many_holes_are_passed_over_at_once(void **state)
{
    enum { COUNT = 60000 };
    (void)state;
    tracker_setup.max_blocks = 100000;
    assert_int_equal(reopen_tracker(), 0);
    create(MEMORY, 4096);
    for (uint64_t i = 0; i < COUNT; i++)
        map(HERE + i * 8192, 4096, MEMORY);
    assert_int_equal(RECORD(BLOCKS, 0)->mappings, COUNT);
    clock_t started = clock();
    gmt_tracker_unmap_begin(&tracker, HERE, (uint64_t)COUNT * 8192);
    gmt_tracker_unmap_commit(&tracker, HERE, (uint64_t)COUNT * 8192);
    assert_in_range(clock() - started, 0, CLOCKS_PER_SEC);
    assert_int_equal(mapped_bytes(), 0);
    assert_int_equal(RECORD(BLOCKS, 0)->mappings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_handle_alone_holds_the_memory),
        TRACKER_TEST(a_mapping_alone_holds_the_memory),
        TRACKER_TEST(both_hold_the_memory),
        TRACKER_TEST(a_range_of_two_mappings_is_unmapped_at_once),
        TRACKER_TEST(a_hole_in_the_range_is_passed_over),
        TRACKER_TEST(many_holes_are_passed_over_at_once),
        TRACKER_TEST(an_unmapping_that_fails_restores_all),
        TRACKER_TEST(what_was_retained_is_released_once_more),
        TRACKER_TEST(memory_is_retained_by_any_address_of_a_mapping),
        TRACKER_TEST(memory_may_have_two_handles),
        TRACKER_TEST(a_second_handle_does_not_slow_other_frees_down),
        TRACKER_TEST(an_address_that_is_mapped_anew_meanwhile_stays),
        TRACKER_TEST(the_last_mapping_goes_during_the_last_release),
        TRACKER_TEST(memory_is_retained_during_the_last_release),
        TRACKER_TEST(a_dead_handle_is_released_twice),
        TRACKER_TEST(a_stale_handle_leaves_the_mapped_memory),
        TRACKER_TEST(memory_that_was_not_seen_can_be_mapped),
        TRACKER_TEST(access_is_noted_on_each_mapping_of_the_range),
        TRACKER_TEST(a_late_release_of_mapped_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
