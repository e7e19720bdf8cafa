/* Which file code belongs to. usage: module_table_test LIBRARY LIBRARY_WITHOUT_BUILD_ID */
#include "track_fixture.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/code_epoch.h"

static const char *library_path;
static const char *plain_library_path;

static struct gmt_frame_record resolve(uintptr_t pc)
{
    struct gmt_frame_record frame;
    struct gmt_module_context context = {&tracker.modules, &tracker.trace, &tracker.arena, &tracker.lock};
    gmt_modules_resolve(&context, &pc, 1, &frame);
    return frame;
}

static const char *path_of(struct gmt_frame_record frame)
{
    assert_int_not_equal(frame.module, GMT_NONE);
    return GMT_RECORDS(&tracker.trace, STRINGS) + RECORD(MODULES, frame.module)->path;
}

static void *open_library(const char *path, uintptr_t *inside_out, uintptr_t *base_out)
{
    struct link_map *map;
    void *handle = dlopen(path, RTLD_NOW);
    if (!handle)
        fail_msg("%s", dlerror());
    *inside_out = (uintptr_t)dlsym(handle, "gmt_sample_function");
    assert_int_not_equal(*inside_out, 0);
    assert_int_equal(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    *base_out = map->l_addr;
    return handle;
}

static void code_of_the_program_has_its_path(void **state)
{
    char expected[PATH_MAX] = "";
    (void)state;
    assert_true(readlink("/proc/self/exe", expected, sizeof expected - 1) > 0);
    struct gmt_frame_record frame = resolve((uintptr_t)resolve);
    assert_string_equal(path_of(frame), expected);
    assert_int_equal(RECORD(MODULES, frame.module)->epoch, gmt_code_epoch());
    assert_int_equal(frame.offset, (uintptr_t)resolve - _r_debug.r_map->l_addr);
    assert_int_equal(frame.reserved, 0);
}

static void code_of_a_library_has_path_and_build_id(void **state)
{
    static const uint8_t build_id[20] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23,
                                         0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67};
    uintptr_t inside;
    uintptr_t base;
    void *handle = open_library(library_path, &inside, &base);
    (void)state;
    struct gmt_frame_record frame = resolve(inside);
    assert_string_equal(path_of(frame), library_path);
    assert_int_equal(frame.offset, inside - base);
    assert_int_equal(RECORD(MODULES, frame.module)->build_id_bytes, 20);
    assert_memory_equal(RECORD(MODULES, frame.module)->build_id, build_id, 20);
    dlclose(handle);
}

static void a_library_without_build_id_is_a_module_too(void **state)
{
    uintptr_t inside;
    uintptr_t base;
    void *handle = open_library(plain_library_path, &inside, &base);
    (void)state;
    struct gmt_frame_record frame = resolve(inside);
    assert_string_equal(path_of(frame), plain_library_path);
    assert_int_equal(RECORD(MODULES, frame.module)->build_id_bytes, 0);
    dlclose(handle);
}

static void the_same_file_loaded_again_is_the_same_module(void **state)
{
    uintptr_t inside;
    uintptr_t base;
    uint32_t modules[2];
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        void *handle = open_library(library_path, &inside, &base);
        modules[i] = resolve(inside).module;
        dlclose(handle);
        gmt_code_epoch_advance();
        assert_int_equal(resolve(inside).module, GMT_NONE);
    }
    assert_int_equal(modules[0], modules[1]);
    assert_int_equal(USED(MODULES), 1);
}

