/* Failed calls: what is counted together, and what is said of the last one. */
#include "track_fixture.h"

static struct gmt_event failed_free(uint64_t address, int32_t code)
{
    struct gmt_event event = allocation(address, 0);
    event.entry = ENTRY_FREE;
    event.code = code;
    return event;
}

static void fail_with(struct gmt_event event, enum gmt_failure_kind kind)
{
    gmt_tracker_failure(&tracker, &event, kind);
}

static void equal_failures_are_counted_together(void **state)
{
    struct gmt_event event = allocation(0, 1 << 20);
    (void)state;
    event.code = 2;
    tracker_now = 1100;
    fail_with(event, GMT_FAILURE_FAILED);
    tracker_now = 1300;
    event.bytes = 7;
    fail_with(event, GMT_FAILURE_FAILED);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(USED(FAILURES), 1);
    assert_int_equal(failure->state, 1);
    assert_int_equal(failure->stack, event.stack);
    assert_int_equal(failure->entry, ENTRY_ALLOC);
    assert_int_equal(failure->kind, GMT_FAILURE_FAILED);
    assert_int_equal(failure->code, 2);
    assert_int_equal(failure->count, 2);
    assert_int_equal(failure->first_ns, 100);
    assert_int_equal(failure->last_ns, 300);
    assert_int_equal(failure->last_bytes, 7);
    assert_int_equal(failure->near_site, GMT_NONE);
}

