/* Pools and limits: who made them keep memory from the device. */
#include "track_fixture.h"

#define POOL 0x6000

static struct gmt_event by(unsigned stack, uint32_t device)
{
    struct gmt_event event = free_event();
    event.entry = ENTRY_MANAGED;
    event.stack = stack_number(stack);
    event.device = device;
    return event;
}

static void sample(enum gmt_pool_type type, uint64_t handle, uint32_t device, uint64_t reserved)
{
    struct gmt_pool_sample figures = {.type = type,
                                      .handle = handle,
                                      .device = device,
                                      .threshold_bytes = 1,
                                      .reserved_bytes = reserved,
                                      .used_bytes = 3,
                                      .reserved_high_bytes = 4,
                                      .used_high_bytes = 5};
    gmt_tracker_pool_sampled(&tracker, &figures);
}

static void a_pool_is_made_once(void **state)
{
    (void)state;
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, POOL, 2);
    gmt_tracker_pool(&tracker, GMT_POOL_DEFAULT, POOL, 2);
    const struct gmt_pool_record *pool = RECORD(POOLS, 0);
    assert_int_equal(USED(POOLS), 1);
    assert_int_equal(pool->state, GMT_POOL_LIVE);
    assert_int_equal(pool->type, GMT_POOL_CREATED);
    assert_int_equal(pool->handle, POOL);
    assert_int_equal(pool->device, 2);
    assert_int_equal(pool->threshold_stack, GMT_NONE);
    assert_int_equal(pool->trim_stack, GMT_NONE);
    assert_int_equal(pool->sample_ns, 0);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), 2);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL + 1), GMT_NONE);
    assert_int_equal(gmt_tracker_pool_device(&tracker, 0), GMT_NONE);
}

static void the_device_of_an_imported_pool_is_learnt_later(void **state)
{
    (void)state;
    gmt_tracker_pool(&tracker, GMT_POOL_IMPORTED, POOL, GMT_NONE);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), GMT_NONE);
    gmt_tracker_pool(&tracker, GMT_POOL_DEFAULT, POOL, 1);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), 1);
    assert_int_equal(RECORD(POOLS, 0)->type, GMT_POOL_IMPORTED);
}

/* Who sets its threshold does so in some context; a pool of the host's memory is not that context's for it. */
static void a_pool_without_a_device_stays_without(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, POOL, GMT_NONE);
    gmt_tracker_pool_threshold(&tracker, POOL, 7, &event);
    gmt_tracker_pool_trimmed(&tracker, POOL, &event);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), GMT_NONE);
}

static void a_threshold_knows_who_set_it(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    tracker_now = 1250;
    gmt_tracker_pool_threshold(&tracker, POOL, UINT64_MAX, &event);
    assert_true(RECORD(POOLS, 0)->threshold_bytes == UINT64_MAX);
    assert_int_equal(RECORD(POOLS, 0)->threshold_stack, stack_number(4));
    assert_int_equal(RECORD(POOLS, 0)->threshold_entry, ENTRY_MANAGED);
    assert_int_equal(RECORD(POOLS, 0)->threshold_ns, 250);
    event = by(5, 1);
    gmt_tracker_pool_threshold(&tracker, POOL, 7, &event);
    assert_int_equal(RECORD(POOLS, 0)->threshold_bytes, 7);
    assert_int_equal(RECORD(POOLS, 0)->threshold_stack, stack_number(5));
    gmt_tracker_pool_threshold(&tracker, 0, 7, &event);
    assert_int_equal(USED(POOLS), 1);
}

static void trims_are_counted(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    gmt_tracker_pool_trimmed(&tracker, POOL, &event);
    event = by(5, 1);
    tracker_now = 1400;
    gmt_tracker_pool_trimmed(&tracker, POOL, &event);
    assert_int_equal(RECORD(POOLS, 0)->trim_count, 2);
    assert_int_equal(RECORD(POOLS, 0)->trim_stack, stack_number(5));
    assert_int_equal(RECORD(POOLS, 0)->trim_ns, 400);
}

static void graphs_have_one_pool_for_each_device(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    gmt_tracker_pool_trimmed(&tracker, 0, &event);
    sample(GMT_POOL_GRAPHS, 0, 1, 50);
    sample(GMT_POOL_GRAPHS, 0, 2, 60);
    assert_int_equal(USED(POOLS), 2);
    assert_int_equal(RECORD(POOLS, 0)->type, GMT_POOL_GRAPHS);
    assert_int_equal(RECORD(POOLS, 0)->reserved_bytes, 50);
    assert_int_equal(RECORD(POOLS, 0)->trim_count, 1);
    assert_int_equal(RECORD(POOLS, 1)->device, 2);
}

static void a_sample_renews_all_figures(void **state)
{
    (void)state;
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, POOL, 0);
    tracker_now = 1600;
    sample(GMT_POOL_CREATED, POOL, 0, 2);
    const struct gmt_pool_record *pool = RECORD(POOLS, 0);
    assert_int_equal(pool->threshold_bytes, 1);
    assert_int_equal(pool->reserved_bytes, 2);
    assert_int_equal(pool->used_bytes, 3);
    assert_int_equal(pool->reserved_high_bytes, 4);
    assert_int_equal(pool->used_high_bytes, 5);
    assert_int_equal(pool->sample_ns, 600);
    tracker_now = 1000;
    sample(GMT_POOL_DEFAULT, 0x7000, 0, 9); /* a pool that nobody had asked for, at the very start */
    assert_int_equal(USED(POOLS), 2);
    assert_int_equal(RECORD(POOLS, 1)->sample_ns, 1);
}

