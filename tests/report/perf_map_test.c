/* Maps of just-in-time compilers: what is read out of them, which are believed, and that none does harm. */
#include "perf_map.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/unit_test.h"

#define ADDRESSES 5

static const uint64_t addresses[ADDRESSES] = {0x1000, 0x10ff, 0x1100, UINT64_C(0x7f0000001234), UINT64_MAX};
static char root[GMT_SCRATCH_BYTES], path[128];
static struct gmt_heap heap;
static struct gmt_trace_view view;
static const char *names[ADDRESSES];

static void write_map(const char *bytes, size_t length)
{
    unlink(path);
    FILE *file = fopen(path, "we");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
}

static const char *read_map(void)
{
    struct gmt_process process = {.view = &view};
    memset(names, 0, sizeof names);
    return gmt_perf_map_name(root, &process, addresses, ADDRESSES, names, &heap);
}

static void expect_names(const char *map, const char *const *expected)
{
    write_map(map, strlen(map));
    assert_null(read_map());
    for (unsigned i = 0; i < ADDRESSES; i++) {
        if (!expected[i])
            assert_null(names[i]);
        else
            assert_string_equal(names[i], expected[i]);
    }
}

#define EXPECT_NAMES(map, ...) expect_names(map, (const char *const[ADDRESSES]){__VA_ARGS__})

static void reads_what_compilers_write(void **state)
{
    (void)state;
    EXPECT_NAMES("1000 100 py::train:/home/user/train.py\n", "py::train:/home/user/train.py",
                 "py::train:/home/user/train.py");
    EXPECT_NAMES("0x7F0000001200 0x40 LazyCompile:~step loop.js:12\n", NULL, NULL, NULL,
                 "LazyCompile:~step loop.js:12");
    EXPECT_NAMES("7f0000001234 1 last line without an end", NULL, NULL, NULL, "last line without an end");
    EXPECT_NAMES("1100 8  _ZN3jit6kernelEv\n", NULL, NULL, "jit::kernel");
    EXPECT_NAMES("", NULL);
}

static void believes_the_last_line(void **state)
{
    (void)state;
    EXPECT_NAMES("1000 200 old\n1100 10 new\n", "old", "old", "new");
    EXPECT_NAMES("1100 10 small\n1000 200 large\n", "large", "large", "large");
}

static void passes_over_what_is_no_line(void **state)
{
    (void)state;
    EXPECT_NAMES("\n\nhello\n1000\n1000 100\n1000 100 \n1000  x\n-1000 100 a\n1000 0 empty\n1000 0x b\n1000 100 good\n",
                 "good", "good");
    EXPECT_NAMES("11112222333344445 100 too wide\nffffffffffffffff 2 around the end\n", NULL);
    EXPECT_NAMES("0 ffffffffffffffff everything\n", "everything", "everything", "everything", "everything");
}

static void cuts_long_lines(void **state)
{
    char map[6000];
    (void)state;
    memset(map, 'x', sizeof map);
    memcpy(map, "1000 100 ", 9);
    memcpy(map + 5000, "\n1100 1 next\n", 13);
    write_map(map, 5013);
    assert_null(read_map());
    assert_int_equal(strlen(names[0]), 1024 - 9);
    assert_string_equal(names[2], "next");
}

static const char *sentence(const char *format)
{
    return gmt_heap_print(&heap, "%s %s", path, format);
}

static void believes_only_what_is_the_users(void **state)
{
    char other[160];
    (void)state;
    snprintf(other, sizeof other, "%s/tmp/other", root);
    write_map("1000 100 name\n", 14);
    assert_int_equal(rename(path, other), 0);
    assert_null(read_map()); /* there is none */
    assert_null(names[0]);
    assert_int_equal(symlink(other, path), 0);
    assert_string_equal(read_map(), sentence("is a link"));
    unlink(path);
    assert_int_equal(link(other, path), 0);
    assert_string_equal(read_map(), sentence("is a link"));
    unlink(path);
    unlink(other);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_string_equal(read_map(), sentence("is not a file"));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_string_equal(read_map(), sentence("is not a file"));
    rmdir(path);
    assert_null(names[0]);
    write_map("1000 100 name\n", 14);
    if (geteuid() != 0 || chown(path, 12345, 12345) != 0) {
        print_message("skipped: only root can give a file to another user\n");
        return;
    }
    assert_string_equal(read_map(), sentence("belongs to another user"));
    assert_null(names[0]);
}

