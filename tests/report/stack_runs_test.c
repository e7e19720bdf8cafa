/* Recursion in stacks given as letters: one letter, one frame. */
#include "report/stack_runs.h"

#include <string.h>

#include "support/unit_test.h"

static struct gmt_stack_run run_at(const char *letters, unsigned first)
{
    static struct gmt_frame frames[256];
    struct gmt_stack stack = {.frames = frames, .count = (unsigned)strlen(letters)};
    for (unsigned i = 0; i < stack.count; i++)
        frames[i] = (struct gmt_frame){.offset = (uint64_t)letters[i]};
    return gmt_stack_run_at(&stack, first, stack.count);
}

static void expect(const char *letters, unsigned first, unsigned length, unsigned times)
{
    struct gmt_stack_run run = run_at(letters, first);
    assert_int_equal(run.length, length);
    assert_int_equal(run.times, times);
}

static void finds_recursion(void **state)
{
    (void)state;
    expect("bffffm", 1, 1, 4);
    expect("bfgfgfgm", 1, 2, 3);
    expect("fffm", 0, 1, 3);
    expect("abcabc", 0, 3, 2);
    expect("aabaabaab", 0, 3, 3); /* the part that saves the most lines */
    expect("fgfgf", 0, 2, 2);     /* the rest stands for itself */
}

static void leaves_what_saves_nothing(void **state)
{
    (void)state;
    expect("m", 0, 1, 1);
    expect("ffm", 0, 1, 1);
    expect("abcm", 0, 1, 1);
    expect("fgfm", 0, 1, 1);
}

static void compares_whole_frames(void **state)
{
    static struct gmt_module modules[2];
    struct gmt_frame frames[3] = {
        {.function = "f", .line = 1}, {.function = "f", .line = 1}, {.function = "f", .line = 1}};
    struct gmt_stack stack = {.frames = frames, .count = 3};
    (void)state;
    assert_int_equal(gmt_stack_run_at(&stack, 0, 3).times, 3);
    frames[2].line = 2;
    assert_int_equal(gmt_stack_run_at(&stack, 0, 3).times, 1);
    frames[2] = frames[0];
    frames[2].function = "g";
    assert_int_equal(gmt_stack_run_at(&stack, 0, 3).times, 1);
    frames[2] = frames[0];
    frames[2].module = &modules[1];
    assert_int_equal(gmt_stack_run_at(&stack, 0, 3).times, 1);
    frames[2] = frames[0];
    frames[2].inlined = true;
    assert_int_equal(gmt_stack_run_at(&stack, 0, 3).times, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_recursion),
        cmocka_unit_test(leaves_what_saves_nothing),
        cmocka_unit_test(compares_whole_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
