/* Call stacks: the caller first, the order outward, limits. Each function on the way notes its own return address, so
 * that what is expected comes from the machine and not from the unwinder. */
#include "support/unit_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/code_epoch.h"
#include "base/registers.h"
#include "base/syscall.h"
#include "base/unwind.h"

#define NOINLINE __attribute__((noinline))

static struct gmt_unwound unwound;
static uintptr_t returns[4]; /* return addresses, innermost first */
static uint32_t limit;
static volatile int sink; /* touched after each call, so that none becomes a jump */

static uintptr_t return_address(void *address)
{
    return (uintptr_t)__builtin_extract_return_addr(address);
}

static NOINLINE void hooked(void)
{
    returns[0] = return_address(__builtin_return_address(0));
    struct gmt_registers here = gmt_registers_here();
    gmt_unwind(&here, limit, gmt_code_epoch(), &unwound);
    sink++;
}

static NOINLINE void inner(void)
{
    returns[1] = return_address(__builtin_return_address(0));
    hooked();
    sink++;
}

static NOINLINE void middle(void)
{
    returns[2] = return_address(__builtin_return_address(0));
    inner();
    sink++;
}

static NOINLINE void outer(void)
{
    returns[3] = return_address(__builtin_return_address(0));
    middle();
    sink++;
}

static void the_caller_is_first_and_the_rest_follows(void **state)
{
    (void)state;
    limit = 64;
    outer();
    assert_true(unwound.depth > 4);
    assert_false(unwound.cut);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(unwound.pcs[i], returns[i] - 1);
}

static void beyond_the_limit_it_is_cut(void **state)
{
    (void)state;
    limit = 3;
    outer();
    assert_int_equal(unwound.depth, 3);
    assert_true(unwound.cut);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(unwound.pcs[i], returns[i] - 1);
}

static void a_limit_that_just_fits_does_not_cut(void **state)
{
    (void)state;
    limit = 64;
    outer();
    uint32_t whole = unwound.depth;
    limit = whole;
    outer();
    assert_int_equal(unwound.depth, whole);
    assert_false(unwound.cut);
    limit = whole - 1;
    outer();
    assert_int_equal(unwound.depth, whole - 1);
    assert_true(unwound.cut);
}

static void without_frames_wanted_there_are_none(void **state)
{
    (void)state;
    limit = 0;
    unwound.depth = 7;
    unwound.incomplete = true;
    outer();
    assert_int_equal(unwound.depth, 0);
    assert_true(unwound.cut);
    assert_false(unwound.incomplete);
}

static NOINLINE void recurse(unsigned times)
{
    if (times == 0)
        inner();
    else
        recurse(times - 1);
    sink++;
}

static void deep_recursion_stops_at_the_most(void **state)
{
    (void)state;
    limit = GMT_UNWIND_DEPTH_MAX;
    recurse(300);
    assert_int_equal(unwound.depth, 256);
    assert_true(unwound.cut);
    assert_int_equal(unwound.pcs[0], returns[0] - 1);
    assert_int_equal(unwound.pcs[1], returns[1] - 1);
    assert_int_equal(unwound.pcs[250], unwound.pcs[251]); /* the recursion's own call */
}

static uintptr_t signalled_from;

static void handle(int number)
{
    (void)number;
    hooked();
    sink++;
}

static NOINLINE void send_signal(void)
{
    signalled_from = return_address(__builtin_return_address(0));
    raise(SIGUSR1);
    sink++;
}

static void a_stack_goes_through_a_signal_handler(void **state)
{
    (void)state;
    signal(SIGUSR1, handle);
    limit = 64;
    send_signal();
    signal(SIGUSR1, SIG_DFL);
    bool seen = false;
    for (uint32_t i = 0; i < unwound.depth; i++)
        seen |= unwound.pcs[i] == signalled_from - 1;
    assert_int_equal(unwound.pcs[0], returns[0] - 1);
    assert_true(seen);
}

/* The code that a handler returns to lies in no object, as under an emulator; it is the first in its pages. */
static void a_trampoline_outside_of_all_objects_is_passed(void **state)
{
#if defined(__x86_64__)
    static const unsigned char code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
#elif defined(__aarch64__)
    static const uint32_t code[] = {0xd2801168u, 0xd4000001u};
#endif
    struct {
        void (*handler)(int);
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } action = {.handler = handle, .flags = 0x04000000 /* SA_RESTORER */}, before;
    (void)state;
    char *pages = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    action.restorer = pages + 4096;
    mprotect(pages + 4096, 4096, PROT_READ | PROT_WRITE);
    memcpy(pages + 4096, code, sizeof code);
    mprotect(pages + 4096, 4096, PROT_READ | PROT_EXEC);
    assert_int_equal(gmt_syscall(SYS_rt_sigaction, SIGUSR1, &action, &before, 8), 0);
    limit = 64;
    send_signal();
    gmt_syscall(SYS_rt_sigaction, SIGUSR1, &before, NULL, 8);
    gmt_code_epoch_advance();
    munmap(pages, 3 * 4096);
    assert_int_equal(unwound.pcs[1], (uintptr_t)pages + 4095);
    bool seen = false;
    for (uint32_t i = 0; i < unwound.depth; i++)
        seen |= unwound.pcs[i] == signalled_from - 1;
    assert_true(seen);
    assert_false(unwound.incomplete);
}

