/* base/stack_cache.c: a known stack is found, another one never taken for it. */
#include "support/unit_test.h"

#include "base/registers.h"
#include "base/stack_cache.h"

#define LIMIT 64

static uint32_t number_found;
static bool was_found;

/* How often a loop runs that the compiler must not unroll: each copy of its call would be another place. */
static volatile int twice = 2, thrice = 3, steps = 6;

/* Asks at this place, and remembers `number` when nothing was found. */
__attribute__((noinline)) static void ask(uint32_t number, uint32_t limit, uint32_t epoch)
{
    struct gmt_registers here = gmt_registers_here();
    was_found = gmt_stack_cache_find(&here, limit, epoch, &number_found);
    if (was_found)
        return;
    struct gmt_unwound unwound;
    gmt_unwind(&here, limit, epoch, &unwound);
    gmt_stack_cache_add(&here, limit, epoch, number);
}

__attribute__((noinline)) static void one_way(uint32_t number, uint32_t epoch)
{
    ask(number, LIMIT, epoch);
    __asm__ volatile("");
}

/* From another place at the same depth, by the same function: the frames differ in one return address only. What
 * follows each call keeps the compiler from making one of two. */
#define PLACE(place)                                                                                                   \
    case place:                                                                                                        \
        one_way(number + (place), epoch);                                                                              \
        __asm__ volatile("# %0" ::"i"(place));                                                                         \
        break;

__attribute__((noinline)) static void caller(int place, uint32_t number, uint32_t epoch)
{
    switch (place) {
        PLACE(0)
        PLACE(1)
        PLACE(2)
        PLACE(3)
        PLACE(4)
    }
    __asm__ volatile("");
}

static void test_same_stack_is_found(void **state)
{
    (void)state;
    for (int round = 0; round < thrice; round++) {
        caller(0, 100, 1);
        assert_int_equal(was_found, round > 0);
    }
    assert_int_equal(number_found, 100);
}

static void test_four_places_in_turn_are_all_found(void **state)
{
    (void)state;
    for (int round = 0; round < thrice; round++) {
        for (int place = 0; place < 4; place++) {
            caller(place, 200, 2);
            assert_int_equal(was_found, round > 0);
            if (was_found)
                assert_int_equal(number_found, 200 + place);
        }
    }
}

static void test_fifth_place_takes_the_room_of_one(void **state)
{
    (void)state;
    for (int step = 0; step < steps; step++)
        caller(step < 5 ? step : 4, 300, 3);
    assert_true(was_found);
    assert_int_equal(number_found, 304);
}

static void test_other_epoch_or_limit_is_not_found(void **state)
{
    (void)state;
    for (uint32_t epoch = 4; epoch < 6; epoch++) {
        caller(0, 400, epoch);
        assert_false(was_found);
    }
    for (uint32_t limit = 2; limit < 5; limit++) {
        ask(500, limit, 6);
        assert_false(was_found);
    }
}

static void test_forgotten_numbers_are_not_found(void **state)
{
    (void)state;
    for (int round = 0; round < twice; round++) {
        caller(0, 600, 7);
        assert_false(was_found);
        gmt_stack_cache_forget();
    }
}

/* Recursion: the same counters again and again, told apart by the stack pointer and by what lies above. */
__attribute__((noinline)) static void recurse(int depth, uint32_t number)
{
    if (depth > 0)
        recurse(depth - 1, number);
    else
        one_way(number, 8);
    __asm__ volatile("");
}

static void test_depths_of_a_recursion_are_told_apart(void **state)
{
    (void)state;
    unsigned found = 0;
    for (int round = 0; round < twice; round++) {
        for (int depth = 0; depth < 40; depth++) {
            recurse(depth, 700 + (uint32_t)depth);
            found += was_found;
            if (was_found)
                assert_int_equal(number_found, 700 + depth);
        }
    }
    assert_int_equal(found, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_stack_is_found),
        cmocka_unit_test(test_four_places_in_turn_are_all_found),
        cmocka_unit_test(test_fifth_place_takes_the_room_of_one),
        cmocka_unit_test(test_other_epoch_or_limit_is_not_found),
        cmocka_unit_test(test_forgotten_numbers_are_not_found),
        cmocka_unit_test(test_depths_of_a_recursion_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