/* The number of a process that ended is given to another one. */
static void believes_no_older_map(void **state)
{
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)state;
    write_map("1000 100 name\n", 14);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    /* Booted at second 900, started at 1000 (ticks of 10 ms), first used CUDA at 1300. */
    view.header.start_unix_ns = UINT64_C(1300000000000);
    view.header.start_monotonic_ns = UINT64_C(400000000000);
    view.header.process_start_ticks = 10000;
    assert_null(read_map());
    assert_string_equal(names[0], "name");
    view.header.process_start_ticks = 11000;
    assert_string_equal(read_map(), sentence("is older than the process; it is of another one with the same number"));
    assert_null(names[0]);
    view.header.process_start_ticks = 50000; /* the machine slept: no telling */
    assert_null(read_map());
    assert_string_equal(names[0], "name");
    view.header.process_start_ticks = 0;
}

static void looks_for_no_map_of_another_host(void **state)
{
    struct gmt_process process = {.view = &view, .host = "a host of that name is nowhere"};
    (void)state;
    assert_null(gmt_perf_map_name(NULL, &process, addresses, ADDRESSES, names, &heap));
}

/* Every line covers every address. */
static void gives_up_on_hostile_maps(void **state)
{
    static uint64_t many[4096];
    static const char *many_names[4096];
    struct gmt_process process = {.view = &view};
    (void)state;
    for (unsigned i = 0; i < 4096; i++)
        many[i] = 0x1000 + i;
    unlink(path);
    FILE *file = fopen(path, "we");
    for (unsigned i = 0; i < 8192; i++)
        fprintf(file, "1000 1000 n%u\n", i);
    fclose(file);
    assert_string_equal(gmt_perf_map_name(root, &process, many, 4096, many_names, &heap),
                        sentence("is too large to be read to its end"));
    assert_string_equal(many_names[4095], "n4095");
    /* A gigabyte of nothing. */
    assert_int_equal(truncate(path, INT64_C(1) << 30), 0);
    assert_string_equal(read_map(), sentence("is too large to be read to its end"));
}

/* Every byte changed, every length, and bytes from a fixed generator. What is found must be a string. */
static void survives_damage(void **state)
{
    static const char whole[] = "1000 100 a\n0x1100 0x10 b c\n7f0000001230 8 d\nfffffffffffffff0 f e\n";
    char map[512];
    uint64_t random = 88172645463325252;
    (void)state;
    for (size_t i = 0; i < 256 * (sizeof whole - 1); i++) {
        memcpy(map, whole, sizeof whole);
        map[i / 256] = (char)(i % 256);
        write_map(map, sizeof whole - 1);
        assert_null(read_map());
    }
    for (size_t length = 0; length < sizeof whole; length++) {
        write_map(whole, length);
        assert_null(read_map());
    }
    for (unsigned round = 0; round < 5000; round++) {
        static const char alphabet[] = "01fF xX\n\n -a\xff";
        for (size_t i = 0; i < sizeof map; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17; /* xorshift */
            map[i] = alphabet[random % (sizeof alphabet)];
        }
        write_map(map, sizeof map);
        assert_null(read_map());
        for (unsigned i = 0; i < ADDRESSES; i++)
            assert_true(!names[i] || strlen(names[i]) < 1024);
        if (round % 256 == 0)
            gmt_heap_drop(&heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_compilers_write),
        cmocka_unit_test(believes_the_last_line),
        cmocka_unit_test(passes_over_what_is_no_line),
        cmocka_unit_test(cuts_long_lines),
        cmocka_unit_test(believes_only_what_is_the_users),
        cmocka_unit_test(believes_no_older_map),
        cmocka_unit_test(looks_for_no_map_of_another_host),
        cmocka_unit_test(gives_up_on_hostile_maps),
        cmocka_unit_test(survives_damage),
    };
    char folder[128];
    gmt_scratch_make(root);
    snprintf(folder, sizeof folder, "%s/tmp", root);
    mkdir(folder, 0700);
    view.header.pid = 4711;
    snprintf(path, sizeof path, "%s/tmp/perf-4711.map", root);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_scratch_remove(root);
    gmt_heap_drop(&heap);
    return failed;
}
