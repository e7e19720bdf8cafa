/* The parser of GPUMEMTRACE_OPTIONS: every type, every complaint, word for word. */
#include "support/unit_test.h"

#include <stdio.h>
#include <string.h>

#include "base/options.h"

static struct gmt_options options;

struct told {
    unsigned count;
    char last[1024];
};

static void remember(void *argument, const char *sentence)
{
    struct told *told = argument;
    told->count++;
    strncpy(told->last, sentence, sizeof told->last - 1);
}

static struct told parse(const char *string)
{
    struct told told = {0};
    gmt_options_init(&options);
    unsigned count = gmt_options_parse(&options, string, remember, &told);
    assert_int_equal(count, told.count);
    return told;
}

static void expect_complaint(const char *string, const char *sentence)
{
    struct told told = parse(string);
    assert_int_equal(told.count, 1);
    assert_string_equal(told.last, sentence);
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    assert_int_equal(parse("").count, 0);
    assert_false(options.off);
    assert_false(options.help);
    assert_int_equal(options.verbose, 0);
    assert_string_equal(options.dir, "");
    assert_string_equal(options.format, "text");
    assert_string_equal(options.render, "command");
    assert_int_equal(options.render_seconds, 60);
    assert_int_equal(options.error_exitcode, 23);
    assert_true(options.stacks);
    assert_true(options.free_stacks);
    assert_int_equal(options.depth, 64);
    assert_int_equal(options.oom_reports, 3);
    assert_int_equal(options.max_blocks, 16777216);
    assert_int_equal(options.max_memory, 4294967296);
}

static void each_type_is_read(void **state)
{
    (void)state;
    assert_int_equal(parse("off=1:stacks=0:verbose=2:max_blocks=1000:dir=/tmp/x").count, 0);
    assert_true(options.off);
    assert_false(options.stacks);
    assert_int_equal(options.verbose, 2);
    assert_int_equal(options.max_blocks, 1000);
    assert_string_equal(options.dir, "/tmp/x");
}

/* 256 would end the process with 0, a misspelt renderer would write no report: both pass a leak check in silence. */
static void values_outside_of_the_units_are_refused(void **state)
{
    (void)state;
    expect_complaint("error_exitcode=256", "GPUMEMTRACE_OPTIONS: \"error_exitcode\" was ignored because its value does "
                                           "not fit; it takes 1..124");
    assert_int_equal(options.error_exitcode, 23);
    expect_complaint("error_exitcode=0", "GPUMEMTRACE_OPTIONS: \"error_exitcode\" was ignored because its value does "
                                         "not fit; it takes 1..124");
    expect_complaint("depth=257",
                     "GPUMEMTRACE_OPTIONS: \"depth\" was ignored because its value does not fit; it takes 1..256");
    expect_complaint("depth=0",
                     "GPUMEMTRACE_OPTIONS: \"depth\" was ignored because its value does not fit; it takes 1..256");
    expect_complaint("render=comand", "GPUMEMTRACE_OPTIONS: \"render\" was ignored because its value does not fit; it "
                                      "takes command|parent|none");
    assert_string_equal(options.render, "command");
    expect_complaint("format=jso",
                     "GPUMEMTRACE_OPTIONS: \"format\" was ignored because its value does not fit; it takes text|json");
    expect_complaint("format=",
                     "GPUMEMTRACE_OPTIONS: \"format\" was ignored because its value does not fit; it takes text|json");
    assert_int_equal(
        parse("depth=1:depth=256:verbose=0:error_exitcode=124:render=none:render=parent:format=json").count, 0);
    assert_int_equal(options.error_exitcode, 124);
    assert_string_equal(options.render, "parent");
    assert_string_equal(options.format, "json");
}

static void separators_may_repeat(void **state)
{
    (void)state;
    assert_int_equal(parse("::verbose=1:: depth=7:\n:keep=1:").count, 0);
    assert_int_equal(options.verbose, 1);
    assert_int_equal(options.depth, 7);
    assert_true(options.keep);
}

static void quoted_values_may_hold_colons(void **state)
{
    (void)state;
    assert_int_equal(parse("dir='/a:b\"c':output=\"x:'y'\":verbose='2'").count, 0);
    assert_string_equal(options.dir, "/a:b\"c");
    assert_string_equal(options.output, "x:'y'");
    assert_int_equal(options.verbose, 2);
}

static void values_may_be_empty_or_hold_an_equals_sign(void **state)
{
    (void)state;
    assert_int_equal(parse("command=:output=a=b:dir=''").count, 0);
    assert_string_equal(options.command, "");
    assert_string_equal(options.output, "a=b");
    assert_string_equal(options.dir, "");
}

static void the_later_of_two_wins(void **state)
{
    (void)state;
    assert_int_equal(parse("depth=3:dir=first:depth=4:dir=second").count, 0);
    assert_int_equal(options.depth, 4);
    assert_string_equal(options.dir, "second");
    assert_int_equal(parse("depth=3:depth=x").count, 1);
    assert_int_equal(options.depth, 3);
}

static void sizes_take_units(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } rows[] = {
        {"max_memory=0", 0},
        {"max_memory=7", 7},
        {"max_memory=1K", 1024},
        {"max_memory=1k", 1024},
        {"max_memory=1KiB", 1024},
        {"max_memory=1KB", 1024},
        {"max_memory=3M", 3145728},
        {"max_memory=2GiB", 2147483648},
        {"max_memory=1T", 1099511627776},
        {"max_memory=16777215TiB", 18446742974197923840u},
        {"max_memory=18446744073709551615", 18446744073709551615u},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(parse(rows[i].text).count, 0);
        assert_true(options.max_memory == rows[i].bytes);
    }
}

