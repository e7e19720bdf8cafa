/* The trace file as its writer sees it: layout, records, strings, limits of the process and of the file system. */
#include "support/unit_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "track/trace.h"

#define MIB ((uint64_t)1 << 20)
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__ % 100 + 1;                                                                                 \
    } while (0) /* in a child: its status */

static char folder[GMT_SCRATCH_BYTES];
static struct gmt_trace trace;

static int make_folder(void **state)
{
    (void)state;
    gmt_scratch_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    if (trace.header)
        gmt_trace_close(&trace);
    gmt_scratch_remove(folder);
    return 0;
}

static unsigned files_in(const char *path)
{
    unsigned count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void the_header_says_what_the_file_is(void **state)
{
    struct stat status;
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 1000), 0);
    assert_memory_equal(trace.header->magic, "gmtrace", 8);
    assert_int_equal(trace.header->version, 2);
    assert_int_equal(trace.header->byte_order, 0x01020304);
    assert_int_equal(trace.header->header_bytes, sizeof(struct gmt_trace_header));
    assert_int_equal(trace.header->flags, 0);
    assert_int_equal(stat(trace.path, &status), 0);
    assert_int_equal(status.st_size, trace.header->file_bytes);
    assert_int_equal(trace.mapped_bytes, trace.header->file_bytes);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_true(status.st_blocks * 512 < 2 * (long)MIB); /* sparse */
}

static void sections_are_aligned_whole_and_apart(void **state)
{
    static const uint64_t capacities[GMT_SECTION_COUNT] = {16777216, 2048,    64,     16384,  262144, 16384,
                                                           4096,     8388608, 524288, 524288, 65536,  1024,
                                                           16384,    16384,   32768,  1000};
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 1000), 0);
    uint64_t end = sizeof(struct gmt_trace_header);
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        const struct gmt_trace_section *section = &trace.header->sections[i];
        assert_int_equal(section->offset % 4096, 0);
        assert_true(section->offset >= end);
        assert_int_equal(section->capacity, capacities[i]);
        assert_int_equal(section->used, i == GMT_SECTION_STRINGS ? 1 : 0);
        assert_int_equal(section->dropped, 0);
        end = section->offset + section->capacity * section->record_bytes;
    }
    assert_true(end <= trace.header->file_bytes);
    assert_int_equal(trace.header->sections[GMT_SECTION_STRINGS].record_bytes, 1);
    assert_int_equal(trace.header->sections[GMT_SECTION_FRAMES].record_bytes, 16);
    assert_int_equal(trace.header->sections[GMT_SECTION_BLOCKS].record_bytes, 72);
    assert_int_equal(trace.header->sections[GMT_SECTION_FREED].record_bytes, 40);
    assert_int_equal(trace.header->sections[GMT_SECTION_THREADS].record_bytes, 40);
}

static void records_follow_each_other_until_the_section_is_full(void **state)
{
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 20), 0);
    struct gmt_trace_section *section = &trace.header->sections[GMT_SECTION_BLOCKS];
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1), 0);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 15), 1);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 0), 16);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 5), GMT_NONE);
    assert_int_equal(section->used, 16);
    assert_int_equal(section->dropped, 5);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 4), 16);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1), GMT_NONE);
    assert_int_equal(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, UINT32_MAX), GMT_NONE);
    assert_int_equal(section->used, 20);
    assert_int_equal(section->dropped, 4294967301);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(GMT_RECORDS(&trace, BLOCKS)[i].state, GMT_BLOCK_UNUSED);
}

static void strings_are_kept_with_their_end(void **state)
{
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    const char *strings = GMT_RECORDS(&trace, STRINGS);
    assert_int_equal(gmt_trace_add_string(&trace, "", 0), 0);
    assert_int_equal(gmt_trace_add_string(&trace, "abc", 3), 1);
    assert_int_equal(gmt_trace_add_string(&trace, "defgh", 2), 5);
    assert_int_equal(gmt_trace_add_string(&trace, "i", 1), 8);
    assert_memory_equal(strings, "\0abc\0de\0i", 10);
}

static void long_strings_are_refused(void **state)
{
    static char string[65536];
    (void)state;
    memset(string, 's', sizeof string);
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    assert_int_equal(gmt_trace_add_string(&trace, string, 65536), 0);
    assert_int_equal(gmt_trace_add_string(&trace, string, 65535), 1);
    assert_int_equal(trace.header->sections[GMT_SECTION_STRINGS].used, 65537);
}

