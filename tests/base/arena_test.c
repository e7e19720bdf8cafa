/* The arena: alignment, size classes, its limit. */
#include "support/unit_test.h"

#include <string.h>

#include "base/arena.h"

#define MIB ((uint64_t)1 << 20)

static struct gmt_arena arena;

static int empty_arena(void **state)
{
    (void)state;
    gmt_arena_init(&arena, 64 * MIB);
    return 0;
}

static int drop_arena(void **state)
{
    (void)state;
    gmt_arena_drop(&arena);
    return 0;
}

static void nothing_is_mapped_before_use(void **state)
{
    (void)state;
    assert_int_equal(arena.mapped, 0);
    assert_non_null(gmt_arena_take(&arena, 1));
    assert_int_equal(arena.mapped, 1048576);
}

static void blocks_are_aligned_and_apart(void **state)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 100, 128, 129, 1000, 4096, 100000, 300000};
    char *blocks[sizeof sizes / sizeof sizes[0]];
    (void)state;
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        blocks[i] = gmt_arena_take(&arena, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], (int)i + 1, sizes[i]);
    }
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t b = 0; b < sizes[i]; b++)
            assert_int_equal(blocks[i][b], i + 1);
    }
}

static void a_given_block_is_used_again(void **state)
{
    static const size_t pairs[][2] = {{1, 16}, {17, 32}, {113, 128}, {129, 256}, {257, 512}, {70000, 131072}};
    (void)state;
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        void *first = gmt_arena_take(&arena, pairs[i][0]);
        gmt_arena_give(&arena, first, pairs[i][0]);
        assert_ptr_equal(gmt_arena_take(&arena, pairs[i][1]), first); /* same class, other size */
    }
}

static void another_class_does_not_get_it(void **state)
{
    (void)state;
    void *small = gmt_arena_take(&arena, 16);
    gmt_arena_give(&arena, small, 16);
    assert_ptr_not_equal(gmt_arena_take(&arena, 17), small);
    assert_ptr_equal(gmt_arena_take(&arena, 3), small);
}

static void the_newest_given_block_comes_first(void **state)
{
    void *blocks[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        blocks[i] = gmt_arena_take(&arena, 40);
    for (unsigned i = 0; i < 3; i++)
        gmt_arena_give(&arena, blocks[i], 40);
    for (unsigned i = 3; i-- > 0;)
        assert_ptr_equal(gmt_arena_take(&arena, 40), blocks[i]);
}

static void large_blocks_get_a_chunk_of_their_own(void **state)
{
    (void)state;
    char *block = gmt_arena_take(&arena, 5 * MIB);
    assert_non_null(block);
    assert_int_equal(arena.mapped, 9 * MIB); /* 8 MiB, the power of two, and the chunk's header */
    block[0] = 1;
    block[5 * MIB - 1] = 1;
}

static void the_limit_holds(void **state)
{
    (void)state;
    gmt_arena_drop(&arena);
    gmt_arena_init(&arena, 2 * MIB);
    unsigned taken = 0;
    while (gmt_arena_take(&arena, 65536))
        taken++;
    assert_int_equal(taken, 30); /* 15 of a MiB, because its header takes the room of the last */
    assert_int_equal(arena.mapped, 2 * MIB);
    assert_non_null(gmt_arena_take(&arena, 16)); /* what is left of the newest chunk */
    assert_null(gmt_arena_take(&arena, 2 * MIB));
    assert_int_equal(arena.mapped, 2 * MIB);
}

static void below_one_chunk_nothing_is_had(void **state)
{
    (void)state;
    gmt_arena_drop(&arena);
    gmt_arena_init(&arena, MIB - 1);
    assert_null(gmt_arena_take(&arena, 1));
    gmt_arena_init(&arena, 0);
    assert_null(gmt_arena_take(&arena, 0));
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    gmt_arena_init(&arena, UINT64_MAX);
    assert_null(gmt_arena_take(&arena, SIZE_MAX));
    assert_null(gmt_arena_take(&arena, SIZE_MAX / 2 + 2));
    assert_null(gmt_arena_take(&arena, (size_t)1 << 41));
    assert_int_equal(arena.mapped, 0);
}

static void null_may_be_given(void **state)
{
    (void)state;
    gmt_arena_give(&arena, NULL, 16);
    assert_non_null(gmt_arena_take(&arena, 16));
}

static void a_dropped_arena_starts_anew(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 100; i++)
        assert_non_null(gmt_arena_take(&arena, 100000));
    assert_true(arena.mapped > 10 * MIB);
    gmt_arena_drop(&arena);
    assert_int_equal(arena.mapped, 0);
    assert_int_equal(arena.limit, 64 * MIB);
    assert_non_null(gmt_arena_take(&arena, 100000));
    assert_int_equal(arena.mapped, MIB);
}

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, empty_arena, drop_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(nothing_is_mapped_before_use),
        ARENA_TEST(blocks_are_aligned_and_apart),
        ARENA_TEST(a_given_block_is_used_again),
        ARENA_TEST(another_class_does_not_get_it),
        ARENA_TEST(the_newest_given_block_comes_first),
        ARENA_TEST(large_blocks_get_a_chunk_of_their_own),
        ARENA_TEST(the_limit_holds),
        ARENA_TEST(below_one_chunk_nothing_is_had),
        ARENA_TEST(absurd_sizes_are_refused),
        ARENA_TEST(null_may_be_given),
        ARENA_TEST(a_dropped_arena_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
