#include "symbols_fixture.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "support/unit_test.h"
#include "symbolizer_dw.h"

const char *symbols_folder;
struct gmt_heap symbols_heap;

const struct symbols_expected symbols_chain[3] = {
    {"innermost", "chain.c", 9, true}, {"middle", "chain.c", 14, true}, {"hidden", "chain.c", 20, false}};

static uintptr_t captured;

static __attribute__((noinline)) void capture(void)
{
    captured = (uintptr_t)__builtin_return_address(0) - 1;
}

void symbols_begin(const char *folder)
{
    symbols_folder = folder;
}

uint64_t symbols_record(const char *library, const char *function, struct gmt_module *module)
{
    static const uint8_t build_id[20] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    Dl_info info;
    *module = (struct gmt_module){.path = gmt_heap_print(&symbols_heap, "%s/%s", symbols_folder, library),
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

const char *symbols_expect(const struct gmt_symbol_search *search, const struct gmt_module *module, uint64_t offset,
                           const struct symbols_expected *expected, size_t count, bool lines_only)
{
    struct gmt_symbol symbols[GMT_SYMBOLS_MAX];
    struct gmt_symbolizer *symbolizer = gmt_symbolizer_dw_open(search, &symbols_heap);
    bool found_lines_only;
    assert_null(symbolizer->trouble(symbolizer, module, &found_lines_only)); /* nothing is opened before it is needed */
    size_t found = symbolizer->name(symbolizer, module, offset, symbols);
    const char *trouble = symbolizer->trouble(symbolizer, module, &found_lines_only);
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
    assert_int_equal(found_lines_only, lines_only);
    return trouble;
}