static void the_store_of_strings_can_be_full(void **state)
{
    static char string[65535];
    unsigned added = 0;
    (void)state;
    memset(string, 's', sizeof string);
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    while (gmt_trace_add_string(&trace, string, 65535))
        added++;
    assert_int_equal(added, 255);
    assert_int_equal(trace.header->sections[GMT_SECTION_STRINGS].dropped, 65536);
    assert_int_equal(gmt_trace_add_string(&trace, string, 65534), 16711681); /* the rest, to the last byte */
    assert_int_equal(gmt_trace_add_string(&trace, "x", 1), 0);
}

static void troubles_are_counted(void **state)
{
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    gmt_trace_trouble(&trace, GMT_TROUBLE_NO_MEMORY);
    gmt_trace_trouble(&trace, GMT_TROUBLE_NO_MEMORY);
    gmt_trace_trouble(&trace, GMT_TROUBLE_STACKS_CUT);
    assert_int_equal(trace.header->troubles[GMT_TROUBLE_NO_MEMORY], 2);
    assert_int_equal(trace.header->troubles[GMT_TROUBLE_STACKS_CUT], 1);
    assert_int_equal(trace.header->troubles[GMT_TROUBLE_BLOCKS_FULL], 0);
}

static void a_closed_trace_stays_as_a_file(void **state)
{
    char path[GMT_TRACE_PATH_BYTES];
    char magic[8];
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    strcpy(path, trace.path);
    gmt_trace_close(&trace);
    assert_null(trace.header);
    int file = open(path, O_RDONLY);
    assert_true(file >= 0);
    assert_int_equal(read(file, magic, 8), 8);
    close(file);
    assert_memory_equal(magic, "gmtrace", 8);
}

static void no_descriptor_is_kept(void **state)
{
    (void)state;
    unsigned before = files_in("/proc/self/fd");
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    assert_int_equal(files_in("/proc/self/fd"), before);
}

/* Whether the kernel can read at an address, asked without touching it. */
static bool is_mapped(const void *address)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    bool mapped = write(ends[1], address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return mapped;
}

static int see_the_mapping(void *argument)
{
    (void)argument;
    return is_mapped(trace.header) ? 1 : 0;
}

static void a_fork_child_has_no_part_in_it(void **state)
{
    (void)state;
    assert_int_equal(gmt_trace_create(&trace, folder, 16), 0);
    assert_true(is_mapped(trace.header));
    assert_int_equal(gmt_child_run(see_the_mapping, NULL), 0);
}

static int create_under_limit(const struct rlimit *limit, int resource)
{
    return setrlimit(resource, limit) == 0 && gmt_trace_create(&trace, folder, 1000000) == 0;
}

static int with_room_for_a_small_file(void *argument)
{
    struct rlimit limit = {64 * MIB, 64 * MIB};
    (void)argument;
    CHECK(create_under_limit(&limit, RLIMIT_FSIZE));
    CHECK(trace.path[0] == '/' && !(trace.header->flags & GMT_TRACE_ANONYMOUS));
    CHECK(trace.header->file_bytes <= 64 * MIB && trace.header->file_bytes > 16 * MIB);
    CHECK(trace.header->sections[GMT_SECTION_ENTRIES].capacity == 2048);
    CHECK(trace.header->sections[GMT_SECTION_DEVICES].capacity == 64);
    while (gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1) != GMT_NONE)
        continue;
    CHECK(trace.header->sections[GMT_SECTION_BLOCKS].used == trace.header->sections[GMT_SECTION_BLOCKS].capacity);
    return 0;
}

static int with_no_room_for_a_file(void *argument)
{
    struct rlimit limit = {MIB, MIB};
    (void)argument;
    CHECK(create_under_limit(&limit, RLIMIT_FSIZE));
    CHECK(trace.path[0] == '\0' && trace.header->flags & GMT_TRACE_ANONYMOUS);
    CHECK(trace.header->sections[GMT_SECTION_FRAMES].capacity == 8388608);
    CHECK(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1000) == 0);
    return 0;
}

/* Growing a file past RLIMIT_FSIZE ends a process by SIGXFSZ. */
static void the_limit_of_file_sizes_is_looked_at_first(void **state)
{
    (void)state;
    assert_int_equal(gmt_child_run(with_room_for_a_small_file, NULL), 0);
    assert_int_equal(gmt_child_run(with_no_room_for_a_file, NULL), 0);
    assert_int_equal(files_in(folder), 1); /* the file that could not be used is gone */
}

