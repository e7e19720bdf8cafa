/* Threads, registered ranges and code, and what became of them. */
#include "track_fixture.h"

static uint64_t asked[8];
static unsigned asked_count;

static bool odd_ids_live(uint32_t id, uint64_t start_ticks)
{
    asked[asked_count++ % 8] = start_ticks;
    return id % 2 == 1;
}

static void threads_are_looked_at_until_they_ended(void **state)
{
    (void)state;
    tracker_now = 1100;
    assert_int_equal(gmt_tracker_thread(&tracker, 101, 7, "main"), 0);
    assert_int_equal(gmt_tracker_thread(&tracker, 102, 8, "worker \xff"), 1);
    const struct gmt_thread_record *thread = RECORD(THREADS, 1);
    assert_int_equal(thread->state, GMT_THREAD_RUNNING);
    assert_int_equal(thread->id, 102);
    assert_int_equal(thread->start_ticks, 8);
    assert_int_equal(thread->first_ns, 100);
    assert_int_equal(thread->checked_ns, 100);
    assert_string_equal(GMT_RECORDS(&tracker.trace, STRINGS) + thread->name, "worker \xff");
    asked_count = 0;
    tracker_now = 1500;
    gmt_tracker_check_threads(&tracker, odd_ids_live);
    assert_int_equal(asked_count, 2);
    assert_int_equal(asked[1], 8);
    assert_int_equal(RECORD(THREADS, 0)->state, GMT_THREAD_RUNNING);
    assert_int_equal(RECORD(THREADS, 0)->checked_ns, 500);
    assert_int_equal(thread->state, GMT_THREAD_ENDED);
    assert_int_equal(thread->checked_ns, 500);
    tracker_now = 1900;
    gmt_tracker_check_threads(&tracker, odd_ids_live);
    assert_int_equal(asked_count, 3);
    assert_int_equal(RECORD(THREADS, 0)->checked_ns, 900);
    assert_int_equal(thread->checked_ns, 500);
}

static void a_thread_without_a_name_has_none(void **state)
{
    (void)state;
    gmt_tracker_thread(&tracker, 101, 0, "");
    assert_int_equal(RECORD(THREADS, 0)->name, 0);
}

static uint64_t seen_bytes;

static bool is_below_0x5000(uint64_t address, uint64_t bytes)
{
    seen_bytes = bytes;
    asked_count++;
    return address < 0x5000;
}

static void a_registration_whose_range_is_unmapped_is_marked(void **state)
{
    (void)state;
    uint32_t good = add_kind(GMT_KIND_REGISTERED, 0x4000, 10);
    uint32_t bad = add_kind(GMT_KIND_REGISTERED, 0x5000, 20);
    uint32_t other = add_kind(GMT_KIND_PINNED, 0x6000, 30);
    uint32_t freed = add_kind(GMT_KIND_REGISTERED, 0x7000, 40);
    free_of(GMT_FAMILY_REGISTRATION, 0x7000);
    asked_count = 0;
    gmt_tracker_check_registrations(&tracker, is_below_0x5000);
    assert_int_equal(asked_count, 2);
    assert_int_equal(seen_bytes, 20);
    assert_int_equal(RECORD(BLOCKS, good)->flags, 0);
    assert_int_equal(RECORD(BLOCKS, bad)->flags, GMT_BLOCK_UNMAPPED);
    assert_int_equal(RECORD(BLOCKS, other)->flags, 0);
    assert_int_equal(RECORD(BLOCKS, freed)->flags, 0);
    gmt_tracker_check_registrations(&tracker, is_below_0x5000);
    assert_int_equal(asked_count, 3); /* what is known is not asked again */
}

static void without_registrations_nothing_is_asked(void **state)
{
    (void)state;
    add(0x6000, 30);
    asked_count = 0;
    gmt_tracker_check_registrations(&tracker, is_below_0x5000);
    assert_int_equal(asked_count, 0);
}

/* Another thread frees the registration, and the record serves another one, while the first is looked at. */
static bool replace_meanwhile(uint64_t address, uint64_t bytes)
{
    (void)bytes;
    if (address != 0x5000)
        return true;
    free_of(GMT_FAMILY_REGISTRATION, 0x5000);
    add_kind(GMT_KIND_REGISTERED, 0x8000, 20);
    return false;
}

static void a_record_that_is_used_again_meanwhile_is_not_marked(void **state)
{
    (void)state;
    uint32_t record = add_kind(GMT_KIND_REGISTERED, 0x5000, 20);
    gmt_tracker_check_registrations(&tracker, replace_meanwhile);
    assert_int_equal(RECORD(BLOCKS, record)->address, 0x8000);
    assert_int_equal(RECORD(BLOCKS, record)->flags, 0);
}

static void a_closed_tracker_has_nothing_to_look_at(void **state)
{
    (void)state;
    gmt_tracker_close(&tracker);
    gmt_tracker_check_threads(&tracker, odd_ids_live);
    gmt_tracker_check_registrations(&tracker, is_below_0x5000);
    gmt_tracker_check_modules(&tracker);
    assert_int_equal(gmt_tracker_thread(&tracker, 1, 1, "x"), GMT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(threads_are_looked_at_until_they_ended),
        TRACKER_TEST(a_thread_without_a_name_has_none),
        TRACKER_TEST(a_registration_whose_range_is_unmapped_is_marked),
        TRACKER_TEST(without_registrations_nothing_is_asked),
        TRACKER_TEST(a_record_that_is_used_again_meanwhile_is_not_marked),
        TRACKER_TEST(a_closed_tracker_has_nothing_to_look_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
