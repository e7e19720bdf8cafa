/* Names of code in real ELF files. Argument: the folder of the libraries that symbols/CMakeLists.txt builds. */
#include "symbolizer_dw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demangled.h"
#include "support/unit_test.h"

static const char *folder;
static struct gmt_heap heap;
static uintptr_t captured;

static __attribute__((noinline)) void capture(void)
{
    captured = (uintptr_t)__builtin_return_address(0) - 1;
}

/* Loads the library, calls its function, and fills the module as the tracer records it. Returns the offset of the call.
 */
static uint64_t record(const char *library, const char *function, struct gmt_module *module)
{
    static const uint8_t build_id[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    Dl_info info;
    *module = (struct gmt_module){.path = gmt_heap_print(&heap, "%s/%s", folder, library),
                                  .name = library,
                                  .build_id_bytes = 20,
                                  .build_id_hex = "000102030405060708090a0b0c0d0e0f10111213"};
    memcpy(module->build_id, build_id, sizeof build_id);
    if (access(module->path, R_OK) != 0)
        return 0;
    void *handle = dlopen(module->path, RTLD_NOW);
    assert_non_null(handle);
    void *symbol = dlsym(handle, function);
    assert_non_null(symbol);
    void (*call)(void (*)(void));
    memcpy(&call, &symbol, sizeof call);
    call(capture);
    assert_int_not_equal(dladdr(symbol, &info), 0);
    return captured - (uintptr_t)info.dli_fbase;
}

struct expected {
    const char *function, *file;
    uint32_t line;
    bool inlined;
};

static void expect(const struct gmt_module *module, uint64_t offset, const struct expected *expected, size_t count)
{
    struct gmt_symbol symbols[GMT_SYMBOLS_MAX];
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(&heap);
    size_t found = symbolizer->name(symbolizer, module, offset, symbols);
    gmt_symbolizer_dw_close(symbolizer);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(symbols[i].function, expected[i].function);
        assert_int_equal(symbols[i].line, expected[i].line);
        assert_int_equal(symbols[i].inlined, expected[i].inlined);
        if (!expected[i].file)
            assert_null(symbols[i].file);
        else
            assert_string_equal(strrchr(symbols[i].file, '/') + 1, expected[i].file);
    }
}

static const struct expected inlined_chain[] = {
    {"innermost", "chain.c", 9, true}, {"middle", "chain.c", 14, true}, {"hidden", "chain.c", 20, false}};

static void names_inlined_functions(void **state)
{
    static const char *const libraries[] = {"chain.so", "linked.so", "folder.so", "clang.so"};
    struct gmt_module module;
    (void)state;
    for (unsigned i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        uint64_t offset = record(libraries[i], "chain_inlined", &module);
        if (offset == 0)
            print_message("skipped: %s needs a compiler that is not here\n", libraries[i]);
        else
            expect(&module, offset, inlined_chain, 3);
    }
}

static void names_exported_functions_of_stripped_files(void **state)
{
    struct gmt_module module;
    (void)state;
    uint64_t offset = record("stripped.so", "chain_direct", &module);
    expect(&module, offset, &(struct expected){"chain_direct", NULL, 0, false}, 1);
    offset = record("stripped.so", "chain_inlined", &module);
    expect(&module, offset, NULL, 0); /* not the name of whatever is exported before it */
}

static void names_cxx_functions(void **state)
{
    struct gmt_module module;
    (void)state;
    uint64_t offset = record("shop.so", "shop_enter", &module);
    if (offset == 0)
        skip();
    expect(&module, offset, &(struct expected){"shop::Cart<int>::add", "shop.cc", 8, false}, 1);
}

static const char *trouble_of(const struct gmt_module *module)
{
    struct gmt_symbol symbols[GMT_SYMBOLS_MAX];
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(&heap);
    assert_null(symbolizer->trouble(symbolizer, module)); /* nothing is opened before it is needed */
    assert_int_equal(symbolizer->name(symbolizer, module, 0x1000, symbols), 0);
    const char *trouble = symbolizer->trouble(symbolizer, module);
    gmt_symbolizer_dw_close(symbolizer);
    return trouble;
}

static void never_names_from_the_wrong_file(void **state)
{
    struct gmt_module module;
    (void)state;
    record("chain.so", "chain_direct", &module);
    module.build_id[0] ^= 1;
    assert_string_equal(trouble_of(&module), "this file is not the one that ran");
    module.build_id[0] ^= 1;
    module.build_id_bytes = 0; /* the one that ran had none */
    assert_string_equal(trouble_of(&module), "this file is not the one that ran");
    module.path = "/nonexistent/chain.so";
    assert_string_equal(trouble_of(&module), "the file is gone or cannot be read");
    module.path = "chain.so"; /* never relative to where the command happens to run */
    assert_string_equal(trouble_of(&module), "no file");
    module.path = "/dev/zero";
    assert_string_equal(trouble_of(&module), "the file is gone or cannot be read");
}

static void demangles(void **state)
{
    (void)state;
    assert_string_equal(gmt_demangled("_ZN6loader5Batch4growEm", &heap), "loader::Batch::grow");
    assert_string_equal(gmt_demangled("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", &heap),
                        "core::fmt::Write::write_fmt");
    assert_string_equal(gmt_demangled("_RNvCs1234_7mycrate3foo", &heap), "mycrate::foo");
    assert_string_equal(gmt_demangled("main", &heap), "main");
    assert_string_equal(gmt_demangled("_start", &heap), "_start");
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_inlined_functions),
        cmocka_unit_test(names_exported_functions_of_stripped_files),
        cmocka_unit_test(names_cxx_functions),
        cmocka_unit_test(never_names_from_the_wrong_file),
        cmocka_unit_test(demangles),
    };
    if (count < 2)
        return 2;
    folder = arguments[1];
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_heap_drop(&heap);
    return failed;
}
