/* Names of code in real ELF files. Argument: the folder of the libraries that symbols/CMakeLists.txt builds. */
#include "symbolizer_dw.h"

#include "support/unit_test.h"
#include "symbols_fixture.h"

static const struct gmt_symbol_search nowhere_else;

static void expect(const struct gmt_module *module, uint64_t offset, const struct symbols_expected *expected,
                   size_t count)
{
    assert_null(symbols_expect(&nowhere_else, module, offset, expected, count, false));
}

static void names_inlined_functions(void **state)
{
    static const char *const libraries[] = {"chain.so", "linked.so", "folder.so", "clang.so"};
    struct gmt_module module;
    (void)state;
    for (unsigned i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        uint64_t offset = symbols_record(libraries[i], "chain_inlined", &module);
        if (offset == 0)
            print_message("skipped: %s needs a compiler that is not here\n", libraries[i]);
        else
            expect(&module, offset, symbols_chain, 3);
    }
}

static void names_exported_functions_of_stripped_files(void **state)
{
    struct gmt_module module;
    (void)state;
    uint64_t offset = symbols_record("stripped.so", "chain_direct", &module);
    expect(&module, offset, &(struct symbols_expected){"chain_direct", NULL, 0, false}, 1);
    offset = symbols_record("stripped.so", "chain_inlined", &module);
    expect(&module, offset, NULL, 0); /* not the name of whatever is exported before it */
}

/* clang keeps functions in their namespace's entry, gcc beside it. */
static void names_cxx_functions(void **state)
{
    static const char *const libraries[] = {"shop.so", "shop_clang.so"};
    static const struct symbols_expected lambdas[][2] = {
        {{"shop::pay", "shop.cc", 24, true},
         {"shop::checkout(void (*)())::{lambda(void (*)())#1}::operator()", "shop.cc", 30, false}},
        {{"shop::pay", "shop.cc", 24, true}, {"shop::checkout(void (*)())::$_0::operator()", "shop.cc", 30, false}}};
    struct gmt_module module;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t offset = symbols_record(libraries[i], "shop_enter", &module);
        if (offset == 0) {
            print_message("skipped: %s needs a compiler that is not here\n", libraries[i]);
            continue;
        }
        expect(&module, offset, &(struct symbols_expected){"shop::Cart<int>::add", "shop.cc", 8, false}, 1);
        expect(&module, symbols_record(libraries[i], "shop_checkout", &module), lambdas[i], 2);
    }
}

static void names_files_one_after_another(void **state)
{
    struct gmt_module chain, stripped;
    struct gmt_symbol symbols[GMT_SYMBOLS_MAX];
    (void)state;
    uint64_t inlined = symbols_record("chain.so", "chain_inlined", &chain);
    uint64_t direct = symbols_record("stripped.so", "chain_direct", &stripped);
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(&nowhere_else, &symbols_heap);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(symbolizer->name(symbolizer, &chain, inlined, symbols), 3);
        assert_string_equal(symbols[1].function, "middle");
        assert_int_equal(symbolizer->name(symbolizer, &stripped, direct, symbols), 1);
        assert_string_equal(symbols[0].function, "chain_direct");
    }
    gmt_symbolizer_dw_close(symbolizer);
}

static const char *trouble_of(const struct gmt_module *module)
{
    return symbols_expect(&nowhere_else, module, 0x1000, NULL, 0, false);
}

static void never_names_from_the_wrong_file(void **state)
{
    struct gmt_module module;
    (void)state;
    symbols_record("chain.so", "chain_direct", &module);
    const char *path = module.path;
    module.build_id[0] ^= 1;
    module.build_id_hex = "010102030405060708090a0b0c0d0e0f10111213";
    assert_string_equal(trouble_of(&module),
                        gmt_heap_print(&symbols_heap,
                                       "this file is not the one that ran: %s has build-id "
                                       "000102030405060708090a0b0c0d0e0f10111213, and the one that ran had "
                                       "010102030405060708090a0b0c0d0e0f10111213",
                                       path));
    module.build_id[0] ^= 1;
    module.build_id_bytes = 0; /* the one that ran had none */
    assert_string_equal(trouble_of(&module),
                        gmt_heap_print(&symbols_heap,
                                       "this file is not the one that ran: %s has build-id "
                                       "000102030405060708090a0b0c0d0e0f10111213, and the one that ran had none",
                                       path));
    module.path = "/nonexistent/chain.so";
    assert_string_equal(trouble_of(&module), "the file is gone or cannot be read");
    module.path = "chain.so"; /* never relative to where the command happens to run */
    assert_string_equal(trouble_of(&module), "no file");
    module.path = "/dev/zero";
    assert_string_equal(trouble_of(&module), "the file is gone or cannot be read");
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_inlined_functions),
        cmocka_unit_test(names_exported_functions_of_stripped_files),
        cmocka_unit_test(names_cxx_functions),
        cmocka_unit_test(names_files_one_after_another),
        cmocka_unit_test(never_names_from_the_wrong_file),
    };
    if (count < 2)
        return 2;
    symbols_begin(arguments[1]);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_heap_drop(&symbols_heap);
    return failed;
}
