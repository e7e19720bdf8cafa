/* Our own symbol look-up against the loader's. usage: elf_image_test LIBRARY_WITH_GNU_HASH LIBRARY_WITH_DT_HASH */
#include "support/unit_test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/elf_image.h"

static const char *library_paths[2]; /* the same library with DT_GNU_HASH alone and with DT_HASH alone */

static struct gmt_elf_image image_of(void *handle)
{
    struct link_map *map;
    struct gmt_elf_image image;
    assert_int_equal(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    assert_true(gmt_elf_image_open(map->l_addr, map->l_ld, &image));
    return image;
}

static void *open_library(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail_msg("%s", dlerror());
    return handle;
}

static void libc_functions_are_where_libc_has_them(void **state)
{
    static const char *const names[] = {"dlsym", "dlclose", "dlopen", "getenv", "qsort", "fork", "printf", "on_exit"};
    void *libc = open_library("libc.so.6");
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *expected = dlsym(libc, names[i]);
        if (!expected) /* before glibc 2.34 the dl functions are in libdl */
            expected = dlsym(RTLD_DEFAULT, names[i]);
        assert_non_null(expected);
        assert_ptr_equal(gmt_elf_libc_symbol(names[i]), expected);
    }
    dlclose(libc);
}

static void what_libc_lacks_is_null(void **state)
{
    (void)state;
    assert_null(gmt_elf_libc_symbol("cuMemAlloc_v2"));
    assert_null(gmt_elf_libc_symbol("dlsy"));
    assert_null(gmt_elf_libc_symbol("dlsymm"));
    assert_null(gmt_elf_libc_symbol(""));
}

static void both_hash_styles_find_the_same(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        void *handle = open_library(library_paths[i]);
        struct gmt_elf_image image = image_of(handle);
        assert_int_equal(image.gnu_hash != NULL, i == 0);
        assert_int_equal(image.sysv_hash != NULL, i == 1);
        assert_string_equal(image.soname, i == 0 ? "libversions_gnu.so" : "libversions_sysv.so");
        int (*plain)(void) = (int (*)(void))gmt_elf_image_find(&image, "gmt_sample_plain");
        int (*weak)(void) = (int (*)(void))gmt_elf_image_find(&image, "gmt_sample_weak");
        int *data = gmt_elf_image_find(&image, "gmt_sample_data");
        assert_non_null(plain);
        assert_non_null(weak);
        assert_non_null(data);
        assert_int_equal(plain(), 1);
        assert_int_equal(weak(), 2);
        assert_int_equal(*data, 3);
        dlclose(handle);
    }
}

static void the_default_version_is_found_and_hidden_ones_are_not(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        void *handle = open_library(library_paths[i]);
        struct gmt_elf_image image = image_of(handle);
        int (*two)(void) = (int (*)(void))gmt_elf_image_find(&image, "gmt_sample_two");
        assert_non_null(two);
        assert_int_equal(two(), 6);
        assert_non_null(dlvsym(handle, "gmt_sample_hidden", "GMT_SAMPLE_1"));
        assert_null(gmt_elf_image_find(&image, "gmt_sample_hidden"));
        dlclose(handle);
    }
}

static void what_is_no_plain_address_is_not_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        void *handle = open_library(library_paths[i]);
        struct gmt_elf_image image = image_of(handle);
        assert_null(gmt_elf_image_find(&image, "gmt_sample_thread_local")); /* an offset */
        assert_null(gmt_elf_image_find(&image, "gmt_sample_indirect"));     /* a resolver */
        assert_null(gmt_elf_image_find(&image, "chosen"));                  /* local */
        assert_null(gmt_elf_image_find(&image, "gmt_sample_missing"));
        assert_null(gmt_elf_image_find(&image, ""));
        dlclose(handle);
    }
}

static void an_image_without_tables_is_refused(void **state)
{
    ElfW(Dyn) nothing[1] = {{.d_tag = DT_NULL}};
    struct gmt_elf_image image;
    (void)state;
    assert_false(gmt_elf_image_open(0, nothing, &image));
}

static void an_image_without_hash_finds_nothing(void **state)
{
    void *handle = open_library(library_paths[0]);
    struct gmt_elf_image image = image_of(handle);
    (void)state;
    image.gnu_hash = NULL;
    assert_null(gmt_elf_image_find(&image, "gmt_sample_plain"));
    dlclose(handle);
}

struct walk {
    unsigned objects;
    bool main_first;
    void *vdso_function;
    const struct dl_phdr_info *vdso;
    bool vdso_contains;
};

static int look_at(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    struct walk *walk = argument;
    if (walk->objects++ == 0)
        walk->main_first = gmt_elf_contains(info, (uintptr_t)look_at);
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    if (vdso == 0 || !gmt_elf_contains(info, vdso))
        return 0;
    walk->vdso_function = gmt_elf_image_find(image, "__vdso_clock_gettime");
    if (!walk->vdso_function)
        walk->vdso_function = gmt_elf_image_find(image, "__kernel_clock_gettime");
    walk->vdso_contains = gmt_elf_contains(info, (uintptr_t)walk->vdso_function);
    return 0;
}

