/* Blocks and objects: taken, replaced, looked up, lost. */
#include "track_fixture.h"

static void a_block_is_recorded_with_all_it_is(void **state)
{
    struct gmt_event event = allocation(0x7000, 4096);
    (void)state;
    tracker_now = 1500;
    event.context = 3;
    gmt_tracker_add(&tracker, &event);
    const struct gmt_block_record *block = RECORD(BLOCKS, 0);
    assert_int_equal(USED(BLOCKS), 1);
    assert_int_equal(block->address, 0x7000);
    assert_int_equal(block->bytes, 4096);
    assert_int_equal(block->time_ns, 500);
    assert_int_equal(block->sequence, 1);
    assert_int_equal(block->site, 0);
    assert_int_equal(block->context, 3);
    assert_int_equal(block->thread, 42);
    assert_int_equal(block->state, GMT_BLOCK_LIVE);
    const struct gmt_site_record *site = RECORD(SITES, 0);
    assert_int_equal(site->state, 1);
    assert_int_equal(site->stack, event.stack);
    assert_int_equal(site->entry, ENTRY_ALLOC);
    assert_int_equal(site->kind, GMT_KIND_DEVICE);
    assert_int_equal(site->device, 0);
    assert_int_equal(site->live_bytes, 4096);
    assert_int_equal(site->first_ns, 500);
    assert_int_equal(HEADER->last_event_ns, 500);
    assert_int_equal(HEADER->own_bytes, 1048576);
}

static void blocks_are_grouped_by_stack_entry_kind_and_device(void **state)
{
    (void)state;
    add(0x1000, 1);
    add(0x2000, 2);
    struct gmt_event event = allocation(0x3000, 4);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x4000, 8);
    event.entry = ENTRY_MANAGED;
    event.kind = GMT_KIND_MANAGED;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x5000, 16);
    event.device = 1;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x6000, 32);
    event.kind = GMT_KIND_PINNED;
    gmt_tracker_add(&tracker, &event);
    event = allocation(0x7000, 64);
    event.device = GMT_NONE;
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(USED(SITES), 6);
    assert_int_equal(RECORD(SITES, 0)->live_bytes, 3);
    assert_int_equal(RECORD(SITES, 0)->live_count, 2);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 7);
    assert_int_equal(device_totals(0, GMT_SPACE_MANAGED)->live_bytes, 8);
    assert_int_equal(device_totals(0, GMT_SPACE_HOST)->live_bytes, 32);
    assert_int_equal(device_totals(1, GMT_SPACE_DEVICE)->live_bytes, 16);
    assert_int_equal(HEADER->next_sequence, 7);
}

/* The free of the first one went past the hooks. */
static void an_address_handed_out_again_replaces_the_stale_block(void **state)
{
    (void)state;
    add(0x1000, 100);
    struct gmt_event event = allocation(0x1000, 30);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 1);
    assert_int_equal(USED(BLOCKS), 1);
    assert_int_equal(RECORD(BLOCKS, 0)->bytes, 30);
    assert_int_equal(RECORD(BLOCKS, 0)->site, 1);
    assert_int_equal(RECORD(SITES, 0)->live_bytes, 0);
    assert_int_equal(RECORD(SITES, 0)->total_bytes, 100);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 30);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->peak_bytes, 100);
    free_block(0x1000);
}

static void null_is_no_block(void **state)
{
    (void)state;
    add(0, 0);
    assert_int_equal(USED(BLOCKS), 0);
    assert_int_equal(HEADER->next_sequence, 0);
}

static void a_full_table_of_blocks_is_counted(void **state)
{
    (void)state;
    tracker_setup.max_blocks = 16;
    assert_int_equal(reopen_tracker(), 0);
    for (uint64_t i = 1; i <= 20; i++)
        add(i * 0x1000, 10);
    assert_int_equal(USED(BLOCKS), 16);
    assert_int_equal(TROUBLES(BLOCKS_FULL), 4);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 160);
    assert_int_equal(HEADER->next_sequence, 16);
    free_block(0x1000);
    add(0x20000, 10); /* there is room again */
    assert_int_equal(TROUBLES(BLOCKS_FULL), 4);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, 16);
}

