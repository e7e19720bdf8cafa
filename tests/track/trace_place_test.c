/* Where trace files are made: names, the order of the places, and what is never opened. */
#include "support/unit_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "support/scratch.h"
#include "track/process_identity.h"
#include "track/trace_place.h"

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__ % 100 + 1;                                                                                 \
    } while (0) /* in a child: its status */

static char folder[GMT_SCRATCH_BYTES];
static char path[4096];

static int make_folder(void **state)
{
    (void)state;
    gmt_scratch_make(folder);
    unsetenv("GPUMEMTRACE_DIR");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unsetenv("GPUMEMTRACE_DIR");
    gmt_scratch_remove(folder);
    return 0;
}

/* Creates a file, closes it, and leaves its path in `path`. */
static int create(const char *wanted)
{
    int file = gmt_trace_place_create(wanted, path, sizeof path);
    if (file >= 0)
        close(file);
    return file;
}

static const char *below(const char *name)
{
    static char buffers[4][4096];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    snprintf(buffer, sizeof buffers[0], "%s/%s", folder, name);
    return buffer;
}

static void the_name_is_host_pid_start_and_random(void **state)
{
    struct utsname system;
    char expected[512];
    const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
    (void)state;
    assert_int_equal(uname(&system), 0);
    for (char *c = system.nodename; *c; c++) {
        if (*c == '.' || *c == '/')
            *c = '_';
    }
    snprintf(expected, sizeof expected, "%s/%s.%d.%llu.%02x%02x%02x%02x%02x%02x%02x%02x.gmt", folder, system.nodename,
             (int)getpid(), (unsigned long long)gmt_process_start_ticks(), random[0], random[1], random[2], random[3],
             random[4], random[5], random[6], random[7]);
    assert_true(create(folder) >= 0);
    assert_string_equal(path, expected);
}

static void the_file_is_empty_private_and_writable(void **state)
{
    struct stat status;
    (void)state;
    int file = gmt_trace_place_create(folder, path, sizeof path);
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal(status.st_size, 0);
    assert_int_equal(fcntl(file, F_GETFL) & O_ACCMODE, O_RDWR);
    assert_int_equal(fcntl(file, F_GETFD), FD_CLOEXEC);
    close(file);
}

static void a_missing_folder_is_made(void **state)
{
    struct stat status;
    (void)state;
    assert_true(create(below("made")) >= 0);
    assert_int_equal(stat(below("made"), &status), 0);
    assert_int_equal(status.st_mode, S_IFDIR | 0700);
    assert_memory_equal(path, below("made/"), strlen(below("made/")));
}

static void a_relative_folder_gives_an_absolute_path(void **state)
{
    char before[4096];
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_true(create("sub") >= 0);
    assert_int_equal(chdir(before), 0);
    assert_memory_equal(path, below("sub/"), strlen(below("sub/")));
    assert_int_equal(access(path, F_OK), 0);
}

static void the_wanted_folder_comes_before_the_environments(void **state)
{
    (void)state;
    setenv("GPUMEMTRACE_DIR", below("environment"), 1);
    assert_true(create(below("wanted")) >= 0);
    assert_memory_equal(path, below("wanted/"), strlen(below("wanted/")));
    assert_int_equal(access(below("environment"), F_OK), -1);
    assert_true(create("") >= 0);
    assert_memory_equal(path, below("environment/"), strlen(below("environment/")));
    assert_true(create(NULL) >= 0);
}

static void an_unusable_folder_leads_to_the_next_place(void **state)
{
    (void)state;
    int blocker = open(below("file"), O_CREAT | O_WRONLY, 0600);
    assert_true(blocker >= 0);
    close(blocker);
    setenv("GPUMEMTRACE_DIR", below("environment"), 1);
    assert_true(create(below("file")) >= 0); /* not a folder */
    assert_memory_equal(path, below("environment/"), strlen(below("environment/")));
    assert_true(create(below("no/such/parent")) >= 0);
    assert_memory_equal(path, below("environment/"), strlen(below("environment/")));
    static char long_name[4200];
    memset(long_name, 'l', sizeof long_name - 1);
    long_name[0] = '/';
    assert_true(create(long_name) >= 0);
    assert_memory_equal(path, below("environment/"), strlen(below("environment/")));
}

/* What the file would be called, without leaving it. */
static void learn_name(char name_out[4096])
{
    assert_true(create(folder) >= 0);
    strcpy(name_out, path);
    assert_int_equal(unlink(path), 0);
}

static void a_file_that_exists_is_never_opened(void **state)
{
    char first[4096];
    char expected[4100];
    char content[8] = "";
    (void)state;
    learn_name(first);
    int mine = open(first, O_CREAT | O_EXCL | O_RDWR, 0666);
    assert_int_equal(write(mine, "mine", 5), 5);
    assert_true(create(folder) >= 0);
    snprintf(expected, sizeof expected, "%.*s.2.gmt", (int)strlen(first) - 4, first);
    assert_string_equal(path, expected);
    assert_int_equal(pread(mine, content, sizeof content, 0), 5);
    assert_string_equal(content, "mine");
    close(mine);
}

static void a_link_is_never_followed(void **state)
{
    char first[4096];
    (void)state;
    learn_name(first);
    assert_int_equal(symlink(below("victim"), first), 0); /* dangling: O_CREAT alone would make the victim */
    assert_true(create(folder) >= 0);
    assert_string_not_equal(path, first);
    assert_int_equal(access(below("victim"), F_OK), -1);
}