static void every_object_is_visited_the_main_program_first(void **state)
{
    struct walk walk = {0};
    (void)state;
    assert_int_equal(gmt_elf_each(look_at, &walk), 0);
    assert_true(walk.main_first);
    assert_true(walk.objects >= 2);
}

/* glibc leaves the pointers of the vdso's dynamic section as offsets. */
static void the_vdso_is_readable(void **state)
{
    struct walk walk = {0};
    (void)state;
    if (getauxval(AT_SYSINFO_EHDR) == 0)
        skip();
    gmt_elf_each(look_at, &walk);
    assert_non_null(walk.vdso_function);
    assert_true(walk.vdso_contains);
}

static int stop_at_the_second(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    (void)info;
    unsigned *visited = argument;
    return ++*visited == 2 ? 99 : 0;
}

static void a_visit_can_end_the_walk(void **state)
{
    unsigned visited = 0;
    (void)state;
    assert_int_equal(gmt_elf_each(stop_at_the_second, &visited), 99);
    assert_int_equal(visited, 2);
}

static void the_handle_of_an_address_searches_its_object(void **state)
{
    void *handle = open_library(library_paths[0]);
    (void)state;
    void *plain = dlsym(handle, "gmt_sample_plain");
    assert_ptr_equal(gmt_elf_handle_of(plain), handle);
    assert_ptr_equal(dlsym(gmt_elf_handle_of(plain), "gmt_sample_plain"), plain);
    assert_null(gmt_elf_handle_of((const void *)0x1000));
    void *program = dlopen(NULL, RTLD_NOW);
    assert_ptr_equal(gmt_elf_handle_of((const void *)open_library), program);
    dlclose(program);
    dlclose(handle);
}

static void contains_keeps_to_loadable_segments(void **state)
{
    const ElfW(Phdr) segments[] = {
        {.p_type = PT_LOAD, .p_vaddr = 0x1000, .p_memsz = 0x100},
        {.p_type = PT_NOTE, .p_vaddr = 0x5000, .p_memsz = 0x100},
        {.p_type = PT_LOAD, .p_vaddr = 0x8000, .p_memsz = 0x10},
    };
    struct dl_phdr_info info = {.dlpi_addr = 0x100000, .dlpi_phdr = segments, .dlpi_phnum = 3};
    (void)state;
    assert_false(gmt_elf_contains(&info, 0x100fff));
    assert_true(gmt_elf_contains(&info, 0x101000));
    assert_true(gmt_elf_contains(&info, 0x1010ff));
    assert_false(gmt_elf_contains(&info, 0x101100));
    assert_false(gmt_elf_contains(&info, 0x105000));
    assert_true(gmt_elf_contains(&info, 0x10800f));
    assert_false(gmt_elf_contains(&info, 0x108010));
}

static void names_are_compared_whole(void **state)
{
    (void)state;
    assert_true(gmt_elf_name_equals("", ""));
    assert_true(gmt_elf_name_equals("cuInit", "cuInit"));
    assert_false(gmt_elf_name_equals("cuInit", "cuInit2"));
    assert_false(gmt_elf_name_equals("cuInit2", "cuInit"));
    assert_false(gmt_elf_name_equals("", "c"));
}

static int stopped;

static int visit_slowly(const struct gmt_elf_image *image, const struct dl_phdr_info *info, void *argument)
{
    (void)image;
    (void)info;
    (void)argument;
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return 0;
}

static void *walk_until_stopped(void *argument)
{
    while (!__atomic_load_n(&stopped, __ATOMIC_RELAXED))
        gmt_elf_each(visit_slowly, argument);
    return NULL;
}

/* The walking thread is not in the child, and what it holds would stay held there. */
static void a_fork_child_can_walk(void **state)
{
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_atfork(gmt_elf_before_fork, gmt_elf_after_fork_in_parent, gmt_elf_after_fork_in_child), 0);
    assert_int_equal(pthread_create(&thread, NULL, walk_until_stopped, NULL), 0);
    for (int i = 0; i < 20; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            gmt_elf_each(visit_slowly, NULL);
            _exit(7);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libc_functions_are_where_libc_has_them),
        cmocka_unit_test(what_libc_lacks_is_null),
        cmocka_unit_test(both_hash_styles_find_the_same),
        cmocka_unit_test(the_default_version_is_found_and_hidden_ones_are_not),
        cmocka_unit_test(what_is_no_plain_address_is_not_found),
        cmocka_unit_test(an_image_without_tables_is_refused),
        cmocka_unit_test(an_image_without_hash_finds_nothing),
        cmocka_unit_test(every_object_is_visited_the_main_program_first),
        cmocka_unit_test(the_vdso_is_readable),
        cmocka_unit_test(a_visit_can_end_the_walk),
        cmocka_unit_test(the_handle_of_an_address_searches_its_object),
        cmocka_unit_test(contains_keeps_to_loadable_segments),
        cmocka_unit_test(names_are_compared_whole),
        cmocka_unit_test(a_fork_child_can_walk),
    };
    if (argc != 3)
        return 2;
    library_paths[0] = argv[1];
    library_paths[1] = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