static void equal_stacks_have_equal_hashes(void **state)
{
    uint64_t hashes[3];
    (void)state;
    limit = 64;
    for (volatile unsigned i = 0; i < 3; i++) { /* volatile: one call instruction, not three */
        if (i == 1)
            gmt_code_epoch_advance(); /* rules are worked out anew */
        outer();
        hashes[i] = unwound.hash;
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
    limit = 3;
    outer();
    assert_true(unwound.hash != hashes[0]);
}

/* A smashed frame pointer, and code that no object holds: nothing is read that is not mapped. */
static void wild_registers_end_the_walk(void **state)
{
    static const uintptr_t wild[] = {0, 1, 8, 4096, 0x7fffffffe000, UINTPTR_MAX, UINTPTR_MAX - 7};
    (void)state;
    for (unsigned i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        for (unsigned j = 0; j < sizeof wild / sizeof wild[0]; j++) {
            struct gmt_registers registers = gmt_registers_here();
            registers.fp = wild[i];
            registers.pc = wild[j];
            gmt_unwind(&registers, 64, gmt_code_epoch(), &unwound);
            assert_int_equal(unwound.depth, 0);
        }
    }
}

/* A chain of frame pointers that leads back into itself. */
static void a_circular_chain_ends(void **state)
{
    uintptr_t frames[4] = {(uintptr_t)&frames[2], 0x123456, (uintptr_t)&frames[0], 0x123457};
    struct gmt_registers registers = {.pc = 0x123450, .sp = (uintptr_t)frames, .fp = (uintptr_t)frames};
    (void)state;
    gmt_unwind(&registers, 64, gmt_code_epoch(), &unwound);
    assert_int_equal(unwound.depth, 1);
    assert_int_equal(unwound.pcs[0], 0x123455);
    assert_true(unwound.incomplete);
}

static NOINLINE void realigned(void)
{
    _Alignas(128) volatile char wide[256];
    wide[0] = 1;
    inner();
    sink += wide[0];
}

static void a_function_that_realigns_its_stack_is_passed(void **state)
{
    (void)state;
    limit = 64;
    realigned();
    assert_int_equal(unwound.pcs[0], returns[0] - 1);
    assert_int_equal(unwound.pcs[1], returns[1] - 1);
    assert_true(unwound.depth > 4);
    assert_false(unwound.incomplete);
}

static void *in_thread(void *argument)
{
    outer();
    *(bool *)argument = !unwound.incomplete && unwound.pcs[3] == returns[3] - 1;
    return NULL;
}

static void the_walk_ends_cleanly_in_another_thread(void **state)
{
    pthread_t thread;
    bool good = false;
    (void)state;
    limit = 64;
    assert_int_equal(pthread_create(&thread, NULL, in_thread, &good), 0);
    pthread_join(thread, NULL);
    assert_true(good);
}

static int less(const void *a, const void *b)
{
    hooked();
    return *(const int *)a - *(const int *)b;
}

static NOINLINE void sort_through_libc(void)
{
    returns[3] = return_address(__builtin_return_address(0));
    int numbers[2] = {2, 1};
    qsort(numbers, 2, sizeof numbers[0], less);
    sink += numbers[0];
}

static void libcs_frames_are_passed(void **state)
{
    (void)state;
    limit = 64;
    sort_through_libc();
    bool seen = false;
    for (uint32_t i = 0; i < unwound.depth; i++)
        seen |= unwound.pcs[i] == returns[3] - 1;
    assert_true(seen);
    assert_false(unwound.incomplete);
}

/* Calls itself from two places, `bits` says from which: 16 stacks of the same counters in other orders. */
static NOINLINE void branch(unsigned bits, unsigned levels)
{
    if (levels == 0) {
        hooked();
    } else if (bits & 1) { /* what differs before and after keeps a compiler from making one call of the two */
        sink += 1;
        branch(bits >> 1, levels - 1);
        sink += 2;
    } else {
        sink += 3;
        branch(bits >> 1, levels - 1);
        sink += 4;
    }
}

static void the_order_of_frames_counts_in_the_hash(void **state)
{
    uint64_t hashes[16];
    (void)state;
    limit = 64;
    for (unsigned bits = 0; bits < 16; bits++) {
        branch(bits, 4);
        hashes[bits] = unwound.hash;
        for (unsigned i = 0; i < bits; i++)
            assert_int_not_equal((uint32_t)hashes[i], (uint32_t)hashes[bits]);
    }
}

/* The hooks start from it when stacks are switched off: nothing of what lay in that memory may be taken for an answer.
 */
static void a_cleared_stack_says_nothing(void **state)
{
    struct gmt_unwound used;
    (void)state;
    memset(&used, 1, sizeof used);
    gmt_unwound_clear(&used);
    assert_int_equal(used.depth, 0);
    assert_int_equal(used.hash, 0);
    assert_false(used.cut || used.incomplete || used.repeated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cleared_stack_says_nothing),
        cmocka_unit_test(the_caller_is_first_and_the_rest_follows),
        cmocka_unit_test(beyond_the_limit_it_is_cut),
        cmocka_unit_test(a_limit_that_just_fits_does_not_cut),
        cmocka_unit_test(without_frames_wanted_there_are_none),
        cmocka_unit_test(deep_recursion_stops_at_the_most),
        cmocka_unit_test(a_stack_goes_through_a_signal_handler),
        cmocka_unit_test(a_trampoline_outside_of_all_objects_is_passed),
        cmocka_unit_test(equal_stacks_have_equal_hashes),
        cmocka_unit_test(the_order_of_frames_counts_in_the_hash),
        cmocka_unit_test(wild_registers_end_the_walk),
        cmocka_unit_test(a_circular_chain_ends),
        cmocka_unit_test(a_function_that_realigns_its_stack_is_passed),
        cmocka_unit_test(the_walk_ends_cleanly_in_another_thread),
        cmocka_unit_test(libcs_frames_are_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
