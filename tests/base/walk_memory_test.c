/* What a thread remembers of its last walk: the next one may be faster for it, but not different. */
#include "support/unit_test.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#include "base/code_epoch.h"
#include "base/registers.h"
#include "base/unwind.h"

#define NOINLINE __attribute__((noinline))

static struct gmt_unwound unwound;
static uint32_t limit;
static volatile int sink; /* touched after each call, so that none becomes a jump */

static NOINLINE void walk(void)
{
    struct gmt_registers here = gmt_registers_here();
    gmt_unwind(&here, limit, gmt_code_epoch(), &unwound);
    sink++;
}

static NOINLINE void middle(void)
{
    walk();
    sink++;
}

static NOINLINE void outer(void)
{
    middle();
    sink++;
}

static NOINLINE void elsewhere(void)
{
    middle();
    sink++;
}

/* "Repeated" lets a caller skip looking the stack up: it must never be said of another stack. */
static void only_the_same_stack_is_repeated(void **state)
{
    struct gmt_unwound first;
    (void)state;
    limit = 64;
    elsewhere();
    for (volatile unsigned i = 0; i < 3; i++) {
        outer();
        first = i == 0 ? unwound : first;
    }
    assert_true(unwound.repeated);
    assert_int_equal(unwound.depth, first.depth);
    assert_true(unwound.hash == first.hash);
    for (uint32_t i = 0; i < first.depth; i++)
        assert_int_equal(unwound.pcs[i], first.pcs[i]);
    elsewhere();
    assert_false(unwound.repeated);
    assert_true(unwound.hash != first.hash);
    outer();
    assert_false(unwound.repeated);
    gmt_code_epoch_advance();
    for (volatile unsigned i = 0; i < 2; i++) {
        limit = 64 - i * 61; /* the same stack, cut */
        outer();
    }
    assert_false(unwound.repeated);
    assert_int_equal(unwound.depth, 3);
}

static struct gmt_unwound unwound_in_handler;
static volatile sig_atomic_t interruptions;

static void unwind_in_handler(int number)
{
    (void)number;
    struct gmt_registers here = gmt_registers_here();
    gmt_unwind(&here, 64, gmt_code_epoch(), &unwound_in_handler);
    interruptions++;
}

static bool equals(const struct gmt_unwound *expected)
{
    if (unwound.depth != expected->depth || unwound.hash != expected->hash || unwound.cut || unwound.incomplete)
        return false;
    for (uint32_t i = 0; i < expected->depth; i++) {
        if (unwound.pcs[i] != expected->pcs[i])
            return false;
    }
    return true;
}

/* Handlers that unwind interrupt walks at every place; both must come out right, whatever a walk remembers. */
static void walks_interrupted_by_walks_are_right(void **state)
{
    static void (*const ways[])(void) = {outer, outer, elsewhere, middle};
    struct gmt_unwound expected[4];
    struct itimerval often = {{0, 100}, {0, 100}};
    struct itimerval never = {{0, 0}, {0, 0}};
    unsigned wrong = 0;
    (void)state;
    limit = 64;
    signal(SIGALRM, unwind_in_handler);
    for (volatile unsigned step = 0; step < 400000 || (interruptions < 500 && step < 4000000); step++) {
        if (step == 4)
            setitimer(ITIMER_REAL, &often, NULL);
        ways[step % 4]();
        if (step < 4)
            expected[step] = unwound;
        else
            wrong += !equals(&expected[step % 4]);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(wrong, 0);
    assert_true(interruptions >= 100);
    assert_false(unwound_in_handler.incomplete);
}

/* A return address of 0 is the end; the same frame may have another one later. */
static void an_end_is_not_remembered_where_the_stack_goes_on(void **state)
{
    static const unsigned depths[] = {1, 2, 1, 2};
    uintptr_t frames[6] = {(uintptr_t)&frames[2], 0x123456, 0, 0, 0, 0};
    struct gmt_registers registers = {.pc = 0x123450, .sp = (uintptr_t)frames, .fp = (uintptr_t)frames};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        frames[2] = depths[i] == 2 ? (uintptr_t)&frames[4] : 0;
        frames[3] = depths[i] == 2 ? 0x123460 : 0;
        gmt_unwind(&registers, 64, gmt_code_epoch(), &unwound);
        assert_int_equal(unwound.depth, depths[i]);
        assert_false(unwound.incomplete);
        assert_int_equal(unwound.pcs[depths[i] - 1], depths[i] == 2 ? 0x12345f : 0x123455);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_same_stack_is_repeated),
        cmocka_unit_test(walks_interrupted_by_walks_are_right),
        cmocka_unit_test(an_end_is_not_remembered_where_the_stack_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
