/* The reader on good, cut, damaged and absent files. */
#include "report/trace_view.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace_fixture.h"
#include "support/unit_test.h"

static struct fixture fixture;
static char path[] = "/tmp/gmt_view_XXXXXX";

static int open_fixture(size_t bytes, struct gmt_trace_view *view, struct gmt_sentence *why)
{
    fixture_write(&fixture, path, bytes);
    return gmt_trace_view_open(path, view, why);
}

static void assert_refused(size_t bytes, const char *words)
{
    struct gmt_trace_view view;
    struct gmt_sentence why = {""};
    assert_int_not_equal(open_fixture(bytes, &view, &why), 0);
    if (!strstr(why.text, words))
        fail_msg("\"%s\" does not say \"%s\"", why.text, words);
}

static void reads_records(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    (void)state;
    fixture_sample(&fixture, "leak");
    assert_int_equal(open_fixture(fixture_size(&fixture), &view, &why), 0);
    assert_int_equal(view.note_count, 0);
    assert_int_equal(view.counts[GMT_SECTION_SITES], 3);
    assert_int_equal(view.counts[GMT_SECTION_BLOCKS], 4); /* five, one of them unused */
    assert_string_equal(gmt_trace_view_string(&view, view.header.executable), "/home/user/app");
    assert_int_equal(gmt_trace_view_block(&view, 3)->bytes, 65536);
    assert_null(gmt_trace_view_block(&view, 4));
    assert_null(gmt_trace_view_site(&view, GMT_NONE));
    assert_null(gmt_trace_view_string(&view, 0));
    assert_null(gmt_trace_view_string(&view, 1000000));
    gmt_trace_view_close(&view);
}

/* Other records know a block by its place in the file; the reader leaves unused ones out. */
static void finds_blocks_by_number(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    (void)state;
    fixture_sample(&fixture, "leak");
    assert_int_equal(open_fixture(fixture_size(&fixture), &view, &why), 0);
    assert_int_equal(gmt_trace_view_block_numbered(&view, 2)->sequence, 3);
    assert_null(gmt_trace_view_block_numbered(&view, 3)); /* unused */
    assert_int_equal(gmt_trace_view_block_numbered(&view, 4)->bytes, 65536);
    assert_null(gmt_trace_view_block_numbered(&view, 5));
    assert_null(gmt_trace_view_block_numbered(&view, GMT_NONE));
    gmt_trace_view_close(&view);
    fixture_sample(&fixture, "empty");
    assert_int_equal(open_fixture(fixture_size(&fixture), &view, &why), 0);
    assert_null(gmt_trace_view_block_numbered(&view, 0));
    gmt_trace_view_close(&view);
}

/* Every section has words for what is missing of it. */
static void names_what_is_missing(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    (void)state;
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        fixture_sample(&fixture, "leak");
        size_t size = fixture_size(&fixture);
        fixture.header.sections[i].offset = UINT64_C(1) << 40;
        fixture.header.sections[i].used = fixture.header.sections[i].capacity;
        assert_int_equal(open_fixture(size, &view, &why), 0);
        assert_int_equal(view.note_count, 1);
        assert_null(strstr(view.notes[0], "(null)"));
        gmt_trace_view_close(&view);
    }
}

static void refuses_what_it_cannot_read(void **state)
{
    size_t size;
    (void)state;
    fixture_sample(&fixture, "leak");
    size = fixture_size(&fixture);
    assert_refused(0, "is not a trace file");
    assert_refused(6, "is not a trace file");
    assert_refused(7, "is cut short: it ends after 7 of the");
    assert_refused(8, "is cut short: it ends after 8 of the");
    assert_refused(sizeof(struct gmt_trace_header) - 1, "is cut short");
    fixture.header.magic[0] = 'G';
    assert_refused(size, "is not a trace file");
    fixture_sample(&fixture, "leak");
    fixture.header.version = GMT_TRACE_VERSION + 1;
    assert_refused(size, "use the gpumemtrace command that was installed with the library");
    fixture_sample(&fixture, "leak");
    fixture.header.byte_order = 0x04030201u;
    assert_refused(size, "another byte order");
    fixture_sample(&fixture, "leak");
    fixture.header.flags = 0;
    assert_refused(size, "has no complete header");
    fixture_sample(&fixture, "leak");
    fixture.header.sections[GMT_SECTION_SITES].record_bytes = 8;
    assert_refused(size, "damaged header");
}

