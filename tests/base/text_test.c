/* Text in a fixed buffer, and sizes at every change of unit and precision. */
#include "support/unit_test.h"

#include <string.h>

#include "base/text.h"

static const char *size_of(uint64_t bytes)
{
    static char buffer[64];
    struct gmt_text text = gmt_text_over(buffer, sizeof buffer);
    gmt_text_add_size(&text, bytes);
    assert_false(text.cut);
    assert_int_equal(text.length, strlen(buffer));
    return buffer;
}

static void small_sizes_are_in_bytes(void **state)
{
    (void)state;
    assert_string_equal(size_of(0), "0 bytes");
    assert_string_equal(size_of(1), "1 byte");
    assert_string_equal(size_of(2), "2 bytes");
    assert_string_equal(size_of(1023), "1023 bytes");
}

static void each_unit_starts_at_its_power(void **state)
{
    (void)state;
    assert_string_equal(size_of(1024), "1.00 KiB");
    assert_string_equal(size_of(1ull << 20), "1.00 MiB");
    assert_string_equal(size_of(1ull << 30), "1.00 GiB");
    assert_string_equal(size_of(1ull << 40), "1.00 TiB");
    assert_string_equal(size_of(1ull << 50), "1.00 PiB");
    assert_string_equal(size_of(1ull << 60), "1.00 EiB");
    assert_string_equal(size_of(UINT64_MAX), "16.00 EiB");
}

static void a_size_just_below_a_unit_is_rounded_into_it(void **state)
{
    (void)state;
    assert_string_equal(size_of((1ull << 20) - 1), "1.00 MiB");
    assert_string_equal(size_of((1ull << 30) - 1), "1.00 GiB");
    assert_string_equal(size_of((1ull << 40) - 1), "1.00 TiB");
    assert_string_equal(size_of((1ull << 50) - 1), "1.00 PiB");
    assert_string_equal(size_of((1ull << 60) - 1), "1.00 EiB");
}

static void decimals_follow_the_magnitude(void **state)
{
    (void)state;
    assert_string_equal(size_of(1536), "1.50 KiB");
    assert_string_equal(size_of(1034), "1.01 KiB");
    assert_string_equal(size_of(10 * 1024), "10.00 KiB");
    assert_string_equal(size_of(99 * 1024 + 512), "99.50 KiB");
    assert_string_equal(size_of(100 * 1024 - 1), "100.0 KiB");
    assert_string_equal(size_of(100 * 1024), "100.0 KiB");
    assert_string_equal(size_of(139ull * 1073741824 + 858993460), "139.8 GiB");
    assert_string_equal(size_of(1023 * 1024), "1023.0 KiB");
    assert_string_equal(size_of(1073741824ull * 2), "2.00 GiB");
    assert_string_equal(size_of(64487424000), "60.06 GiB");
}

static void numbers_are_written_whole(void **state)
{
    char buffer[256];
    struct gmt_text text = gmt_text_over(buffer, sizeof buffer);
    (void)state;
    gmt_text_add_decimal(&text, 0);
    gmt_text_add(&text, " ");
    gmt_text_add_decimal(&text, UINT64_MAX);
    gmt_text_add(&text, " ");
    gmt_text_add_signed(&text, INT64_MIN);
    gmt_text_add(&text, " ");
    gmt_text_add_signed(&text, -1);
    gmt_text_add(&text, " ");
    gmt_text_add_signed(&text, INT64_MAX);
    gmt_text_add(&text, " ");
    gmt_text_add_hex(&text, 0);
    gmt_text_add(&text, " ");
    gmt_text_add_hex(&text, UINT64_MAX);
    assert_string_equal(buffer, "0 18446744073709551615 -9223372036854775808 -1 9223372036854775807 0x0 "
                                "0xffffffffffffffff");
}

static void what_does_not_fit_is_cut_and_marked(void **state)
{
    char buffer[8] = "XXXXXXX";
    struct gmt_text text = gmt_text_over(buffer, 6);
    (void)state;
    assert_string_equal(buffer, "");
    gmt_text_add(&text, "abc");
    assert_false(text.cut);
    gmt_text_add(&text, "de");
    assert_string_equal(buffer, "abcde");
    assert_false(text.cut);
    gmt_text_add(&text, "f");
    assert_string_equal(buffer, "abcde");
    assert_true(text.cut);
    assert_int_equal(text.length, 5);
    assert_int_equal(buffer[6], 'X');
}

static void a_part_ends_where_told(void **state)
{
    char buffer[16];
    struct gmt_text text = gmt_text_over(buffer, sizeof buffer);
    (void)state;
    gmt_text_add_part(&text, "abcdef", 3);
    gmt_text_add_part(&text, "xyz", 0);
    assert_string_equal(buffer, "abc");
}

static void room_for_the_end_alone_is_enough(void **state)
{
    char buffer[2] = "XX";
    struct gmt_text text = gmt_text_over(buffer, 1);
    (void)state;
    gmt_text_add_decimal(&text, 7);
    assert_true(text.cut);
    assert_int_equal(buffer[0], '\0');
    assert_int_equal(buffer[1], 'X');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes_are_in_bytes),
        cmocka_unit_test(each_unit_starts_at_its_power),
        cmocka_unit_test(a_size_just_below_a_unit_is_rounded_into_it),
        cmocka_unit_test(decimals_follow_the_magnitude),
        cmocka_unit_test(numbers_are_written_whole),
        cmocka_unit_test(what_does_not_fit_is_cut_and_marked),
        cmocka_unit_test(a_part_ends_where_told),
        cmocka_unit_test(room_for_the_end_alone_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