static void without_memory_blocks_are_dropped_and_counted(void **state)
{
    uint64_t added = 0;
    (void)state;
    tracker_setup.max_memory = (uint64_t)1 << 20;
    tracker_setup.max_blocks = 100000;
    assert_int_equal(reopen_tracker(), 0);
    while (TROUBLES(NO_MEMORY) == 0 && added < 100000)
        add(++added * 0x1000, 1);
    assert_true(added > 5000 && added < 100000);
    assert_int_equal(HEADER->next_sequence, added - 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, added - 1);
    gmt_tracker_audit(&tracker);
    free_block(0x1000);
    add(0x500, 1); /* a freed block's memory serves the next */
    assert_int_equal(TROUBLES(NO_MEMORY), 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_count, added - 1);
}

/* Handles are numbers that the driver makes up: one may well be an address, or a handle of something else. */
static void equal_numbers_of_two_families_are_two_things(void **state)
{
    (void)state;
    add(0x1000, 100);
    add_kind(GMT_KIND_STREAM, 0x1000, 0);
    add_kind(GMT_KIND_REGISTERED, 0x1000, 4096);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
    gmt_tracker_audit(&tracker);
    free_of(GMT_FAMILY_STREAM, 0x1000);
    assert_true(gmt_tracker_is_live(&tracker, GMT_FAMILY_ADDRESS, 0x1000));
    assert_true(gmt_tracker_is_live(&tracker, GMT_FAMILY_REGISTRATION, 0x1000));
    assert_false(gmt_tracker_is_live(&tracker, GMT_FAMILY_STREAM, 0x1000));
    assert_int_equal(device_totals(0, GMT_SPACE_OBJECT)->live_count, 0);
    assert_int_equal(device_totals(0, GMT_SPACE_HOST)->live_bytes, 4096);
    free_block(0x1000);
    assert_true(gmt_tracker_is_live(&tracker, GMT_FAMILY_REGISTRATION, 0x1000));
}

/* … while whatever kind of memory it is, one free function takes it. */
static void kinds_of_memory_are_one_family(void **state)
{
    static const enum gmt_kind kinds[] = {GMT_KIND_DEVICE,        GMT_KIND_PITCHED,      GMT_KIND_MANAGED,
                                          GMT_KIND_PINNED,        GMT_KIND_GRAPH_MEMORY, GMT_KIND_STREAM_ORDERED,
                                          GMT_KIND_MAPPED_BUFFER, GMT_KIND_POOL_IMPORT};
    (void)state;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        add_kind(kinds[i], 0x1000, 10);
        free_block(0x1000);
    }
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
    assert_int_equal(HEADER->next_sequence, 8);
}

static void what_outlives_contexts_has_none(void **state)
{
    (void)state;
    struct gmt_event event = taking(GMT_KIND_PHYSICAL, 0x77, 4096);
    event.context = 3;
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(RECORD(BLOCKS, 0)->context, GMT_NONE);
    event = taking(GMT_KIND_STREAM, 0x78, 0);
    event.context = 3;
    gmt_tracker_add(&tracker, &event);
    assert_int_equal(RECORD(BLOCKS, 1)->context, 3);
}

static void what_is_told_again_stays_as_it_is(void **state)
{
    struct gmt_event event = taking(GMT_KIND_VARIABLE, 0x9000, 48);
    (void)state;
    uint32_t module = add_kind(GMT_KIND_MODULE, 0x3000, 0);
    uint32_t variable = gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000);
    event.bytes = 99;
    event.stack = stack_number(1);
    assert_int_equal(gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000), variable);
    assert_int_equal(RECORD(BLOCKS, variable)->bytes, 48);
    assert_int_equal(RECORD(BLOCKS, variable)->owner, module);
    assert_int_equal(HEADER->next_sequence, 2);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
    event.address = 0xa000;
    variable = gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3001); /* a module that was not seen */
    assert_int_equal(RECORD(BLOCKS, variable)->owner, GMT_NONE);
    event.address = 0;
    assert_int_equal(gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000), GMT_NONE);
}

