/* The folder of a run: made private, and removed without touching anything that is not a run's. */
#include "support/unit_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_folder.h"
#include "support/scratch.h"

static char scratch[GMT_SCRATCH_BYTES];

static const char *inside(const char *folder, const char *name)
{
    static char path[GMT_RUN_FOLDER_BYTES + 64];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_in_range(length, 1, sizeof path - 1);
    return path;
}

static void make_file(const char *path)
{
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    close(file);
}

static void make_run_folder(char *path_out)
{
    struct gmt_sentence why;
    setenv("GPUMEMTRACE_DIR", scratch, 1);
    assert_true(gmt_run_folder_create(path_out, GMT_RUN_FOLDER_BYTES, &why));
}

static void trace_files_and_links_go_with_the_folder(void **state)
{
    char folder[GMT_RUN_FOLDER_BYTES];
    struct stat status;
    (void)state;
    make_run_folder(folder);
    assert_int_equal(stat(folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    make_file(inside(folder, "host.1.2.3.gmt"));
    assert_int_equal(symlink("/nowhere", inside(folder, "libgpumemtrace.so")), 0);
    gmt_run_folder_remove(folder);
    assert_int_equal(access(folder, F_OK), -1);
}

static void a_file_of_somebody_else_stays(void **state)
{
    char folder[GMT_RUN_FOLDER_BYTES];
    (void)state;
    make_run_folder(folder);
    make_file(inside(folder, "thesis.txt"));
    gmt_run_folder_remove(folder);
    assert_int_equal(access(inside(folder, "thesis.txt"), F_OK), 0);
}

static void a_link_in_the_folders_place_is_not_followed(void **state)
{
    char folder[GMT_RUN_FOLDER_BYTES];
    char precious[GMT_SCRATCH_BYTES + 16];
    (void)state;
    snprintf(precious, sizeof precious, "%s/precious", scratch);
    assert_int_equal(mkdir(precious, 0700), 0);
    make_file(inside(precious, "kept.gmt"));
    make_run_folder(folder);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(symlink(precious, folder), 0);
    gmt_run_folder_remove(folder);
    assert_int_equal(access(inside(precious, "kept.gmt"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_files_and_links_go_with_the_folder),
        cmocka_unit_test(a_file_of_somebody_else_stays),
        cmocka_unit_test(a_link_in_the_folders_place_is_not_followed),
    };
    gmt_scratch_make(scratch);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_scratch_remove(scratch);
    return failed;
}
