/* Each call stack is stored once. */
#include "track_fixture.h"

#include <stdlib.h>
#include <string.h>

static uintptr_t code(unsigned number)
{
    return (uintptr_t)qsort + number;
}

static struct gmt_unwound stack_of(unsigned first, unsigned depth)
{
    struct gmt_unwound unwound = {.depth = depth, .hash = first};
    for (unsigned i = 0; i < depth; i++)
        unwound.pcs[i] = code(first + i);
    return unwound;
}

static uint32_t intern_in(const struct gmt_unwound *unwound, uint32_t epoch)
{
    struct gmt_module_context context = {&tracker.modules, &tracker.trace, &tracker.arena, &tracker.lock};
    return gmt_stack_table_intern(&tracker.stacks, &context, unwound, epoch);
}

static void equal_counters_are_one_stack(void **state)
{
    struct gmt_unwound unwound = stack_of(0, 5);
    (void)state;
    assert_int_equal(intern_in(&unwound, 0), 0);
    assert_int_equal(intern_in(&unwound, 0), 0);
    assert_int_equal(USED(STACKS), 1);
    assert_int_equal(USED(FRAMES), 5);
    assert_int_equal(RECORD(STACKS, 0)->first_frame, 0);
    assert_int_equal(RECORD(STACKS, 0)->depth, 5);
    assert_int_equal(RECORD(STACKS, 0)->flags, 0);
    assert_int_equal(RECORD(FRAMES, 4)->module, RECORD(FRAMES, 0)->module);
    assert_int_equal(RECORD(FRAMES, 4)->offset - RECORD(FRAMES, 0)->offset, 4);
}

static void other_counters_depth_or_order_are_other_stacks(void **state)
{
    struct gmt_unwound unwound = stack_of(0, 3);
    (void)state;
    assert_int_equal(intern_in(&unwound, 0), 0);
    unwound.depth = 2;
    assert_int_equal(intern_in(&unwound, 0), 1);
    unwound.depth = 3;
    unwound.pcs[0] = code(1);
    unwound.pcs[1] = code(0);
    assert_int_equal(intern_in(&unwound, 0), 2);
    unwound.depth = 0; /* option stacks=0 */
    assert_int_equal(intern_in(&unwound, 0), 3);
    assert_int_equal(intern_in(&unwound, 0), 3);
    assert_int_equal(RECORD(STACKS, 3)->depth, 0);
}

/* Code was unloaded somewhere: counters have to be looked at anew, but what is still there is the same stack. */
static void in_another_epoch_the_same_frames_are_the_same_stack(void **state)
{
    struct gmt_unwound unwound = stack_of(0, 5);
    (void)state;
    for (uint32_t epoch = 0; epoch < 10; epoch++)
        assert_int_equal(intern_in(&unwound, epoch), 0);
    assert_int_equal(intern_in(&unwound, 3), 0); /* a thread that is late */
    assert_int_equal(USED(STACKS), 1);
    assert_int_equal(USED(MODULES), 1);
}

static void cut_and_incomplete_stacks_are_apart(void **state)
{
    struct gmt_unwound whole = stack_of(0, 5);
    struct gmt_unwound cut = whole;
    struct gmt_unwound incomplete = whole;
    (void)state;
    cut.cut = true;
    incomplete.incomplete = true;
    for (uint32_t epoch = 0; epoch < 4; epoch++) {
        assert_int_equal(intern_in(&whole, epoch), 0);
        assert_int_equal(intern_in(&cut, epoch), 1);
        assert_int_equal(intern_in(&incomplete, epoch), 2);
        assert_int_equal(intern_in(&cut, epoch), 1);
    }
    assert_int_equal(RECORD(STACKS, 1)->flags, GMT_STACK_CUT);
    assert_int_equal(RECORD(STACKS, 2)->flags, GMT_STACK_INCOMPLETE);
    assert_int_equal(TROUBLES(STACKS_CUT), 1);
    assert_int_equal(USED(STACKS), 3);
}

static void equal_hashes_do_not_mix_stacks(void **state)
{
    struct gmt_unwound first = stack_of(0, 3);
    struct gmt_unwound second = stack_of(10, 3);
    (void)state;
    second.hash = first.hash;
    assert_int_equal(intern_in(&first, 0), 0);
    assert_int_equal(intern_in(&second, 0), 1);
    assert_int_equal(intern_in(&first, 0), 0);
    assert_int_equal(intern_in(&second, 0), 1);
}

static void the_deepest_stack_fits(void **state)
{
    struct gmt_unwound unwound = stack_of(0, GMT_UNWIND_DEPTH_MAX);
    (void)state;
    assert_int_equal(intern_in(&unwound, 0), 0);
    assert_int_equal(RECORD(STACKS, 0)->depth, 256);
    assert_int_equal(USED(FRAMES), 256);
}

static void a_full_table_refuses_the_new_and_knows_the_old(void **state)
{
    (void)state;
    HEADER->sections[GMT_SECTION_STACKS].capacity = 2;
    struct gmt_unwound unwound = stack_of(0, 3);
    assert_int_equal(intern_in(&unwound, 0), 0);
    unwound = stack_of(10, 3);
    assert_int_equal(intern_in(&unwound, 0), 1);
    unwound = stack_of(20, 3);
    assert_int_equal(intern_in(&unwound, 0), GMT_NONE);
    assert_int_equal(TROUBLES(SITES_FULL), 1);
    unwound = stack_of(10, 3);
    assert_int_equal(intern_in(&unwound, 1), 1);
}

static void without_memory_a_stack_is_stored_all_the_same(void **state)
{
    struct gmt_unwound unwound = stack_of(0, 3);
    (void)state;
    tracker.arena.limit = 0; /* no new chunk … */
    tracker.arena.next = tracker.arena.end;
    memset(tracker.arena.free_lists, 0, sizeof tracker.arena.free_lists); /* … and nothing left over */
    uint32_t stack = intern_in(&unwound, 0);
    assert_int_equal(stack, 0);
    assert_int_equal(RECORD(STACKS, 0)->depth, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(equal_counters_are_one_stack),
        TRACKER_TEST(other_counters_depth_or_order_are_other_stacks),
        TRACKER_TEST(in_another_epoch_the_same_frames_are_the_same_stack),
        TRACKER_TEST(cut_and_incomplete_stacks_are_apart),
        TRACKER_TEST(equal_hashes_do_not_mix_stacks),
        TRACKER_TEST(the_deepest_stack_fits),
        TRACKER_TEST(a_full_table_refuses_the_new_and_knows_the_old),
        TRACKER_TEST(without_memory_a_stack_is_stored_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