static void values_that_do_not_fit_are_refused(void **state)
{
    static const char *const rows[] = {
        "off=2",
        "off=",
        "off=yes",
        "off=01x",
        "depth=-1",
        "depth=4294967296",
        "depth=12 ",
        "depth=0x10",
        "depth=1K",
        "max_memory=18446744073709551616",
        "max_memory=16777216T",
        "max_memory=1X",
        "max_memory=1KB1",
        "max_memory=K",
        "max_memory=1.5G",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(parse(rows[i]).count, 1);
        assert_false(options.off);
        assert_int_equal(options.depth, 64);
        assert_int_equal(options.max_memory, 4294967296);
    }
    assert_int_equal(parse("render_seconds=4294967295").count, 0);
    assert_int_equal(options.render_seconds, 4294967295u);
}

static void complaints_say_what_to_do(void **state)
{
    (void)state;
    expect_complaint("off=2", "GPUMEMTRACE_OPTIONS: \"off\" was ignored because its value does not fit; it takes 0|1");
    expect_complaint("max_memory=1X",
                     "GPUMEMTRACE_OPTIONS: \"max_memory\" was ignored because its value does not fit; it takes bytes");
    expect_complaint("verbose",
                     "GPUMEMTRACE_OPTIONS: \"verbose\" was ignored because it has no value; write key=value");
    expect_complaint("dir='/tmp", "GPUMEMTRACE_OPTIONS: \"dir\" was ignored because its quote has no end");
    expect_complaint("dir='/tmp'x", "GPUMEMTRACE_OPTIONS: \"dir\" has text after its closing quote, which was ignored");
}

static void an_unknown_key_names_the_nearest(void **state)
{
    static const char *const rows[][2] = {
        {"verbos", "verbose"},
        {"Verbose", "verbose"},
        {"leakcheck", "leak_check"},
        {"max_block", "max_blocks"},
        {"render_second", "render_seconds"},
        {"stack", "stacks"},
        {"full_stack", "full_stacks"},
        {"oom_report", "oom_reports"},
        {"", "off"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char string[64];
        char sentence[256];
        snprintf(string, sizeof string, "%s=1", rows[i][0]);
        snprintf(sentence, sizeof sentence,
                 "GPUMEMTRACE_OPTIONS: \"%s\" is not an option and was ignored; the nearest is %s", rows[i][0],
                 rows[i][1]);
        expect_complaint(string, sentence);
    }
}

static void one_mistake_does_not_cost_the_others(void **state)
{
    (void)state;
    struct told told = parse("verbose=1:nonsense=3:depth=x:keep:dir='a'b:output=\"o\":format='json");
    assert_int_equal(told.count, 5);
    assert_int_equal(options.verbose, 1);
    assert_int_equal(options.depth, 64);
    assert_false(options.keep);
    assert_string_equal(options.dir, "a");
    assert_string_equal(options.output, "o");
    assert_string_equal(options.format, "text");
}

static void a_long_key_is_cut_in_the_complaint(void **state)
{
    (void)state;
    char string[402];
    memset(string, 'k', 400);
    strcpy(string + 400, "=");
    struct told told = parse(string);
    assert_int_equal(told.count, 1);
    char start[124] = "GPUMEMTRACE_OPTIONS: \"";
    memset(start + 22, 'k', 100);
    strcpy(start + 122, "\"");
    assert_memory_equal(told.last, start, 123);
}

static void text_storage_is_bounded(void **state)
{
    (void)state;
    static char string[2 * GMT_OPTIONS_TEXT_BYTES];
    strcpy(string, "dir=");
    memset(string + 4, 'd', 8191);
    string[4 + 8191] = '\0';
    assert_int_equal(parse(string).count, 0);
    assert_int_equal(strlen(options.dir), 8191);
    strcpy(string + 4 + 8191, "d");
    assert_int_equal(parse(string).count, 1);
    assert_string_equal(options.dir, "");
    strcpy(string + 4 + 8190, ":output=x"); /* one byte is left, two are needed */
    assert_int_equal(parse(string).count, 1);
    assert_int_equal(strlen(options.dir), 8190);
    assert_string_equal(options.output, "");
}

static void complaints_need_no_listener(void **state)
{
    (void)state;
    gmt_options_init(&options);
    assert_int_equal(gmt_options_parse(&options, "a=1:b=2", NULL, NULL), 2);
}

static void rows_are_as_declared(void **state)
{
    (void)state;
    unsigned count = 0;
    while (gmt_option_rows[count].name)
        count++;
    assert_int_equal(count, 19);
    assert_string_equal(gmt_option_rows[0].name, "off");
    assert_string_equal(gmt_option_rows[0].type, "BOOL");
    assert_string_equal(gmt_option_rows[0].standard, "0");
    assert_string_equal(gmt_option_rows[0].unit, "0|1");
    assert_string_equal(gmt_option_rows[18].name, "full_stacks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(each_type_is_read),
        cmocka_unit_test(values_outside_of_the_units_are_refused),
        cmocka_unit_test(separators_may_repeat),
        cmocka_unit_test(quoted_values_may_hold_colons),
        cmocka_unit_test(values_may_be_empty_or_hold_an_equals_sign),
        cmocka_unit_test(the_later_of_two_wins),
        cmocka_unit_test(sizes_take_units),
        cmocka_unit_test(values_that_do_not_fit_are_refused),
        cmocka_unit_test(complaints_say_what_to_do),
        cmocka_unit_test(an_unknown_key_names_the_nearest),
        cmocka_unit_test(one_mistake_does_not_cost_the_others),
        cmocka_unit_test(a_long_key_is_cut_in_the_complaint),
        cmocka_unit_test(text_storage_is_bounded),
        cmocka_unit_test(complaints_need_no_listener),
        cmocka_unit_test(rows_are_as_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
