/* The table of four-part keys. */
#include "support/unit_test.h"

#include "base/errors.h"
#include "track/key_table.h"
#include "track/trace_file.h"

static struct gmt_arena arena;
static struct gmt_key_table table;

static int empty_table(void **state)
{
    (void)state;
    gmt_arena_init(&arena, (uint64_t)64 << 20);
    table = (struct gmt_key_table){NULL};
    return 0;
}

static int drop_table(void **state)
{
    (void)state;
    gmt_arena_drop(&arena);
    return 0;
}

static void an_empty_table_finds_nothing(void **state)
{
    (void)state;
    assert_int_equal(gmt_key_table_find(&table, (struct gmt_key){0, 0, 0, 0}), GMT_NONE);
}

static void every_part_of_a_key_matters(void **state)
{
    static const struct gmt_key keys[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},       {0, 0, 1, 0},
                                          {0, 0, 0, 1}, {1, 1, 0, 0}, {GMT_NONE, 0, 0, 0}};
    (void)state;
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(gmt_key_table_find(&table, keys[i]), GMT_NONE);
        assert_int_equal(gmt_key_table_add(&table, &arena, keys[i], 100 + i), 0);
    }
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(gmt_key_table_find(&table, keys[i]), 100 + i);
    assert_int_equal(gmt_key_table_find(&table, (struct gmt_key){0, 0, 1, 1}), GMT_NONE);
}

static void many_keys_are_told_apart(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(gmt_key_table_add(&table, &arena, (struct gmt_key){i, i % 7, i / 3, 0}, i), 0);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(gmt_key_table_find(&table, (struct gmt_key){i, i % 7, i / 3, 0}), i);
}

static void without_memory_the_old_keys_stay(void **state)
{
    uint32_t added = 0;
    (void)state;
    gmt_arena_drop(&arena);
    gmt_arena_init(&arena, (uint64_t)1 << 20);
    while (gmt_key_table_add(&table, &arena, (struct gmt_key){added, 0, 0, 0}, added) == 0)
        added++;
    assert_true(added > 5000);
    assert_int_equal(gmt_key_table_add(&table, &arena, (struct gmt_key){added, 0, 0, 0}, 1), -GMT_E_NO_MEMORY);
    assert_int_equal(gmt_key_table_find(&table, (struct gmt_key){added, 0, 0, 0}), GMT_NONE);
    for (uint32_t i = 0; i < added; i++)
        assert_int_equal(gmt_key_table_find(&table, (struct gmt_key){i, 0, 0, 0}), i);
}

#define TABLE_TEST(name) cmocka_unit_test_setup_teardown(name, empty_table, drop_table)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TABLE_TEST(an_empty_table_finds_nothing),
        TABLE_TEST(every_part_of_a_key_matters),
        TABLE_TEST(many_keys_are_told_apart),
        TABLE_TEST(without_memory_the_old_keys_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