static void variables_go_with_their_module(void **state)
{
    (void)state;
    add_kind(GMT_KIND_MODULE, 0x3000, 0);
    add_kind(GMT_KIND_LIBRARY, 0x3000, 0);
    struct gmt_event event = taking(GMT_KIND_VARIABLE, 0x9000, 48);
    gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000);
    event.address = 0x9100;
    gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000);
    event = taking(GMT_KIND_MANAGED_VARIABLE, 0x9200, 16);
    gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_LIBRARY, 0x3000);
    assert_int_equal(tracker.variables, 3);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 96);
    free_of(GMT_FAMILY_MODULE, 0x3000);
    assert_int_equal(tracker.variables, 1);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
    assert_int_equal(device_totals(0, GMT_SPACE_MANAGED)->live_bytes, 16);
    gmt_tracker_audit(&tracker);
    free_of(GMT_FAMILY_LIBRARY, 0x3000);
    assert_int_equal(tracker.variables, 0);
    assert_int_equal(device_totals(0, GMT_SPACE_MANAGED)->live_bytes, 0);
}

/* A module whose unloading went past the hooks: its variables are gone with it. */
static void variables_of_a_stale_module_go_too(void **state)
{
    (void)state;
    add_kind(GMT_KIND_MODULE, 0x3000, 0);
    struct gmt_event event = taking(GMT_KIND_VARIABLE, 0x9000, 48);
    gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x3000);
    add_kind(GMT_KIND_MODULE, 0x3000, 0);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 1);
    assert_int_equal(tracker.variables, 0);
    assert_int_equal(device_totals(0, GMT_SPACE_DEVICE)->live_bytes, 0);
}

static void a_place_is_looked_up_among_several_contexts_only(void **state)
{
    struct gmt_event event = taking(GMT_KIND_STREAM, 0x5000, 0);
    uint32_t context = 77;
    uint32_t device = 78;
    (void)state;
    event.context = gmt_tracker_context(&tracker, 0xc1, 1);
    event.device = 1;
    gmt_tracker_add(&tracker, &event);
    gmt_tracker_place_of(&tracker, GMT_FAMILY_STREAM, 0x5000, &context, &device);
    assert_int_equal(context, 77);
    assert_int_equal(device, 78);
    gmt_tracker_context(&tracker, 0xc2, 0);
    gmt_tracker_place_of(&tracker, GMT_FAMILY_STREAM, 0x5001, &context, &device);
    assert_int_equal(context, 77);
    gmt_tracker_place_of(&tracker, GMT_FAMILY_STREAM, 0x5000, &context, &device);
    assert_int_equal(context, 0);
    assert_int_equal(device, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_block_is_recorded_with_all_it_is),
        TRACKER_TEST(blocks_are_grouped_by_stack_entry_kind_and_device),
        TRACKER_TEST(an_address_handed_out_again_replaces_the_stale_block),
        TRACKER_TEST(null_is_no_block),
        TRACKER_TEST(a_full_table_of_blocks_is_counted),
        TRACKER_TEST(without_memory_blocks_are_dropped_and_counted),
        TRACKER_TEST(equal_numbers_of_two_families_are_two_things),
        TRACKER_TEST(kinds_of_memory_are_one_family),
        TRACKER_TEST(what_outlives_contexts_has_none),
        TRACKER_TEST(what_is_told_again_stays_as_it_is),
        TRACKER_TEST(variables_go_with_their_module),
        TRACKER_TEST(variables_of_a_stale_module_go_too),
        TRACKER_TEST(a_place_is_looked_up_among_several_contexts_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