static void another_entry_code_kind_or_stack_is_another_failure(void **state)
{
    (void)state;
    struct gmt_event event = failed_free(0x1000, 1);
    fail_with(event, GMT_FAILURE_STRAY);
    fail_with(event, GMT_FAILURE_FAILED);
    event.code = 201;
    fail_with(event, GMT_FAILURE_STRAY);
    event.entry = ENTRY_MANAGED;
    fail_with(event, GMT_FAILURE_STRAY);
    event.stack = stack_number(1);
    fail_with(event, GMT_FAILURE_STRAY);
    fail_with(failed_free(0, 0), GMT_FAILURE_NULL);
    assert_int_equal(USED(FAILURES), 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(RECORD(FAILURES, i)->count, 1);
}

static void a_stray_free_names_the_nearest_block_below(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    struct gmt_event event = allocation(0x2000, 0x200);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    add(0x3000, 0x300);
    fail_with(failed_free(0x2fff, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->last_address, 0x2fff);
    assert_int_equal(failure->near_address, 0x2000);
    assert_int_equal(failure->near_bytes, 0x200);
    assert_int_equal(failure->near_site, 1);
}

static void below_all_blocks_there_is_no_nearest(void **state)
{
    (void)state;
    add(0x2000, 0x200);
    fail_with(failed_free(0x1fff, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->near_site, GMT_NONE);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0);
}

static void a_freed_block_is_not_near(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    add(0x2000, 0x200);
    free_block(0x2000);
    fail_with(failed_free(0x2010, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0x1000);
}

/* Address, distance and site belong together, also when the same place goes wrong with another address. */
static void the_nearest_block_follows_the_last_address(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    add(0x5000, 0x200);
    fail_with(failed_free(0x1010, 1), GMT_FAILURE_STRAY);
    fail_with(failed_free(0x5010, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->count, 2);
    assert_int_equal(failure->last_address, 0x5010);
    assert_int_equal(failure->near_address, 0x5000);
    assert_int_equal(failure->near_bytes, 0x200);
}

/* Addresses are compared with addresses: a handle is a number of another kind, however near it is. */
static void what_is_only_a_handle_is_near_nothing(void **state)
{
    struct gmt_event array = allocation(0x2000, 0x10000);
    (void)state;
    array.kind = GMT_KIND_ARRAY;
    gmt_tracker_add(&tracker, &array);
    add(0x1000, 0x100);
    fail_with(failed_free(0x2010, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->near_address, 0x1000);
    assert_int_equal(RECORD(FAILURES, 0)->address_is, GMT_ADDRESS_UNKNOWN);
    struct gmt_event event = failed_free(0x2010, 400); /* and an array is looked for among handles alone */
    event.family = GMT_FAMILY_ARRAY;
    fail_with(event, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 1)->near_site, GMT_NONE);
}

static void inside_and_behind_a_block(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    fail_with(failed_free(0x10ff, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->address_is, GMT_ADDRESS_INSIDE_BLOCK);
    struct gmt_event event = failed_free(0x1100, 1);
    event.stack = stack_number(1);
    event.address_is = GMT_ADDRESS_HOST;
    fail_with(event, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 1)->address_is, GMT_ADDRESS_HOST);
    assert_int_equal(RECORD(FAILURES, 1)->near_address, 0x1000);
}

static void something_of_another_family_lives_there(void **state)
{
    struct gmt_event stream = allocation(0x2000, 0);
    (void)state;
    stream.kind = GMT_KIND_STREAM;
    stream.stack = stack_number(7);
    gmt_tracker_add(&tracker, &stream);
    add(0x1000, 0x2000); /* starts below, and holds the number */
    fail_with(failed_free(0x2000, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->address_is, GMT_ADDRESS_OTHER_FAMILY);
    assert_int_equal(failure->near_address, 0x2000);
    assert_int_equal(RECORD(SITES, failure->near_site)->kind, GMT_KIND_STREAM);
}

/* A handle points to memory of the driver in the host, which says nothing; on the stack it is a mistake. */
static void a_handle_in_the_host_is_nothing_unusual(void **state)
{
    (void)state;
    struct gmt_event event = failed_free(0x5000, 400);
    event.family = GMT_FAMILY_STREAM;
    event.address_is = GMT_ADDRESS_HOST;
    fail_with(event, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->address_is, GMT_ADDRESS_UNKNOWN);
    event.stack = stack_number(2);
    event.address_is = GMT_ADDRESS_STACK;
    fail_with(event, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 1)->address_is, GMT_ADDRESS_STACK);
}

static void what_ended_with_its_context_is_freed(void **state)
{
    (void)state;
    struct gmt_event event = allocation(0x2000, 0x100);
    event.context = gmt_tracker_context(&tracker, 0xc0, 0);
    event.stack = stack_number(7);
    gmt_tracker_add(&tracker, &event);
    gmt_tracker_context_ended(&tracker, 0xc0, GMT_CONTEXT_DESTROYED, &event);
    add(0x1000, 0x100);
    fail_with(failed_free(0x2000, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->address_is, GMT_ADDRESS_ENDED);
    assert_int_equal(failure->near_address, 0x2000);
    assert_int_equal(RECORD(SITES, failure->near_site)->stack, stack_number(7));
    fail_with(failed_free(0x2001, 1), GMT_FAILURE_STRAY); /* another address, which is not that of the block */
    assert_int_equal(failure->address_is, GMT_ADDRESS_UNKNOWN);
}

static void a_second_free_has_three_stacks(void **state)
{
    (void)state;
    tracker_now = 1200;
    add(0x1000, 0x100);
    tracker_now = 1700;
    free_block(0x1000);
    struct gmt_event event = failed_free(0x1000, 1);
    event.stack = stack_number(5);
    fail_with(event, GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->kind, GMT_FAILURE_DOUBLE);
    assert_int_equal(failure->stack, stack_number(5));
    assert_int_equal(failure->near_stack, stack_number(90));
    assert_int_equal(RECORD(SITES, failure->near_site)->stack, stack_number(0));
    assert_int_equal(failure->near_address, 0x1000);
    assert_int_equal(failure->near_bytes, 0x100);
    assert_int_equal(failure->near_ns, 700);
}

static void an_address_that_came_back_is_not_freed_twice(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    free_block(0x1000);
    add(0x1000, 0x80);
    struct gmt_taken taken = begin_free(GMT_FAMILY_ADDRESS, 0x1000);
    struct gmt_event event = failed_free(0x1000, 1);
    gmt_tracker_free_abort(&tracker, &taken);
    fail_with(event, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(FAILURES, 0)->kind, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(FAILURES, 0)->near_bytes, 0x80); /* the block itself */
}

/* What was freed as one thing may be given back as another. */
/* Pinned memory was freed there; the program has registered memory of its own there since. */
static void a_freed_address_is_something_else_now(void **state)
{
    (void)state;
    add_kind(GMT_KIND_PINNED, 0x1000, 256);
    free_block(0x1000);
    uint32_t registered = add_kind(GMT_KIND_REGISTERED, 0x1000, 4096);
    fail_with(failed_free(0x1000, 1), GMT_FAILURE_STRAY);
    const struct gmt_failure_record *failure = RECORD(FAILURES, 0);
    assert_int_equal(failure->kind, GMT_FAILURE_STRAY);
    assert_int_equal(failure->address_is, GMT_ADDRESS_OTHER_FAMILY);
    assert_int_equal(failure->near_site, RECORD(BLOCKS, registered)->site);
    free_of(GMT_FAMILY_REGISTRATION, 0x1000);
    fail_with(failed_free(0x1000, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 1)->kind, GMT_FAILURE_DOUBLE);
}

static void freed_in_another_family_is_no_second_free(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    free_block(0x1000);
    struct gmt_event event = failed_free(0x1000, 1);
    event.family = GMT_FAMILY_STREAM;
    fail_with(event, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->kind, GMT_FAILURE_STRAY);
}

static struct gmt_event registration(uint64_t address, uint64_t bytes)
{
    struct gmt_event event = allocation(address, bytes);
    event.kind = GMT_KIND_REGISTERED;
    return event;
}

static const struct gmt_failure_record *refused_registration(uint64_t address, uint64_t bytes)
{
    struct gmt_event event = registration(address, bytes);
    event.code = 712;
    event.in_the_way = true;
    event.stack = stack_number((unsigned)(100 + USED(FAILURES)));
    fail_with(event, GMT_FAILURE_FAILED);
    return RECORD(FAILURES, USED(FAILURES) - 1);
}

static void what_is_in_the_way_is_named(void **state)
{
    struct gmt_event event = registration(0x5000, 0x1000);
    (void)state;
    add(0x5800, 0x100); /* memory is in nobody's way */
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(refused_registration(0x5fff, 1)->near_address, 0x5000);
    assert_int_equal(refused_registration(0x6000, 1)->near_site, GMT_NONE);
    assert_int_equal(refused_registration(0x4000, 0x1001)->near_address, 0x5000);
    assert_int_equal(refused_registration(0x4000, 0x1000)->near_site, GMT_NONE);
    /* Sums that overflow. */
    assert_int_equal(refused_registration(0x1000, UINT64_MAX)->near_address, 0x5000);
    assert_int_equal(refused_registration(UINT64_MAX - 1, UINT64_MAX)->near_site, GMT_NONE);
}

static void an_error_marks_what_its_thread_took_last(void **state)
{
    struct gmt_event event = allocation(0x1000, 0x100);
    struct gmt_event failed = failed_free(0, 700);
    (void)state;
    failed.last_block = gmt_tracker_add(&tracker, &event);
    event.address = 0x2000;
    uint32_t other = gmt_tracker_add(&tracker, &event);
    failed.thread = 41; /* another thread's error is not about it */
    fail_with(failed, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(BLOCKS, failed.last_block)->failed_next, GMT_NONE);
    failed.thread = 42;
    failed.stack = stack_number(1);
    fail_with(failed, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(BLOCKS, failed.last_block)->failed_next, 1);
    assert_int_equal(RECORD(BLOCKS, other)->failed_next, GMT_NONE);
    failed.stack = stack_number(2);
    fail_with(failed, GMT_FAILURE_FAILED); /* the first one stays */
    assert_int_equal(RECORD(BLOCKS, failed.last_block)->failed_next, 1);
    failed.last_block = 12345678; /* not a record */
    fail_with(failed, GMT_FAILURE_FAILED);
    failed.last_block = other;
    failed.code = 0; /* a stray free that the driver took */
    fail_with(failed, GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(BLOCKS, other)->failed_next, GMT_NONE);
}

static void a_thread_without_a_context_is_told(void **state)
{
    struct gmt_event event = failed_free(0, 201);
    (void)state;
    event.no_context = true;
    fail_with(event, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(FAILURES, 0)->no_context, 1);
    event.no_context = false;
    fail_with(event, GMT_FAILURE_FAILED);
    assert_int_equal(RECORD(FAILURES, 0)->no_context, 0);
    assert_int_equal(RECORD(FAILURES, 0)->last_thread, 42);
}

/* Looking around takes long: at the 1st, 2nd, 4th, 8th … time. */
static void what_is_near_is_looked_up_ever_more_seldom(void **state)
{
    (void)state;
    add(0x1000, 0x100);
    for (uint64_t i = 1; i <= 9; i++)
        fail_with(failed_free(0x1000 + i, 1), GMT_FAILURE_STRAY);
    assert_int_equal(RECORD(FAILURES, 0)->count, 9);
    assert_int_equal(RECORD(FAILURES, 0)->last_address, 0x1008);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(equal_failures_are_counted_together),
        TRACKER_TEST(another_entry_code_kind_or_stack_is_another_failure),
        TRACKER_TEST(a_stray_free_names_the_nearest_block_below),
        TRACKER_TEST(below_all_blocks_there_is_no_nearest),
        TRACKER_TEST(a_freed_block_is_not_near),
        TRACKER_TEST(the_nearest_block_follows_the_last_address),
        TRACKER_TEST(what_is_only_a_handle_is_near_nothing),
        TRACKER_TEST(inside_and_behind_a_block),
        TRACKER_TEST(something_of_another_family_lives_there),
        TRACKER_TEST(a_handle_in_the_host_is_nothing_unusual),
        TRACKER_TEST(what_ended_with_its_context_is_freed),
        TRACKER_TEST(a_second_free_has_three_stacks),
        TRACKER_TEST(an_address_that_came_back_is_not_freed_twice),
        TRACKER_TEST(freed_in_another_family_is_no_second_free),
        TRACKER_TEST(a_freed_address_is_something_else_now),
        TRACKER_TEST(what_is_in_the_way_is_named),
        TRACKER_TEST(an_error_marks_what_its_thread_took_last),
        TRACKER_TEST(a_thread_without_a_context_is_told),
        TRACKER_TEST(what_is_near_is_looked_up_ever_more_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
