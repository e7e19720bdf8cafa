/* Every byte of a trace file changed, and the file cut at every length: the reader, the model and every writer must
 * come through, whatever they say. The sanitizer builds make this strict. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report_of_bytes.h"
#include "support/unit_test.h"
#include "trace_fixture.h"

static struct fixture fixture;
static int file = -1;
static char path[64];

static void read_bytes(const void *bytes, size_t count)
{
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, count, 0) != (ssize_t)count)
        abort();
    report_of_file(path);
}

/* The byte offsets that something is stored at: the header and the records in use. */
static size_t used_offsets(size_t *offsets_out, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof fixture.header; i++)
        offsets_out[count++] = i;
    for (unsigned section = 0; section < GMT_SECTION_COUNT; section++) {
        const struct gmt_trace_section *at = &fixture.header.sections[section];
        for (uint64_t i = 0; i < at->used * at->record_bytes; i++)
            if (count < capacity)
                offsets_out[count++] = at->offset + i;
    }
    return count;
}

/* Every byte of the sample but `step` - 1 between two. */
static void change_bytes_of(const char *sample, unsigned step)
{
    static const unsigned char masks[] = {0xFF, 0x01, 0x80};
    static size_t offsets[FIXTURE_BYTES];
    fixture_sample(&fixture, sample);
    size_t size = fixture_size(&fixture);
    size_t count = used_offsets(offsets, FIXTURE_BYTES);
    assert_in_range(count, 2000, FIXTURE_BYTES);
    for (size_t i = 0; i < count; i += step) {
        unsigned char before = fixture.bytes[offsets[i]];
        fixture.bytes[offsets[i]] ^= masks[i % sizeof masks];
        read_bytes(fixture.bytes, size);
        fixture.bytes[offsets[i]] = before;
    }
}

static void survives_changed_bytes(void **state)
{
    (void)state;
    change_bytes_of("trouble", 1);
}

/* Figures are 4 and 8 bytes long: a step that shares no factor with them meets each of their bytes somewhere. */
static void survives_changed_bytes_of_what_is_left(void **state)
{
    (void)state;
    change_bytes_of("objects", 7);
    change_bytes_of("states", 7);
    change_bytes_of("calls", 7);
    change_bytes_of("holders", 7);
}

static void survives_every_length(void **state)
{
    (void)state;
    fixture_sample(&fixture, "oom");
    size_t size = fixture_size(&fixture);
    for (size_t bytes = 0; bytes <= size; bytes += bytes < sizeof fixture.header ? 1 : 7)
        read_bytes(fixture.bytes, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_changed_bytes),
        cmocka_unit_test(survives_changed_bytes_of_what_is_left),
        cmocka_unit_test(survives_every_length),
    };
    file = memfd_create("trace", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
