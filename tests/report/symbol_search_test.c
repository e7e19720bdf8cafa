/* --symbols and --sysroot: where files are found, and that no other file is taken for the one that ran. Argument: the
 * folder of the libraries that symbols/CMakeLists.txt builds. */
#include "symbol_search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/unit_test.h"
#include "symbols_fixture.h"

#define ID_REST "0102030405060708090a0b0c0d0e0f10111213"

static const char *scratch;

/* Makes the folders of a path below the scratch folder, and in the last a link to a built file. */
static void place(const char *file, const char *where)
{
    char *path = (char *)gmt_heap_print(&symbols_heap, "%s/%s", scratch, where);
    for (char *slash = strchr(path + strlen(scratch) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    assert_int_equal(symlink(gmt_heap_print(&symbols_heap, "%s/%s", symbols_folder, file), path), 0);
}

static struct gmt_symbol_search below(const char *folder)
{
    return (struct gmt_symbol_search){.folders = {gmt_heap_print(&symbols_heap, "%s/%s", scratch, folder)},
                                      .folder_count = 1};
}

/* Debug information of a stripped file, under each name that it may have. */
static void finds_debug_information(void **state)
{
    static const char *const names[] = {".build-id/00/" ID_REST ".debug", "bare.so.debug", "bare.so", "chain.debug",
                                        ".debug/chain.debug"};
    struct gmt_module module;
    (void)state;
    uint64_t offset = symbols_record("bare.so", "chain_inlined", &module);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *folder = gmt_heap_print(&symbols_heap, "debug%u", i);
        place("apart/chain.debug", gmt_heap_print(&symbols_heap, "%s/%s", folder, names[i]));
        struct gmt_symbol_search search = below(folder);
        assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    }
    place("apart/chain.debug", gmt_heap_print(&symbols_heap, "full%s", module.path));
    struct gmt_symbol_search search = below("full");
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    search = (struct gmt_symbol_search){.folder_count = 0};
    assert_null(symbols_expect(&search, &module, offset, NULL, 0, false));
}

static void searches_every_folder(void **state)
{
    struct gmt_module module;
    (void)state;
    place("apart/chain.debug", "second/chain.debug");
    place("chain.so", "first/unrelated.so");
    uint64_t offset = symbols_record("bare.so", "chain_inlined", &module);
    struct gmt_symbol_search search = below("first");
    search.folders[search.folder_count++] = gmt_heap_print(&symbols_heap, "%s/second", scratch);
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
}

/* Without a build-id the checksum in .gnu_debuglink decides. */
static void finds_by_checksum(void **state)
{
    struct gmt_module module;
    (void)state;
    uint64_t offset = symbols_record("bare_plain.so", "chain_inlined", &module);
    module.build_id_bytes = 0;
    module.build_id_hex = NULL;
    place("apart/plain.debug", "plain/plain.debug");
    struct gmt_symbol_search search = below("plain");
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    place("apart/chain.debug", "not_plain/plain.debug");
    search = below("not_plain");
    assert_string_equal(symbols_expect(&search, &module, offset, NULL, 0, true),
                        gmt_heap_print(&symbols_heap,
                                       "%s/not_plain/plain.debug is not of the file that ran (it has build-id "
                                       "00" ID_REST ")",
                                       scratch));
}

/* A program that was deleted or built anew since it ran: its debug file or a copy stands for it. */
static void stands_in_for_files_that_are_gone(void **state)
{
    struct gmt_module module;
    struct symbols_expected direct = {"chain_direct", NULL, 0, false};
    (void)state;
    uint64_t offset = symbols_record("chain.so", "chain_inlined", &module);
    module.path = "/nonexistent/app";
    place("apart/chain.debug", "gone/.build-id/00/" ID_REST ".debug");
    struct gmt_symbol_search search = below("gone");
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    module.path = gmt_heap_print(&symbols_heap, "%s/apart/other.so", symbols_folder); /* replaced */
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    offset = symbols_record("chain.so", "chain_direct", &module);
    module.path = "/nonexistent/app";
    place("stripped.so", "copy/app");
    search = below("copy");
    assert_null(symbols_expect(&search, &module, offset, &direct, 1, false));
}

static void says_which_files_are_others(void **state)
{
    struct gmt_module module;
    struct symbols_expected direct = {"chain_direct", NULL, 0, false};
    (void)state;
    place("apart/other.so", "wrong/bare.so.debug");
    place("apart/other.so", "wrong/app");
    place("apart/plain.so", "wrong/app.debug");
    struct gmt_symbol_search search = below("wrong");
    uint64_t offset = symbols_record("bare.so", "chain_direct", &module);
    assert_string_equal(
        symbols_expect(&search, &module, offset, &direct, 1, true),
        gmt_heap_print(&symbols_heap,
                       "%s/wrong/bare.so.debug is not of the file that ran (it has build-id ff" ID_REST ")", scratch));
    module.path = "/nonexistent/app";
    assert_string_equal(symbols_expect(&search, &module, offset, NULL, 0, false),
                        gmt_heap_print(&symbols_heap,
                                       "the file is gone or cannot be read; %s/wrong/app.debug is not the one that ran "
                                       "(it has no build-id); %s/wrong/app is not the one that ran (it has build-id "
                                       "ff" ID_REST ")",
                                       scratch, scratch));
}

static void looks_below_a_sysroot(void **state)
{
    struct gmt_module module;
    (void)state;
    uint64_t offset = symbols_record("chain.so", "chain_inlined", &module);
    const char *root = gmt_heap_print(&symbols_heap, "%s/root", scratch);
    struct gmt_symbol_search search = {.sysroot = root};
    const char *path = module.path;
    module.path = "/opt/app";
    assert_string_equal(symbols_expect(&search, &module, offset, NULL, 0, false),
                        gmt_heap_print(&symbols_heap, "%s/opt/app is not there or cannot be read", root));
    mkdir(root, 0700);
    mkdir(gmt_heap_print(&symbols_heap, "%s/opt", root), 0700);
    assert_int_equal(link(path, gmt_heap_print(&symbols_heap, "%s/opt/app", root)), 0);
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    /* An absolute link means the sysroot's file, not this machine's. */
    assert_int_equal(symlink("/opt/app", gmt_heap_print(&symbols_heap, "%s/opt/linked", root)), 0);
    module.path = "/opt/linked";
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
    assert_int_equal(symlink(path, gmt_heap_print(&symbols_heap, "%s/opt/outside", root)), 0);
    module.path = "/opt/outside";
    symbols_expect(&search, &module, offset, NULL, 0, false);
    /* Its own debug information lies below it, too. */
    assert_int_equal(link(gmt_heap_print(&symbols_heap, "%s/bare.so", symbols_folder),
                          gmt_heap_print(&symbols_heap, "%s/opt/bare.so", root)),
                     0);
    place("apart/chain.debug", "root/usr/lib/debug/opt/bare.so.debug");
    module.path = "/opt/bare.so";
    assert_null(symbols_expect(&search, &module, offset, symbols_chain, 3, false));
}

static void refuses_what_is_no_folder(void **state)
{
    struct gmt_sentence why;
    struct gmt_symbol_search search = below("missing");
    (void)state;
    assert_false(gmt_symbol_search_check(&search, &why));
    assert_string_equal(why.text, gmt_heap_print(&symbols_heap,
                                                 "--symbols %s/missing cannot be used: No such file or directory; name "
                                                 "a folder",
                                                 scratch));
    search = (struct gmt_symbol_search){.sysroot = gmt_heap_print(&symbols_heap, "%s/chain.so", symbols_folder)};
    assert_false(gmt_symbol_search_check(&search, &why));
    assert_string_equal(why.text, gmt_heap_print(&symbols_heap,
                                                 "--sysroot %s/chain.so is not a folder; name the folder that the file "
                                                 "is in",
                                                 symbols_folder));
    search = (struct gmt_symbol_search){.sysroot = "/", .folders = {scratch}, .folder_count = 1};
    assert_true(gmt_symbol_search_check(&search, &why));
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_debug_information),     cmocka_unit_test(searches_every_folder),
        cmocka_unit_test(finds_by_checksum),           cmocka_unit_test(stands_in_for_files_that_are_gone),
        cmocka_unit_test(says_which_files_are_others), cmocka_unit_test(looks_below_a_sysroot),
        cmocka_unit_test(refuses_what_is_no_folder),
    };
    if (count < 2)
        return 2;
    symbols_begin(arguments[1]);
    /* Beside the files, so that they can be linked to. */
    char *folder = (char *)gmt_heap_print(&symbols_heap, "%s/search-XXXXXX", symbols_folder);
    if (!(scratch = mkdtemp(folder)))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_scratch_remove(folder);
    gmt_heap_drop(&symbols_heap);
    return failed;
}
