/* The layout of the trace file, in numbers: a reader of another build must find everything where it was. Whoever
 * changes one of these changes GMT_TRACE_VERSION as well. */
#include "support/unit_test.h"

#include <stddef.h>

#include "track/trace_file.h"

static void records_have_these_sizes(void **state)
{
    static const struct {
        const char *name;
        size_t is;
    } sizes[] = {
#define X(name, type) {#name, sizeof(type)},
        GMT_TRACE_SECTIONS(X)
#undef X
    };
    static const size_t expected[] = {1, 24, 416, 56, 40, 56, 32, 16, 16, 104, 96, 1136, 104, 56, 40, 72};
    (void)state;
    assert_int_equal(GMT_TRACE_VERSION, 2);
    assert_int_equal(sizeof expected / sizeof expected[0], GMT_SECTION_COUNT);
    for (unsigned i = 0; i < GMT_SECTION_COUNT; i++) {
        if (sizes[i].is != expected[i])
            fail_msg("%s has %zu bytes", sizes[i].name, sizes[i].is);
    }
}

static void members_lie_here(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct gmt_trace_header), 984);
    assert_int_equal(offsetof(struct gmt_trace_header, sections), 32);
    assert_int_equal(offsetof(struct gmt_trace_header, pid), 800);
    assert_int_equal(offsetof(struct gmt_trace_header, troubles), 912);
    assert_int_equal(offsetof(struct gmt_trace_header, next_sequence), 976);
    assert_int_equal(offsetof(struct gmt_device_record, totals), 32);
    assert_int_equal(offsetof(struct gmt_context_record, ended_ns), 48);
    assert_int_equal(offsetof(struct gmt_module_record, base), 48);
    assert_int_equal(offsetof(struct gmt_thread_record, name), 32);
    assert_int_equal(offsetof(struct gmt_site_record, live_bytes), 16);
    assert_int_equal(offsetof(struct gmt_site_record, freed_stack), 72);
    assert_int_equal(offsetof(struct gmt_site_record, at_peak_generation), 96);
    assert_int_equal(offsetof(struct gmt_failure_record, near_ns), 88);
    assert_int_equal(offsetof(struct gmt_oom_record, top), 440);
    assert_int_equal(offsetof(struct gmt_oom_record, live_of_kind), 824);
    assert_int_equal(offsetof(struct gmt_pool_record, sample_ns), 96);
    assert_int_equal(offsetof(struct gmt_limit_record, count), 48);
    assert_int_equal(offsetof(struct gmt_freed_record, family), 32);
    assert_int_equal(offsetof(struct gmt_block_record, state), 44);
    assert_int_equal(offsetof(struct gmt_block_record, failed_next), 68);
}

/* Positions are stored: new ones come last. */
static void numbers_mean_this(void **state)
{
    (void)state;
    assert_int_equal(GMT_KIND_DEVICE, 0);
    assert_int_equal(GMT_KIND_STREAM_ORDERED, 4);
    assert_int_equal(GMT_KIND_REGISTERED, 8);
    assert_int_equal(GMT_KIND_PHYSICAL, 12);
    assert_int_equal(GMT_KIND_MAPPING, 16);
    assert_int_equal(GMT_KIND_VARIABLE, 20);
    assert_int_equal(GMT_KIND_STREAM, 24);
    assert_int_equal(GMT_KIND_GRAPH, 29);
    assert_int_equal(GMT_KIND_GREEN_CONTEXT, 32);
    assert_int_equal(GMT_KIND_COUNT, 33);
    assert_int_equal(GMT_SPACE_OBJECT, 5);
    assert_int_equal(GMT_FAMILY_GREEN_CONTEXT, 21);
    assert_int_equal(GMT_FAILURE_EXPORTED, 5);
    assert_int_equal(GMT_ADDRESS_OTHER_FAMILY, 4);
    assert_int_equal(GMT_BLOCK_LATE, 4);
    assert_int_equal(GMT_CONTEXT_DESTROYED, 4);
    assert_int_equal(GMT_POOL_GRAPHS, 3);
    assert_int_equal(GMT_TROUBLE_STACKS_CUT, 7);
}

static void each_kind_is_of_one_space_and_family(void **state)
{
    static const char *const names[] = {"pinned", "registered", "physical", "reservation", "variable", "pool"};
    static const struct {
        enum gmt_kind kind;
        enum gmt_space space;
        enum gmt_family family;
        enum gmt_rest rest;
    } some[] = {
        {GMT_KIND_PINNED, GMT_SPACE_HOST, GMT_FAMILY_ADDRESS, GMT_REST_LEAK},
        {GMT_KIND_REGISTERED, GMT_SPACE_HOST, GMT_FAMILY_REGISTRATION, GMT_REST_LEAK},
        {GMT_KIND_PHYSICAL, GMT_SPACE_DEVICE, GMT_FAMILY_HANDLE, GMT_REST_LEAK},
        {GMT_KIND_RESERVATION, GMT_SPACE_ADDRESSES, GMT_FAMILY_RESERVATION, GMT_REST_LEFT},
        {GMT_KIND_VARIABLE, GMT_SPACE_DEVICE, GMT_FAMILY_VARIABLE, GMT_REST_STAYS},
        {GMT_KIND_POOL, GMT_SPACE_OBJECT, GMT_FAMILY_POOL, GMT_REST_LEFT},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof some / sizeof some[0]; i++) {
        const struct gmt_kind_facts *facts = gmt_kind_facts(some[i].kind);
        assert_string_equal(facts->json, names[i]);
        assert_int_equal(facts->space, some[i].space);
        assert_int_equal(facts->family, some[i].family);
        assert_int_equal(facts->rest, some[i].rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_have_these_sizes),
        cmocka_unit_test(members_lie_here),
        cmocka_unit_test(numbers_mean_this),
        cmocka_unit_test(each_kind_is_of_one_space_and_family),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