static void copy_file(const char *from, const char *to)
{
    char command[2 * PATH_MAX + 32];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

/* A program was rebuilt while it runs: the path is the same, the build-id is not. */
static void another_file_at_the_same_path_is_another_module(void **state)
{
    char path[128];
    uintptr_t inside;
    uintptr_t base;
    uint32_t modules[2];
    (void)state;
    snprintf(path, sizeof path, "%s/plugin.so", tracker_folder);
    for (unsigned i = 0; i < 2; i++) {
        copy_file(i == 0 ? library_path : plain_library_path, path);
        void *handle = open_library(path, &inside, &base);
        struct gmt_frame_record frame = resolve(inside);
        assert_string_equal(path_of(frame), path);
        modules[i] = frame.module;
        dlclose(handle);
        unlink(path);
    }
    assert_int_not_equal(modules[0], modules[1]);
}

/* Opens it by a path from its folder, in which it leaves the process. */
static void *open_from_its_folder(const char *path, uintptr_t *inside_out, uintptr_t *base_out)
{
    char folder[PATH_MAX];
    char relative[PATH_MAX + 2];
    strcpy(folder, path);
    snprintf(relative, sizeof relative, "./%s", basename(folder));
    strcpy(folder, path);
    assert_int_equal(chdir(dirname(folder)), 0);
    return open_library(relative, inside_out, base_out);
}

static void a_relative_path_becomes_absolute(void **state)
{
    char before[PATH_MAX];
    char found[PATH_MAX];
    char expected[PATH_MAX];
    uintptr_t inside;
    uintptr_t base;
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    void *handle = open_from_its_folder(library_path, &inside, &base);
    struct gmt_frame_record frame = resolve(inside);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(path_of(frame)[0], '/');
    assert_non_null(realpath(path_of(frame), found));
    assert_non_null(realpath(library_path, expected));
    assert_string_equal(found, expected);
    dlclose(handle);
}

static void code_without_a_file_keeps_its_address(void **state)
{
    void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    struct gmt_frame_record frame = resolve((uintptr_t)code + 17);
    assert_int_equal(frame.module, GMT_NONE);
    assert_int_equal(frame.offset, (uintptr_t)code + 17);
    munmap(code, 4096);
    assert_int_equal(resolve(0).module, GMT_NONE);
    assert_int_equal(resolve(UINTPTR_MAX).module, GMT_NONE);
    assert_int_equal(USED(MODULES), 0);
}

static void code_of_the_kernel_is_a_module(void **state)
{
    uintptr_t vdso = getauxval(AT_SYSINFO_EHDR);
    (void)state;
    if (vdso == 0)
        skip();
    struct gmt_frame_record frame = resolve(vdso + 16);
    assert_non_null(strstr(path_of(frame), "vdso"));
    assert_int_equal(frame.offset, 16);
}

static void many_frames_are_resolved_at_once(void **state)
{
    uintptr_t pcs[256];
    struct gmt_frame_record frames[256];
    uintptr_t libc = (uintptr_t)dlsym(RTLD_DEFAULT, "qsort");
    struct gmt_module_context context = {&tracker.modules, &tracker.trace, &tracker.arena, &tracker.lock};
    (void)state;
    for (unsigned i = 0; i < 256; i++)
        pcs[i] = i % 3 == 0 ? (uintptr_t)resolve + i : i % 3 == 1 ? libc + i : 0x1000 + i;
    gmt_modules_resolve(&context, pcs, 256, frames);
    assert_int_equal(USED(MODULES), 2);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(frames[i].module, i % 3 == 2 ? GMT_NONE : frames[i % 3].module);
        if (i % 3 == 2)
            assert_int_equal(frames[i].offset, 0x1000 + i);
        else
            assert_int_equal(frames[i].offset - frames[i % 3].offset, i - i % 3);
    }
}

static void without_room_for_modules_addresses_stay(void **state)
{
    (void)state;
    HEADER->sections[GMT_SECTION_MODULES].capacity = 0;
    struct gmt_frame_record frame = resolve((uintptr_t)resolve);
    assert_int_equal(frame.module, GMT_NONE);
    assert_int_equal(frame.offset, (uintptr_t)resolve);
    assert_int_equal(HEADER->sections[GMT_SECTION_MODULES].dropped, 1);
}

static void check(uint64_t now)
{
    struct gmt_module_context context = {&tracker.modules, &tracker.trace, &tracker.arena, &tracker.lock};
    gmt_modules_check(&context, now);
}

