/* The clock of records and its replacement. */
#include "support/unit_test.h"

#include <time.h>

#include "base/clock.h"

static uint64_t noon(void)
{
    return 43200000000000ull;
}

static uint64_t read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static void the_clock_runs_and_is_no_older_than_a_tick(void **state)
{
    (void)state;
    uint64_t first = gmt_clock_now();
    uint64_t fine = read(CLOCK_MONOTONIC);
    assert_true(first <= fine);
    assert_true(fine - first < 1000000000ull);
    assert_true(gmt_clock_now() >= first);
}

static void the_wall_clock_is_the_systems(void **state)
{
    (void)state;
    uint64_t before = read(CLOCK_REALTIME);
    uint64_t wall = gmt_clock_wall();
    assert_true(wall >= before && wall - before < 1000000000ull);
}

static void a_replacement_is_used_until_taken_back(void **state)
{
    (void)state;
    gmt_clock_replace(noon);
    assert_int_equal(gmt_clock_now(), 43200000000000ull);
    gmt_clock_replace(NULL);
    uint64_t first = gmt_clock_now();
    assert_true(first > 0 && first != 43200000000000ull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_runs_and_is_no_older_than_a_tick),
        cmocka_unit_test(the_wall_clock_is_the_systems),
        cmocka_unit_test(a_replacement_is_used_until_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
