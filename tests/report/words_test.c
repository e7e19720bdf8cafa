/* Numbers for people, UTF-8, lines and JSON text: literal in, literal out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_out.h"
#include "report/kinds.h"
#include "report/lines.h"
#include "report/utf8.h"
#include "report/words.h"
#include "support/unit_test.h"

static struct gmt_heap heap;

static void numbers(void **state)
{
    (void)state;
    assert_string_equal(gmt_words_number(&heap, 0), "0");
    assert_string_equal(gmt_words_number(&heap, 999), "999");
    assert_string_equal(gmt_words_number(&heap, 1204), "1,204");
    assert_string_equal(gmt_words_number(&heap, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(gmt_words_count(&heap, 1, "block"), "1 block");
    assert_string_equal(gmt_words_count(&heap, 0, "block"), "0 blocks");
    assert_string_equal(gmt_words_size(&heap, 12582912), "12.00 MiB");
    assert_string_equal(gmt_words_share(&heap, 60, 100), " 60 %");
    assert_string_equal(gmt_words_share(&heap, 1, 1000), " <1 %");
    assert_string_equal(gmt_words_share(&heap, 0, 0), "  0 %");
    assert_string_equal(gmt_words_share(&heap, 7, 7), "100 %");
}

static void times_and_codes(void **state)
{
    (void)state;
    assert_string_equal(gmt_words_time(&heap, 12000000), "0.012 s");
    assert_string_equal(gmt_words_time(&heap, 4200000000), "4.2 s");
    assert_string_equal(gmt_words_time(&heap, 200000000000), "3 min 20 s");
    assert_string_equal(gmt_words_time(&heap, 7500000000000), "2 h 5 min");
    assert_string_equal(gmt_words_result(&heap, 2), "CUDA_ERROR_OUT_OF_MEMORY (2)");
    assert_string_equal(gmt_words_result(&heap, 12345), "error 12345");
}

static void counts_of_kinds(void **state)
{
    (void)state;
    assert_string_equal(gmt_kind_count(&heap, 1, GMT_KIND_EVENT), "1 event");
    assert_string_equal(gmt_kind_count(&heap, 1163365, GMT_KIND_EVENT), "1,163,365 events");
    assert_string_equal(gmt_kind_count(&heap, 2, GMT_KIND_LIBRARY), "2 libraries of device code");
    assert_string_equal(gmt_kind_count(&heap, 1, GMT_KIND_LIBRARY), "1 library of device code");
    assert_string_equal(gmt_kind_count(&heap, 0, GMT_KIND_RESERVATION), "0 reserved address ranges");
    assert_string_equal(gmt_kind_one(&heap, GMT_KIND_GRAPH_EXEC), "an executable graph");
    assert_string_equal(gmt_kind_one(&heap, GMT_KIND_MAPPED_BUFFER), "a mapped buffer of external memory");
    assert_string_equal(gmt_kind_one(&heap, GMT_KIND_PINNED), "pinned host memory");
    assert_string_equal(gmt_kind_one(&heap, GMT_KIND_VARIABLE), "module-scope variables");
}

static void utf8(void **state)
{
    (void)state;
    assert_int_equal(gmt_utf8_length("a"), 1);
    assert_int_equal(gmt_utf8_length("\xc3\xa9"), 2);
    assert_int_equal(gmt_utf8_length("\xe2\x82\xac"), 3);
    assert_int_equal(gmt_utf8_length("\xf0\x9f\x98\x80"), 4);
    assert_int_equal(gmt_utf8_length(""), 0);
    assert_int_equal(gmt_utf8_length("\xc0\x80"), 0);         /* overlong */
    assert_int_equal(gmt_utf8_length("\xe0\x9f\xbf"), 0);     /* overlong */
    assert_int_equal(gmt_utf8_length("\xed\xa0\x80"), 0);     /* surrogate */
    assert_int_equal(gmt_utf8_length("\xf4\x90\x80\x80"), 0); /* above U+10FFFF */
    assert_int_equal(gmt_utf8_length("\xe2\x82"), 0);         /* cut */
    assert_int_equal(gmt_utf8_length("\x80"), 0);
    assert_int_equal(gmt_utf8_columns("a\xc3\xa9\xff\n"), 10);
}

static void lines_cannot_be_broken(void **state)
{
    char *text;
    size_t size;
    (void)state;
    struct gmt_lines lines = {open_memstream(&text, &size), false};
    gmt_lines_add(&lines, GMT_STYLE_BAD, "%s", "\033[31mred\nline\xff\xc3\xa9\xc2\x9b\x7f");
    lines.colour = true;
    gmt_lines_add(&lines, GMT_STYLE_STRONG, "bold");
    fclose(lines.file);
    assert_string_equal(text, "\\x1b[31mred\\x0aline\\xff\xc3\xa9\\xc2\\x9b\\x7f\n\033[1mbold\033[0m\n");
    free(text);
}

static void json(void **state)
{
    char *text;
    size_t size;
    (void)state;
    struct gmt_json out = {.file = open_memstream(&text, &size)};
    gmt_json_object(&out, NULL);
    gmt_json_string(&out, "a", "q\"b\\s\n\xff\xc3\xa9\x7f");
    gmt_json_string(&out, "n", NULL);
    gmt_json_array(&out, "empty");
    gmt_json_close(&out);
    gmt_json_array(&out, "l");
    gmt_json_number(&out, NULL, UINT64_MAX);
    gmt_json_signed(&out, NULL, -1);
    gmt_json_bool(&out, NULL, true);
    gmt_json_seconds(&out, NULL, 1500000001);
    gmt_json_address(&out, NULL, 0x7f00);
    gmt_json_null(&out, NULL);
    gmt_json_close(&out);
    gmt_json_close(&out);
    fclose(out.file);
    assert_string_equal(text,
                        "{\n  \"a\": \"q\\\"b\\\\s\\u000a\\u00ff\xc3\xa9\\u007f\",\n  \"n\": null,\n  \"empty\": [],\n"
                        "  \"l\": [\n    18446744073709551615,\n    -1,\n    true,\n    1.500000001,\n"
                        "    \"0x7f00\",\n    null\n  ]\n}\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(times_and_codes),
        cmocka_unit_test(counts_of_kinds),
        cmocka_unit_test(utf8),
        cmocka_unit_test(json),
        cmocka_unit_test(lines_cannot_be_broken),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_heap_drop(&heap);
    return failed;
}
