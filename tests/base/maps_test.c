/* Which file is mapped where. usage: maps_test LIBRARY */
#include "support/unit_test.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/maps.h"

static const char *library_path;

static void code_is_in_its_file(void **state)
{
    char expected[PATH_MAX];
    char path[PATH_MAX];
    (void)state;
    ssize_t length = readlink("/proc/self/exe", expected, sizeof expected - 1);
    assert_true(length > 0);
    expected[length] = '\0';
    assert_true(gmt_maps_path_at((uintptr_t)code_is_in_its_file, path, sizeof path));
    assert_string_equal(path, expected);
}

static void memory_without_a_file_has_no_path(void **state)
{
    char path[PATH_MAX] = "kept";
    (void)state;
    void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_false(gmt_maps_path_at((uintptr_t)memory, path, sizeof path));
    assert_false(gmt_maps_path_at((uintptr_t)&memory, path, sizeof path)); /* "[stack]" is no path */
    assert_false(gmt_maps_path_at(0, path, sizeof path));
    assert_false(gmt_maps_path_at(UINTPTR_MAX, path, sizeof path));
    assert_string_equal(path, "kept");
    munmap(memory, 4096);
}

static void a_path_that_does_not_fit_is_not_given(void **state)
{
    char path[PATH_MAX];
    char small[PATH_MAX];
    (void)state;
    assert_true(gmt_maps_path_at((uintptr_t)code_is_in_its_file, path, sizeof path));
    assert_false(gmt_maps_path_at((uintptr_t)code_is_in_its_file, small, strlen(path)));
    assert_true(gmt_maps_path_at((uintptr_t)code_is_in_its_file, small, strlen(path) + 1));
    assert_string_equal(small, path);
}

static void copy_file(const char *from, const char *to)
{
    char command[2 * PATH_MAX + 32];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

/* A file name may hold spaces, and is still the name after the file was deleted. */
static void a_deleted_file_keeps_its_name(void **state)
{
    char folder[] = "/tmp/gmt maps XXXXXX";
    char copy[64];
    char path[PATH_MAX];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(copy, sizeof copy, "%s/lib.so", folder);
    copy_file(library_path, copy);
    void *handle = dlopen(copy, RTLD_NOW);
    assert_non_null(handle);
    void *inside = dlsym(handle, "gmt_sample_plain");
    assert_non_null(inside);
    assert_true(gmt_maps_path_at((uintptr_t)inside, path, sizeof path));
    assert_string_equal(path, copy);
    unlink(copy);
    assert_true(gmt_maps_path_at((uintptr_t)inside, path, sizeof path));
    assert_string_equal(path, copy);
    dlclose(handle);
    rmdir(folder);
}

/* The kernel writes the line end of a name as \\012, and a file may end in what it appends to deleted ones. */
static void names_that_look_like_the_kernels_words(void **state)
{
    static const char *const names[] = {"two\nlines.so", "lib.so (deleted)"};
    char folder[] = "/tmp/gmt-maps-XXXXXX";
    char path[PATH_MAX];
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s/%s", folder, names[i]);
        copy_file(library_path, copy);
        void *handle = dlopen(copy, RTLD_NOW);
        assert_non_null(handle);
        void *inside = dlsym(handle, "gmt_sample_plain");
        assert_true(gmt_maps_path_at((uintptr_t)inside, path, sizeof path));
        assert_string_equal(path, copy);
        unlink(copy);
        assert_true(gmt_maps_path_at((uintptr_t)inside, path, sizeof path));
        assert_string_equal(path, copy);
        dlclose(handle);
    }
    rmdir(folder);
}

static void the_bounds_of_a_mapping_are_exact(void **state)
{
    char path[PATH_MAX];
    char name[] = "/tmp/gmt-maps-XXXXXX";
    (void)state;
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, 4096), 0);
    char *room = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_equal(mmap(room + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0), room + 4096);
    assert_false(gmt_maps_path_at((uintptr_t)room + 4095, path, sizeof path));
    assert_true(gmt_maps_path_at((uintptr_t)room + 4096, path, sizeof path));
    assert_string_equal(path, name);
    assert_true(gmt_maps_path_at((uintptr_t)room + 8191, path, sizeof path));
    assert_false(gmt_maps_path_at((uintptr_t)room + 8192, path, sizeof path));
    munmap(room, 3 * 4096);
    close(file);
    unlink(name);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_in_its_file),
        cmocka_unit_test(memory_without_a_file_has_no_path),
        cmocka_unit_test(a_path_that_does_not_fit_is_not_given),
        cmocka_unit_test(a_deleted_file_keeps_its_name),
        cmocka_unit_test(names_that_look_like_the_kernels_words),
        cmocka_unit_test(the_bounds_of_a_mapping_are_exact),
    };
    if (argc != 2)
        return 2;
    library_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
