/* The environment, read without getenv. */
#include "support/unit_test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/environment.h"

static char *const few[] = {"GMT_LONGER=no", "GMT", "=odd", "GMT_=under", "GMT=first", "GMT=second", "EMPTY=", NULL};

static char **saved;

static int use_few(void **state)
{
    (void)state;
    saved = environ;
    environ = (char **)few;
    return 0;
}

static int use_saved(void **state)
{
    (void)state;
    environ = saved;
    return 0;
}

static void the_whole_name_must_match(void **state)
{
    (void)state;
    assert_string_equal(gmt_environment_value("GMT"), "first");
    assert_string_equal(gmt_environment_value("GMT_"), "under");
    assert_null(gmt_environment_value("GM"));
    assert_null(gmt_environment_value("GMT_LONGER_STILL"));
    assert_null(gmt_environment_value("gmt"));
}

static void a_value_may_be_empty(void **state)
{
    (void)state;
    assert_string_equal(gmt_environment_value("EMPTY"), "");
}

static void there_may_be_no_environment(void **state)
{
    (void)state;
    environ = NULL;
    assert_null(gmt_environment_value("GMT"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_whole_name_must_match, use_few, use_saved),
        cmocka_unit_test_setup_teardown(a_value_may_be_empty, use_few, use_saved),
        cmocka_unit_test_setup_teardown(there_may_be_no_environment, use_few, use_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