static void code_that_is_gone_is_marked_until_it_is_back(void **state)
{
    uintptr_t inside;
    uintptr_t base;
    void *handle = open_library(library_path, &inside, &base);
    (void)state;
    uint32_t program = resolve((uintptr_t)resolve).module;
    uint32_t libc = resolve((uintptr_t)dlsym(RTLD_DEFAULT, "qsort")).module;
    uint32_t vdso = resolve(getauxval(AT_SYSINFO_EHDR) + 64).module;
    const struct gmt_module_record *module = RECORD(MODULES, resolve(inside).module);
    assert_int_equal(module->base, base);
    check(500);
    assert_int_equal(module->unloaded, 0);
    dlclose(handle);
    check(600);
    assert_int_equal(module->unloaded, 1);
    assert_int_equal(module->unloaded_ns, 600);
    check(700);
    assert_int_equal(module->unloaded_ns, 600);
    assert_int_equal(RECORD(MODULES, program)->unloaded, 0);
    assert_int_equal(RECORD(MODULES, libc)->unloaded, 0);
    assert_int_equal(vdso == GMT_NONE || RECORD(MODULES, vdso)->unloaded == 0, 1);
    handle = open_library(library_path, &inside, &base);
    check(800);
    assert_int_equal(module->unloaded, 0);
    dlclose(handle);
    check(900);
    assert_int_equal(module->unloaded_ns, 900);
}

/* Wherever it is loaded it is the same; and the place does not make another file the same. */
static void a_module_is_known_by_its_file_and_not_by_its_place(void **state)
{
    uintptr_t inside;
    uintptr_t base;
    void *handle = open_library(library_path, &inside, &base);
    (void)state;
    struct gmt_module_record *module = RECORD(MODULES, resolve(inside).module);
    module->base += 0x100000; /* as if it had lain elsewhere before */
    check(500);
    assert_int_equal(module->unloaded, 0);
    module->build_id[3] ^= 1; /* as if the file had been built anew since */
    module->base = base;
    check(600);
    assert_int_equal(module->unloaded, 1);
    dlclose(handle);
    handle = open_library(plain_library_path, &inside, &base);
    module->build_id[3] ^= 1;
    module->base = base; /* another library lies there now */
    check(700);
    assert_int_equal(module->unloaded, 1);
    dlclose(handle);
}

/* The loader does not tell the whole path then; another file may lie at the same place. */
static void a_relative_path_is_known_by_its_file_too(void **state)
{
    char before[PATH_MAX];
    uintptr_t inside;
    uintptr_t base;
    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    void *handle = open_from_its_folder(library_path, &inside, &base);
    struct gmt_module_record *module = RECORD(MODULES, resolve(inside).module);
    check(500);
    assert_int_equal(module->unloaded, 0);
    dlclose(handle);
    assert_int_equal(chdir(before), 0);
    handle = open_from_its_folder(plain_library_path, &inside, &base);
    module->base = base;
    check(600);
    assert_int_equal(module->unloaded, 1);
    dlclose(handle);
    assert_int_equal(chdir(before), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(code_of_the_program_has_its_path),
        TRACKER_TEST(code_of_a_library_has_path_and_build_id),
        TRACKER_TEST(a_library_without_build_id_is_a_module_too),
        TRACKER_TEST(the_same_file_loaded_again_is_the_same_module),
        TRACKER_TEST(another_file_at_the_same_path_is_another_module),
        TRACKER_TEST(a_relative_path_becomes_absolute),
        TRACKER_TEST(code_without_a_file_keeps_its_address),
        TRACKER_TEST(code_of_the_kernel_is_a_module),
        TRACKER_TEST(many_frames_are_resolved_at_once),
        TRACKER_TEST(without_room_for_modules_addresses_stay),
        TRACKER_TEST(code_that_is_gone_is_marked_until_it_is_back),
        TRACKER_TEST(a_module_is_known_by_its_file_and_not_by_its_place),
        TRACKER_TEST(a_relative_path_is_known_by_its_file_too),
    };
    if (argc != 3)
        return 2;
    library_path = argv[1];
    plain_library_path = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