static void refuses_what_is_no_file(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    char pipe_path[] = "/tmp/gmt_pipe_XXXXXX";
    (void)state;
    assert_int_not_equal(gmt_trace_view_open("/nonexistent/x.gmt", &view, &why), 0);
    assert_non_null(strstr(why.text, "cannot read /nonexistent/x.gmt: No such file or directory"));
    assert_int_not_equal(gmt_trace_view_open("/tmp", &view, &why), 0);
    assert_non_null(strstr(why.text, "/tmp is not a file"));
    close(mkstemp(pipe_path));
    unlink(pipe_path);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_not_equal(gmt_trace_view_open(pipe_path, &view, &why), 0); /* and does not wait for a writer */
    assert_non_null(strstr(why.text, "is not a file"));
    unlink(pipe_path);
}

static void reads_as_far_as_it_goes(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    size_t blocks;
    (void)state;
    fixture_sample(&fixture, "leak");
    blocks = fixture.header.sections[GMT_SECTION_BLOCKS].offset;
    assert_int_equal(open_fixture(blocks + 2 * sizeof(struct gmt_block_record) + 5, &view, &why), 0);
    assert_int_equal(view.counts[GMT_SECTION_BLOCKS], 2);
    assert_int_equal(view.counts[GMT_SECTION_SITES], 3);
    assert_int_equal(view.note_count, 1);
    assert_string_equal(view.notes[0], "The trace file is cut short or damaged: 3 of 5 block records are missing.");
    gmt_trace_view_close(&view);
    assert_int_equal(open_fixture(sizeof(struct gmt_trace_header), &view, &why), 0);
    assert_int_equal(view.counts[GMT_SECTION_STRINGS], 0);
    assert_null(gmt_trace_view_string(&view, view.header.executable));
    gmt_trace_view_close(&view);
}

/* Names that would run out of the section, sections that would run out of the file or of a number. */
static void stays_in_bounds(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    (void)state;
    fixture_sample(&fixture, "leak");
    struct gmt_trace_section *strings = &fixture.header.sections[GMT_SECTION_STRINGS];
    strings->used -= 1; /* the last string has lost its end */
    assert_int_equal(open_fixture(fixture_size(&fixture), &view, &why), 0);
    assert_null(gmt_trace_view_string(&view, (gmt_string_id)strings->used - 1));
    gmt_trace_view_close(&view);
    fixture_sample(&fixture, "leak");
    size_t size = fixture_size(&fixture);
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        fixture_sample(&fixture, "leak");
        fixture.header.sections[i].offset = UINT64_MAX - 8;
        fixture.header.sections[i].used = fixture.header.sections[i].capacity = UINT64_MAX;
        assert_int_equal(open_fixture(size, &view, &why), 0);
        assert_int_equal(view.counts[i], 0);
        assert_int_equal(view.note_count, 1);
        gmt_trace_view_close(&view);
    }
}

/* A petabyte of holes is read in no time and no memory. */
static void reads_sparse_files(void **state)
{
    struct gmt_trace_view view;
    struct gmt_sentence why;
    struct gmt_trace_section *blocks = &fixture.header.sections[GMT_SECTION_BLOCKS];
    (void)state;
    fixture_sample(&fixture, "leak");
    size_t size = fixture_size(&fixture);
    blocks->used = blocks->capacity = (UINT64_C(1) << 43) / sizeof(struct gmt_block_record);
    fixture_write(&fixture, path, size);
    if (truncate(path, (off_t)1 << 43) != 0)
        skip(); /* not on this file system */
    assert_int_equal(gmt_trace_view_open(path, &view, &why), 0);
    assert_int_equal(view.counts[GMT_SECTION_BLOCKS], 4);
    gmt_trace_view_close(&view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_records),           cmocka_unit_test(finds_blocks_by_number),
        cmocka_unit_test(names_what_is_missing),   cmocka_unit_test(refuses_what_it_cannot_read),
        cmocka_unit_test(refuses_what_is_no_file), cmocka_unit_test(reads_as_far_as_it_goes),
        cmocka_unit_test(stays_in_bounds),         cmocka_unit_test(reads_sparse_files),
    };
    close(mkstemp(path));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
