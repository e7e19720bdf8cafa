/* The interpreter of unwind instructions, on instructions written out byte by byte. */
#include "support/unit_test.h"

#include "base/cfi.h"
#include "base/registers.h"

#define START 0x10000u
#define BREG(number) (0x70 + (number))
#define OFFSET(number) (0x80 | (number))
#define RESTORE(number) (0xc0 | (number))
#define ADVANCE(bytes) (0x40 | (bytes))
#define SP GMT_DWARF_SP
#define FP GMT_DWARF_FP
#define RA GMT_DWARF_RA

/* The CIE of every function here: CFA = sp + 8, return address at CFA - 8. */
static const uint8_t common[] = {0x0c, SP, 8, OFFSET(RA), 1};

static struct gmt_rule run_code(const uint8_t *bytes, size_t count, uintptr_t pc)
{
    struct gmt_unwind_code code = {
        .start = START,
        .code_alignment = 1,
        .data_alignment = -8,
        .return_register = RA,
        .initial = {common, common + sizeof common, false},
        .own = {bytes, bytes + count, false},
    };
    return gmt_cfi_run(&code, pc);
}

#define RUN(bytes, pc) run_code((bytes), sizeof(bytes), (pc))

/* push fp; mov sp, fp; …; pop fp; ret; and a part that is reached by a jump. */
static const uint8_t usual[] = {ADVANCE(1), 0x0e, 16,   OFFSET(FP), 2, ADVANCE(3),  0x0d,       FP,  0x02,
                                0x20,       0x0a, 0x0c, SP,         8, RESTORE(FP), ADVANCE(1), 0x0b};

static void expect_rule(uintptr_t offset, bool from_fp, int32_t cfa, bool fp_saved)
{
    struct gmt_rule rule = RUN(usual, START + offset);
    assert_int_equal(rule.kind, GMT_RULE_FRAME);
    assert_int_equal(rule.cfa_from_fp, from_fp);
    assert_int_equal(rule.cfa_offset, cfa);
    assert_false(rule.cfa_indirect);
    assert_int_equal(rule.fp_saved, fp_saved);
    assert_int_equal(rule.fp_offset, fp_saved ? -16 : 0);
    assert_true(rule.ra_saved);
    assert_int_equal(rule.ra_offset, -8);
}

static void the_row_is_the_last_that_starts_at_or_below(void **state)
{
    (void)state;
    expect_rule(0x00, false, 8, false);
    expect_rule(0x01, false, 16, true);
    expect_rule(0x03, false, 16, true);
    expect_rule(0x04, true, 16, true);
    expect_rule(0x23, true, 16, true);
    expect_rule(0x24, false, 8, false);
    expect_rule(0x25, true, 16, true);
    expect_rule(0x1000, true, 16, true);
}

static void an_undefined_return_address_is_the_end(void **state)
{
    static const uint8_t outermost[] = {0x07, RA};
    (void)state;
    assert_int_equal(RUN(outermost, START).kind, GMT_RULE_END);
}

/* Of a function that realigns its stack: the CFA lies in memory at fp - 8, the old fp at fp itself. */
static void a_realigned_stack_is_followed_through_memory(void **state)
{
    static const uint8_t realigned[] = {0x0f, 3, BREG(FP), 0x78, 0x06, 0x10, FP, 2, BREG(FP), 0};
    struct gmt_rule rule = RUN(realigned, START);
    (void)state;
    assert_int_equal(rule.kind, GMT_RULE_FRAME);
    assert_true(rule.cfa_from_fp && rule.cfa_indirect);
    assert_int_equal(rule.cfa_offset, -8);
    assert_true(rule.fp_saved && rule.fp_from_fp);
    assert_int_equal(rule.fp_offset, 0);
}

