/* Unwind tables: those of this program, and one made by hand, whole and cut. */
#include "support/unit_test.h"

#include <stdlib.h>
#include <string.h>

#include "base/eh_frame.h"
#include "base/registers.h"

/* A header with two functions at +0x100 and +0x200 (0x20 and 0x40 bytes long), a CIE and their FDEs behind it. Every
 * pointer is relative, so the table works wherever it lies. */
static const uint8_t made[] = {
    /* +0x00: version, frame pcrel sdata4, count udata4, table datarel sdata4 */
    1,
    0x1b,
    0x03,
    0x3b,
    /* +0x04: .eh_frame at +0x1c, from here 0x18 */
    0x18,
    0,
    0,
    0,
    /* +0x08: two entries */
    2,
    0,
    0,
    0,
    /* +0x0c */
    0x00,
    1,
    0,
    0,
    0x34,
    0,
    0,
    0,
    /* +0x14 */
    0x00,
    2,
    0,
    0,
    0x48,
    0,
    0,
    0,
    /* +0x1c: CIE, 20 bytes: version 1, "zR", code 1, data -8, return register, 1 byte: pcrel sdata4 */
    20,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    'z',
    'R',
    0,
    1,
    0x78,
    GMT_DWARF_RA,
    1,
    0x1b,
    0x0c,
    GMT_DWARF_SP,
    8,
    0,
    0,
    0,
    0,
    /* +0x34: FDE, 16 bytes; its CIE is 0x1c back from +0x38; start +0x100 from +0x3c; length */
    16,
    0,
    0,
    0,
    0x1c,
    0,
    0,
    0,
    0xc4,
    0,
    0,
    0,
    0x20,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    /* +0x48: FDE; its CIE is 0x30 back from +0x4c; start +0x200 from +0x50; length */
    16,
    0,
    0,
    0,
    0x30,
    0,
    0,
    0,
    0xb0,
    1,
    0,
    0,
    0x40,
    0,
    0,
    0,
    0,
    0x41,
    0,
    0,
};

static bool search(const uint8_t *table, size_t bytes, intptr_t offset, struct gmt_unwind_code *code_out)
{
    uintptr_t pc = (uintptr_t)table + (uintptr_t)offset;
    const uint8_t *entry;
    return gmt_eh_frame_search(table, table, table + bytes, pc, &entry) &&
           gmt_eh_frame_read(entry, table, table + bytes, pc, code_out);
}

static void functions_are_found_by_their_range(void **state)
{
    struct gmt_unwind_code code;
    (void)state;
    assert_int_equal(sizeof made, 0x5c);
    assert_false(search(made, sizeof made, 0xff, &code));
    assert_true(search(made, sizeof made, 0x100, &code));
    assert_int_equal(code.start - (uintptr_t)made, 0x100);
    assert_int_equal(code.code_alignment, 1);
    assert_int_equal(code.data_alignment, -8);
    assert_int_equal(code.return_register, GMT_DWARF_RA);
    assert_false(code.signal_frame);
    assert_int_equal(code.initial.end - code.initial.at, 7);
    assert_int_equal(code.initial.at[0], 0x0c);
    assert_true(search(made, sizeof made, 0x11f, &code));
    assert_false(search(made, sizeof made, 0x120, &code));
    assert_false(search(made, sizeof made, 0x1ff, &code));
    assert_true(search(made, sizeof made, 0x23f, &code));
    assert_int_equal(code.start - (uintptr_t)made, 0x200);
    assert_int_equal(code.own.end - code.own.at, 3);
    assert_int_equal(code.own.at[0], 0x41);
    assert_false(search(made, sizeof made, 0x240, &code));
    assert_false(search(made, sizeof made, -1, &code));
}

/* Copies end exactly where their memory ends, so that a sanitizer sees a read beyond. */
static void a_cut_table_finds_nothing_or_the_same(void **state)
{
    struct gmt_unwind_code code;
    (void)state;
    for (size_t bytes = 0; bytes < sizeof made; bytes++) {
        uint8_t *copy = malloc(bytes ? bytes : 1);
        assert_non_null(copy);
        memcpy(copy, made, bytes);
        assert_int_equal(search(copy, bytes, 0x110, &code), bytes >= 0x48);
        assert_false(search(copy, bytes, 0x210, &code));
        free(copy);
    }
}

static void a_table_spoiled_anywhere_is_survived(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    uint8_t *copy = malloc(sizeof made);
    unsigned found = 0;
    (void)state;
    assert_non_null(copy);
    for (size_t at = 0; at < sizeof made; at++) {
        for (unsigned v = 0; v < sizeof values; v++) {
            struct gmt_unwind_code code;
            memcpy(copy, made, sizeof made);
            copy[at] = values[v];
            found += search(copy, sizeof made, 0x110, &code);
        }
    }
    free(copy);
    assert_true(found > 0 && found < sizeof made * sizeof values);
}

static int find_own(struct dl_phdr_info *info, size_t bytes, void *argument)
{
    (void)bytes;
    struct gmt_unwind_code *code = argument;
    uintptr_t pc = (uintptr_t)functions_are_found_by_their_range + 4;
    return gmt_eh_frame_find(info, pc, code) ? 1 : 2; /* the program comes first */
}

static void this_programs_own_table_is_read(void **state)
{
    struct gmt_unwind_code code;
    (void)state;
    assert_int_equal(dl_iterate_phdr(find_own, &code), 1);
    assert_int_equal(code.start, (uintptr_t)functions_are_found_by_their_range);
    assert_int_equal(code.return_register, GMT_DWARF_RA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_their_range),
        cmocka_unit_test(a_cut_table_finds_nothing_or_the_same),
        cmocka_unit_test(a_table_spoiled_anywhere_is_survived),
        cmocka_unit_test(this_programs_own_table_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