static int with_little_address_space(void *argument)
{
    struct rlimit limit = {1024 * MIB, 1024 * MIB};
    (void)argument;
    CHECK(create_under_limit(&limit, RLIMIT_AS));
    CHECK(trace.path[0] == '/');
    CHECK(trace.mapped_bytes <= 64 * MIB && trace.mapped_bytes > 16 * MIB);
    return 0;
}

static int with_hardly_any_address_space(void *argument)
{
    struct rlimit limit = {32 * MIB, 32 * MIB};
    (void)argument;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK(gmt_trace_create(&trace, folder, 1000) == -1); /* -GMT_E_NO_MEMORY */
    CHECK(trace.header == NULL);
    return 0;
}

static void the_limit_of_address_space_is_respected(void **state)
{
    (void)state;
    if (GMT_TEST_SANITIZED)
        skip();
    assert_int_equal(gmt_child_run(with_little_address_space, NULL), 0);
    assert_int_equal(gmt_child_run(with_hardly_any_address_space, NULL), 0);
}

#define NOT_PERMITTED 77

/* A child of its own mounts, with a tmpfs of `options` over the folder. */
static int mount_small(const char *options)
{
    return gmt_mounts_make_private() && gmt_mounts_add_tmpfs(folder, options) ? 0 : NOT_PERMITTED;
}

static int on_a_file_system_that_fills(void *argument)
{
    (void)argument;
    if (mount_small("size=4m"))
        return NOT_PERMITTED;
    CHECK(gmt_trace_create(&trace, folder, 1000000) == 0);
    CHECK(strncmp(trace.path, folder, strlen(folder)) == 0);
    uint32_t added = 0;
    while (added < 1000000 && gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1) == added)
        GMT_RECORDS(&trace, BLOCKS)[added].sequence = added, added++;
    CHECK(added > 1000 && added < 87000); /* less than 4 MiB of 48 bytes each */
    CHECK(trace.header->troubles[GMT_TROUBLE_STORAGE_FULL] == 1);
    CHECK(trace.header->sections[GMT_SECTION_BLOCKS].dropped == 1);
    CHECK(trace.header->sections[GMT_SECTION_BLOCKS].used == added);
    CHECK(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1) == GMT_NONE);
    for (uint32_t i = 0; i < added; i++)
        CHECK(GMT_RECORDS(&trace, BLOCKS)[i].sequence == i);
    return 0;
}

static int on_a_file_system_without_room(void *argument)
{
    (void)argument;
    if (mount_small("size=4k"))
        return NOT_PERMITTED;
    int filler = open(strcat(strcpy((char[128]){0}, folder), "/filler"), O_CREAT | O_WRONLY, 0600);
    CHECK(filler >= 0 && write(filler, "x", 1) == 1);
    close(filler);
    CHECK(gmt_trace_create(&trace, folder, 1000) == 0);
    CHECK(trace.header->flags & GMT_TRACE_ANONYMOUS && trace.path[0] == '\0');
    CHECK(gmt_trace_append(&trace, GMT_SECTION_BLOCKS, 1) == 0);
    CHECK(files_in(folder) == 1);
    return 0;
}

static void expect_child_unless_refused(int (*body)(void *))
{
    int status = gmt_child_run(body, NULL);
    if (status == NOT_PERMITTED) {
        print_message("skipped: this user may not mount file systems here\n");
        skip();
    }
    assert_int_equal(status, 0);
}

static void a_file_system_that_fills_costs_records_and_no_signal(void **state)
{
    (void)state;
    expect_child_unless_refused(on_a_file_system_that_fills);
}

static void a_full_file_system_leads_to_anonymous_memory(void **state)
{
    (void)state;
    expect_child_unless_refused(on_a_file_system_without_room);
}

#define TRACE_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACE_TEST(the_header_says_what_the_file_is),
        TRACE_TEST(sections_are_aligned_whole_and_apart),
        TRACE_TEST(records_follow_each_other_until_the_section_is_full),
        TRACE_TEST(strings_are_kept_with_their_end),
        TRACE_TEST(long_strings_are_refused),
        TRACE_TEST(the_store_of_strings_can_be_full),
        TRACE_TEST(troubles_are_counted),
        TRACE_TEST(a_closed_trace_stays_as_a_file),
        TRACE_TEST(no_descriptor_is_kept),
        TRACE_TEST(a_fork_child_has_no_part_in_it),
        TRACE_TEST(the_limit_of_file_sizes_is_looked_at_first),
        TRACE_TEST(the_limit_of_address_space_is_respected),
        TRACE_TEST(a_file_system_that_fills_costs_records_and_no_signal),
        TRACE_TEST(a_full_file_system_leads_to_anonymous_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