/* Of the procedure linkage table on x86-64: sp + 8, and 8 more in the last bytes of each 16. */
static void the_linkage_table_depends_on_the_counter_alone(void **state)
{
    static const uint8_t table[] = {0x0f, 11, BREG(7), 8, BREG(16), 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
    (void)state;
    if (RA != 16)
        skip();
    assert_int_equal(RUN(table, START + 0x10).cfa_offset, 8);
    assert_int_equal(RUN(table, START + 0x1a).cfa_offset, 8);
    assert_int_equal(RUN(table, START + 0x1b).cfa_offset, 16);
    assert_int_equal(RUN(table, START + 0x1f).cfa_offset, 16);
    assert_int_equal(RUN(table, START + 0x20).cfa_offset, 8);
    assert_int_equal(RUN(table, START + 0x1b).kind, GMT_RULE_FRAME);
}

static void wide_forms_mean_the_same(void **state)
{
    /* def_cfa_sf fp -2 (= +16), offset_extended_sf fp 2 (= -16), offset_extended ra 3 (= -24), GNU_args_size 300 */
    static const uint8_t wide[] = {0x12, FP, 0x7e, 0x11, FP, 2, 0x05, RA, 3, 0x2e, 0xac, 0x02};
    struct gmt_rule rule = RUN(wide, START);
    (void)state;
    assert_int_equal(rule.kind, GMT_RULE_FRAME);
    assert_true(rule.cfa_from_fp);
    assert_int_equal(rule.cfa_offset, 16);
    assert_int_equal(rule.fp_offset, -16);
    assert_int_equal(rule.ra_offset, -24);
}

/* That a return address is signed, plainly or together with the program counter, does not move it. */
static void signed_return_addresses_lie_where_others_do(void **state)
{
    static const uint8_t table[] = {0x2d, 0x0c, FP, 16, OFFSET(RA), 1, 0x2c};
    struct gmt_rule rule = RUN(table, START);
    (void)state;
    assert_int_equal(rule.kind, GMT_RULE_FRAME);
    assert_true(rule.ra_saved);
    assert_int_equal(rule.ra_offset, -8);
}

static void what_is_not_understood_gives_no_rule(void **state)
{
    static const uint8_t rows[][12] = {
        {0x01, 0, 0, 0, 0, 0, 0, 0, 0},                         /* set_loc */
        {0x3f},                                                 /* unknown */
        {0x0b},                                                 /* recall without remember */
        {0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a, 0x0a}, /* nine times remembered */
        {0x0c, 3, 8},                                           /* a CFA from another register */
        {0x09, FP, 3},                                          /* the frame pointer in another register */
        {0x16, RA, 1, 0x30},                                    /* the return address computed */
        {0x0f, 2, 0x30, 0x06},                                  /* a CFA that is no register's */
        {0x0f, 4, BREG(FP), 0, 0x06, 0x96},                     /* more after a load */
        {0x0f, 100, BREG(FP)},                                  /* longer than there is */
        {0x0f, 1, 0x22},                                        /* an addition of nothing */
        {0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},             /* an offset beyond 32 bits */
    };
    static const uint8_t lengths[] = {9, 1, 1, 9, 3, 3, 4, 4, 6, 3, 3, 7};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (run_code(rows[i], lengths[i], START).kind != GMT_RULE_NONE)
            fail_msg("row %u gave a rule", i);
    }
}

static void cut_instructions_give_no_rule(void **state)
{
    static const uint8_t whole[] = {0x0c, FP, 16, OFFSET(FP), 2, 0x11, FP, 2, 0x04, 1, 0, 0, 0};
    static const bool complete[] = {true,  false, false, true,  false, true,  false,
                                    false, true,  false, false, false, false, true};
    (void)state;
    for (unsigned bytes = 0; bytes <= sizeof whole; bytes++) {
        if ((run_code(whole, bytes, START).kind == GMT_RULE_FRAME) != complete[bytes])
            fail_msg("%u bytes", bytes);
    }
}

static void another_return_register_is_refused(void **state)
{
    struct gmt_unwind_code code = {.start = START, .code_alignment = 1, .data_alignment = -8, .return_register = 1};
    (void)state;
    assert_int_equal(gmt_cfi_run(&code, START).kind, GMT_RULE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_row_is_the_last_that_starts_at_or_below),
        cmocka_unit_test(an_undefined_return_address_is_the_end),
        cmocka_unit_test(a_realigned_stack_is_followed_through_memory),
        cmocka_unit_test(the_linkage_table_depends_on_the_counter_alone),
        cmocka_unit_test(wide_forms_mean_the_same),
        cmocka_unit_test(signed_return_addresses_lie_where_others_do),
        cmocka_unit_test(what_is_not_understood_gives_no_rule),
        cmocka_unit_test(cut_instructions_give_no_rule),
        cmocka_unit_test(another_return_register_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