static void a_destroyed_pool_stays_as_a_record_and_its_handle_is_another(void **state)
{
    (void)state;
    add_kind(GMT_KIND_POOL, POOL, 0);
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, POOL, 2);
    free_of(GMT_FAMILY_POOL, POOL);
    assert_int_equal(RECORD(POOLS, 0)->state, GMT_POOL_DESTROYED);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), GMT_NONE);
    add_kind(GMT_KIND_POOL, POOL, 0);
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, POOL, 3);
    assert_int_equal(USED(POOLS), 2);
    assert_int_equal(RECORD(POOLS, 0)->device, 2);
    assert_int_equal(gmt_tracker_pool_device(&tracker, POOL), 3);
    add_kind(GMT_KIND_POOL, POOL, 0); /* its destruction was not seen */
    assert_int_equal(RECORD(POOLS, 1)->state, GMT_POOL_DESTROYED);
}

static void pools_to_be_asked_are_those_of_the_program(void **state)
{
    uint64_t handles[3] = {0};
    (void)state;
    gmt_tracker_pool(&tracker, GMT_POOL_DEFAULT, 1, 0);
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, 2, 0);
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, 3, 1);
    gmt_tracker_pool(&tracker, GMT_POOL_IMPORTED, 4, 0);
    add_kind(GMT_KIND_POOL, 5, 0);
    gmt_tracker_pool(&tracker, GMT_POOL_CREATED, 5, 0);
    free_of(GMT_FAMILY_POOL, 5);
    sample(GMT_POOL_GRAPHS, 0, 0, 1);
    assert_int_equal(gmt_tracker_pools_of(&tracker, 0, handles, 3), 2);
    assert_int_equal(handles[0], 2);
    assert_int_equal(handles[1], 4);
    assert_int_equal(gmt_tracker_pools_of(&tracker, 0, handles, 1), 1);
    assert_int_equal(gmt_tracker_pools_of(&tracker, 5, handles, 3), 0);
}

static void equal_changes_of_a_limit_in_a_row_are_one_record(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    event.context = 2;
    tracker_now = 1100;
    gmt_tracker_limit(&tracker, 3, 1024, 2048, &event);
    tracker_now = 1200;
    gmt_tracker_limit(&tracker, 3, 1024, 2048, &event);
    const struct gmt_limit_record *limit = RECORD(LIMITS, 0);
    assert_int_equal(USED(LIMITS), 1);
    assert_int_equal(limit->state, 1);
    assert_int_equal(limit->limit, 3);
    assert_int_equal(limit->old_value, 1024);
    assert_int_equal(limit->new_value, 2048);
    assert_int_equal(limit->context, 2);
    assert_int_equal(limit->device, 1);
    assert_int_equal(limit->stack, stack_number(4));
    assert_int_equal(limit->entry, ENTRY_MANAGED);
    assert_int_equal(limit->time_ns, 200);
    assert_int_equal(limit->count, 2);
    gmt_tracker_limit(&tracker, 3, 2048, 1024, &event);
    gmt_tracker_limit(&tracker, 3, 1024, 2048, &event);
    assert_int_equal(USED(LIMITS), 3);
    event.stack = stack_number(6);
    gmt_tracker_limit(&tracker, 3, 1024, 2048, &event);
    gmt_tracker_limit(&tracker, 3, UINT64_MAX, 2048, &event);
    assert_int_equal(USED(LIMITS), 5);
}

static void what_does_not_fit_is_dropped_and_counted(void **state)
{
    struct gmt_event event = by(4, 1);
    (void)state;
    for (uint64_t i = 0; i <= 16384; i++) {
        gmt_tracker_limit(&tracker, 3, i, i + 1, &event);
        gmt_tracker_pool(&tracker, GMT_POOL_CREATED, i + 1, 0);
        if (i < 16380)
            RECORD(POOLS, i)->state = GMT_POOL_DESTROYED; /* spares the search */
    }
    assert_int_equal(HEADER->sections[GMT_SECTION_LIMITS].dropped, 1);
    assert_int_equal(HEADER->sections[GMT_SECTION_POOLS].dropped, 1);
    gmt_tracker_pool_threshold(&tracker, 99999, 1, &event);
    sample(GMT_POOL_CREATED, 99999, 0, 2);
    assert_int_equal(HEADER->sections[GMT_SECTION_POOLS].dropped, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_pool_is_made_once),
        TRACKER_TEST(the_device_of_an_imported_pool_is_learnt_later),
        TRACKER_TEST(a_pool_without_a_device_stays_without),
        TRACKER_TEST(a_threshold_knows_who_set_it),
        TRACKER_TEST(trims_are_counted),
        TRACKER_TEST(graphs_have_one_pool_for_each_device),
        TRACKER_TEST(a_sample_renews_all_figures),
        TRACKER_TEST(a_destroyed_pool_stays_as_a_record_and_its_handle_is_another),
        TRACKER_TEST(pools_to_be_asked_are_those_of_the_program),
        TRACKER_TEST(equal_changes_of_a_limit_in_a_row_are_one_record),
        TRACKER_TEST(what_does_not_fit_is_dropped_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
