/* What was given back lately, and what is forgotten of it. */
#include "track_fixture.h"

#include "track/freed_history.h"

static void remember(uint32_t family, uint64_t address, uint64_t time)
{
    struct gmt_freed_record freed = {.address = address, .family = family, .time_ns = time, .bytes = address + 1};
    gmt_freed_history_add(&tracker.trace, &freed);
}

static const struct gmt_freed_record *found(uint32_t family, uint64_t address)
{
    return gmt_freed_history_find(&tracker.trace, family, address);
}

static void what_was_freed_is_known_by_family_and_address(void **state)
{
    (void)state;
    assert_null(found(1, 0x1000));
    remember(1, 0x1000, 50);
    assert_int_equal(found(1, 0x1000)->bytes, 0x1001);
    assert_int_equal(found(1, 0x1000)->time_ns, 50);
    assert_null(found(2, 0x1000));
    assert_null(found(1, 0x1001));
}

/* Time 0 marks an unused record, and is the time of what is freed at once. */
static void what_is_freed_at_the_very_start_is_known(void **state)
{
    (void)state;
    remember(1, 0x1000, 0);
    assert_non_null(found(1, 0x1000));
}

static void an_address_that_is_handed_out_again_is_forgotten(void **state)
{
    (void)state;
    remember(1, 0x1000, 50);
    remember(2, 0x1000, 50);
    gmt_freed_history_drop(&tracker.trace, 1, 0x1000);
    gmt_freed_history_drop(&tracker.trace, 1, 0x1000);
    assert_null(found(1, 0x1000));
    assert_non_null(found(2, 0x1000));
}

static void the_newest_free_of_an_address_counts(void **state)
{
    (void)state;
    remember(1, 0x1000, 50);
    remember(1, 0x1000, 70);
    assert_int_equal(found(1, 0x1000)->time_ns, 70);
    gmt_freed_history_drop(&tracker.trace, 1, 0x1000);
    assert_null(found(1, 0x1000)); /* it had one record */
}

static const struct gmt_freed_record *set_of(uint64_t address)
{
    const struct gmt_freed_record *first = RECORD(FREED, 0);
    return first + (found(1, address) - first) / 4 * 4;
}

/* Four addresses that lie in one set, and one more. */
static void the_oldest_of_four_gives_way(void **state)
{
    uint64_t same[5];
    unsigned count = 1;
    (void)state;
    remember(1, same[0] = 0x100000, 10);
    const struct gmt_freed_record *set = set_of(0x100000);
    for (uint64_t address = 0x200000; count < 5; address += 0x200000) {
        remember(1, address, 1);
        bool equal = set_of(address) == set;
        gmt_freed_history_drop(&tracker.trace, 1, address);
        if (equal)
            same[count++] = address;
    }
    static const uint64_t times[] = {30, 20, 40, 50};
    for (unsigned i = 0; i < 4; i++)
        remember(1, same[i], times[i]);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(found(1, same[i])->time_ns, times[i]);
    remember(1, same[4], 60);
    assert_null(found(1, same[1]));
    assert_int_equal(found(1, same[0])->time_ns, 30);
    assert_int_equal(found(1, same[2])->time_ns, 40);
    assert_int_equal(found(1, same[3])->time_ns, 50);
    assert_int_equal(found(1, same[4])->time_ns, 60);
}

/* Of many more frees than there is room for, the table holds as many as it can. */
static void a_full_table_stays_full(void **state)
{
    unsigned known = 0;
    (void)state;
    for (uint64_t i = 1; i <= 200000; i++)
        remember(1, i * 0x200, i);
    for (uint64_t i = 1; i <= 200000; i++)
        known += found(1, i * 0x200) != NULL;
    assert_int_equal(USED(FREED), 32768);
    assert_int_equal(known, 32768);
    assert_non_null(found(1, 200000 * 0x200));
}

static void a_freed_block_is_remembered_until_its_address_comes_back(void **state)
{
    (void)state;
    tracker_now = 1300;
    add(0x1000, 100);
    free_block(0x1000);
    const struct gmt_freed_record *freed = found(GMT_FAMILY_ADDRESS, 0x1000);
    assert_int_equal(freed->bytes, 100);
    assert_int_equal(freed->time_ns, 300);
    assert_int_equal(freed->site, 0);
    assert_int_equal(freed->stack, stack_number(90));
    assert_int_equal(freed->thread, 43);
    add_kind(GMT_KIND_STREAM, 0x1000, 0);
    assert_non_null(found(GMT_FAMILY_ADDRESS, 0x1000));
    add_kind(GMT_KIND_MANAGED, 0x1000, 10);
    assert_null(found(GMT_FAMILY_ADDRESS, 0x1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(what_was_freed_is_known_by_family_and_address),
        TRACKER_TEST(what_is_freed_at_the_very_start_is_known),
        TRACKER_TEST(an_address_that_is_handed_out_again_is_forgotten),
        TRACKER_TEST(the_newest_free_of_an_address_counts),
        TRACKER_TEST(the_oldest_of_four_gives_way),
        TRACKER_TEST(a_full_table_stays_full),
        TRACKER_TEST(a_freed_block_is_remembered_until_its_address_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