static void after_nine_names_the_next_place_is_tried(void **state)
{
    (void)state;
    setenv("GPUMEMTRACE_DIR", below("environment"), 1);
    for (unsigned i = 0; i < 9; i++) {
        assert_true(create(folder) >= 0);
        assert_null(strstr(path, "environment"));
    }
    assert_true(create(folder) >= 0);
    assert_memory_equal(path, below("environment/"), strlen(below("environment/")));
}

/* In a child with mounts of its own: /dev/shm is empty, and the temporary folder is ours. */
static int prepare_places(void)
{
    if (!gmt_mounts_make_private() || !gmt_mounts_add_tmpfs("/dev/shm", "size=1m"))
        return GMT_TEST_SKIPPED;
    setenv("TMPDIR", folder, 1);
    return 0;
}

static const char *private_name(const char *parent)
{
    static char buffers[2][128];
    static unsigned next;
    char *buffer = buffers[next++ % 2];
    snprintf(buffer, sizeof buffers[0], "%s/gpumemtrace-%u", parent, (unsigned)geteuid());
    return buffer;
}

static int begins_with(const char *string, const char *start)
{
    return strncmp(string, start, strlen(start)) == 0;
}

static int in_shared_memory_first(void *argument)
{
    struct stat status;
    (void)argument;
    if (prepare_places())
        return GMT_TEST_SKIPPED;
    CHECK(create(NULL) >= 0);
    CHECK(begins_with(path, private_name("/dev/shm")));
    CHECK(stat(private_name("/dev/shm"), &status) == 0 && status.st_mode == (S_IFDIR | 0700));
    CHECK(create(NULL) >= 0); /* the folder is there now */
    CHECK(begins_with(path, private_name("/dev/shm")));
    return 0;
}

static int not_in_a_folder_open_to_others(void *argument)
{
    static const mode_t modes[] = {0777, 0701, 0710, 01777};
    (void)argument;
    if (prepare_places())
        return GMT_TEST_SKIPPED;
    CHECK(mkdir(private_name("/dev/shm"), 0700) == 0);
    for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        CHECK(chmod(private_name("/dev/shm"), modes[i]) == 0);
        CHECK(create(NULL) >= 0);
        CHECK(begins_with(path, private_name(folder)));
        CHECK(unlink(path) == 0);
    }
    return 0;
}

static int not_through_a_link(void *argument)
{
    (void)argument;
    if (prepare_places())
        return GMT_TEST_SKIPPED;
    CHECK(mkdir("/dev/shm/own", 0700) == 0);
    CHECK(symlink("own", private_name("/dev/shm")) == 0);
    CHECK(create(NULL) >= 0);
    CHECK(begins_with(path, private_name(folder)));
    return 0;
}

static int not_in_a_folder_of_another_user(void *argument)
{
    (void)argument;
    if (prepare_places() || mkdir(private_name("/dev/shm"), 0700) != 0 ||
        chown(private_name("/dev/shm"), 54321, (gid_t)-1) != 0)
        return GMT_TEST_SKIPPED;
    CHECK(create(NULL) >= 0);
    CHECK(begins_with(path, private_name(folder)));
    return 0;
}

static int nowhere_when_nothing_is_writable(void *argument)
{
    (void)argument;
    if (!gmt_mounts_make_private() || !gmt_mounts_add_tmpfs("/dev/shm", "size=1m,ro") ||
        !gmt_mounts_add_tmpfs("/tmp", "size=1m,ro"))
        return GMT_TEST_SKIPPED;
    setenv("TMPDIR", "/proc", 1);
    CHECK(create("/proc/nowhere") == -EROFS);
    CHECK(path[0] == '\0');
    return 0;
}

static void expect_place(int (*body)(void *))
{
    int status = gmt_child_run(body, NULL);
    if (status == GMT_TEST_SKIPPED) {
        print_message("skipped: this user may not mount file systems or give files away here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static void the_standard_places_are_tried_in_order(void **state)
{
    (void)state;
    expect_place(in_shared_memory_first);
}

static void a_folder_that_others_may_enter_is_refused(void **state)
{
    (void)state;
    expect_place(not_in_a_folder_open_to_others);
}

static void a_folder_behind_a_link_is_refused(void **state)
{
    (void)state;
    expect_place(not_through_a_link);
}

static void a_folder_of_another_user_is_refused(void **state)
{
    (void)state;
    expect_place(not_in_a_folder_of_another_user);
}

static void with_no_place_at_all_the_error_comes_back(void **state)
{
    (void)state;
    expect_place(nowhere_when_nothing_is_writable);
}

#define PLACE_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(the_name_is_host_pid_start_and_random),
        PLACE_TEST(the_file_is_empty_private_and_writable),
        PLACE_TEST(a_missing_folder_is_made),
        PLACE_TEST(a_relative_folder_gives_an_absolute_path),
        PLACE_TEST(the_wanted_folder_comes_before_the_environments),
        PLACE_TEST(an_unusable_folder_leads_to_the_next_place),
        PLACE_TEST(a_file_that_exists_is_never_opened),
        PLACE_TEST(a_link_is_never_followed),
        PLACE_TEST(after_nine_names_the_next_place_is_tried),
        PLACE_TEST(the_standard_places_are_tried_in_order),
        PLACE_TEST(a_folder_that_others_may_enter_is_refused),
        PLACE_TEST(a_folder_behind_a_link_is_refused),
        PLACE_TEST(a_folder_of_another_user_is_refused),
        PLACE_TEST(with_no_place_at_all_the_error_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
