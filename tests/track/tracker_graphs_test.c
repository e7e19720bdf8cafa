/* Memory of graphs: planned by nodes, live from a launch on. */
#include "track_fixture.h"

#define GRAPH 0x9a00
#define CHILD 0x9a10
#define EXEC 0x9e00
#define AT 0x700000

static void allocates(uint64_t graph, uint64_t address, uint64_t bytes)
{
    struct gmt_event event = taking(GMT_KIND_GRAPH_MEMORY, address, bytes);
    event.stack = stack_number(11);
    gmt_tracker_graph_allocates(&tracker, graph, &event);
}

static void launch(uint64_t executable)
{
    struct gmt_event event = free_event();
    event.context = gmt_tracker_context(&tracker, 0xc0, 0);
    gmt_tracker_graph_launched(&tracker, executable, &event);
    gmt_tracker_audit(&tracker);
}

static void make(enum gmt_kind kind, uint64_t handle)
{
    add_kind(kind, handle, 0);
}

static void instantiate(void)
{
    make(GMT_KIND_GRAPH_EXEC, EXEC);
    gmt_tracker_graph_instantiated(&tracker, EXEC, GRAPH);
}

static uint64_t live_bytes(void)
{
    return device_totals(0, GMT_SPACE_DEVICE)->live_bytes;
}

static uint64_t ever_taken(void)
{
    return device_totals(0, GMT_SPACE_DEVICE)->total_count;
}

static void nothing_is_live_before_a_launch(void **state)
{
    (void)state;
    assert_false(gmt_tracker_graphs_have_memory(&tracker));
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    assert_true(gmt_tracker_graphs_have_memory(&tracker));
    instantiate();
    assert_int_equal(live_bytes(), 0);
    launch(EXEC);
    assert_int_equal(live_bytes(), 4096);
    const struct gmt_block_record *block = RECORD(BLOCKS, 2);
    const struct gmt_site_record *site = RECORD(SITES, block->site);
    assert_int_equal(block->address, AT);
    assert_int_equal(site->kind, GMT_KIND_GRAPH_MEMORY);
    assert_int_equal(site->stack, stack_number(11)); /* who added the node, not who launched */
    assert_int_equal(site->entry, ENTRY_ALLOC);
}

static void what_one_graph_takes_and_frees_is_gone_after_each_launch(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    gmt_tracker_graph_frees(&tracker, GRAPH, AT);
    instantiate();
    for (unsigned i = 1; i <= 3; i++) {
        launch(EXEC);
        assert_int_equal(live_bytes(), 0);
        assert_int_equal(ever_taken(), i);
    }
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
}

/* With automatic frees a launch gives back what the one before took. */
static void a_second_launch_finds_the_memory_of_the_first(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    instantiate();
    launch(EXEC);
    launch(EXEC);
    assert_int_equal(live_bytes(), 4096);
    assert_int_equal(ever_taken(), 1);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
}

static void an_ordinary_free_gives_the_memory_back(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    instantiate();
    launch(EXEC);
    free_block(AT);
    assert_int_equal(live_bytes(), 0);
    launch(EXEC);
    assert_int_equal(live_bytes(), 4096);
}

/* Two graphs: one takes, the other frees. */
static void a_graph_frees_what_another_took(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    instantiate();
    gmt_tracker_graph_frees(&tracker, CHILD, AT);
    make(GMT_KIND_GRAPH_EXEC, EXEC + 1);
    gmt_tracker_graph_instantiated(&tracker, EXEC + 1, CHILD);
    launch(EXEC);
    launch(EXEC + 1);
    assert_int_equal(live_bytes(), 0);
    launch(EXEC + 1); /* nothing there: nothing happens */
    assert_int_equal(USED(FAILURES), 0);
}

static void a_graph_frees_what_no_graph_took(void **state)
{
    (void)state;
    add_kind(GMT_KIND_STREAM_ORDERED, AT, 100);
    gmt_tracker_graph_frees(&tracker, GRAPH, AT);
    instantiate();
    launch(EXEC);
    assert_int_equal(live_bytes(), 0);
    assert_true(is_free(GMT_FAMILY_ADDRESS, AT));
}

static void a_child_brings_its_nodes(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    make(GMT_KIND_GRAPH, CHILD);
    allocates(CHILD, AT, 4096);
    allocates(GRAPH, AT + 0x10000, 50);
    gmt_tracker_graph_joined(&tracker, GRAPH, CHILD);
    gmt_tracker_graph_joined(&tracker, GRAPH, GRAPH); /* nonsense does not loop */
    allocates(CHILD, AT + 0x20000, 7);                /* too late to be in the copy */
    instantiate();
    launch(EXEC);
    assert_int_equal(live_bytes(), 4146);
}

static void a_child_that_is_moved_is_no_graph_any_more(void **state)
{
    struct gmt_event event = free_event();
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    make(GMT_KIND_GRAPH, CHILD);
    allocates(CHILD, AT, 4096);
    gmt_tracker_graph_moved(&tracker, GRAPH, CHILD, &event);
    assert_false(gmt_tracker_is_live(&tracker, GMT_FAMILY_GRAPH, CHILD));
    instantiate();
    launch(EXEC);
    assert_int_equal(live_bytes(), 4096);
}

static void a_destroyed_executable_keeps_its_memory_live(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    instantiate();
    free_of(GMT_FAMILY_GRAPH, GRAPH); /* the executable one has a plan of its own */
    launch(EXEC);
    free_of(GMT_FAMILY_GRAPH_EXEC, EXEC);
    assert_int_equal(live_bytes(), 4096);
    assert_false(gmt_tracker_graphs_have_memory(&tracker));
    launch(EXEC); /* an executable graph that came past the hooks */
    assert_int_equal(ever_taken(), 1);
    free_block(AT);
}

static void a_handle_that_comes_back_has_no_old_plan(void **state)
{
    (void)state;
    make(GMT_KIND_GRAPH, GRAPH);
    allocates(GRAPH, AT, 4096);
    make(GMT_KIND_GRAPH, GRAPH); /* its destruction was not seen */
    assert_false(gmt_tracker_graphs_have_memory(&tracker));
    allocates(CHILD, AT, 4096); /* of a recording that came to nothing */
    make(GMT_KIND_GRAPH, CHILD);
    assert_false(gmt_tracker_graphs_have_memory(&tracker));
}

/* A recording ends: its graph is new, and has nodes already. A graph that is recorded into stays what it is. */
static void a_recorded_graph_keeps_its_plan(void **state)
{
    struct gmt_event event = taking(GMT_KIND_GRAPH, GRAPH, 0);
    (void)state;
    allocates(GRAPH, AT, 4096);
    uint32_t record = gmt_tracker_add_once(&tracker, &event, 0, 0);
    allocates(GRAPH, AT + 0x10000, 10);
    assert_int_equal(gmt_tracker_add_once(&tracker, &event, 0, 0), record);
    instantiate();
    launch(EXEC);
    assert_int_equal(live_bytes(), 4106);
    assert_int_equal(TROUBLES(ADDRESS_REUSED), 0);
}

static void plans_give_their_memory_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        make(GMT_KIND_GRAPH, GRAPH);
        allocates(GRAPH, AT, 4096);
        gmt_tracker_graph_frees(&tracker, GRAPH, AT);
        instantiate();
        launch(EXEC);
        free_of(GMT_FAMILY_GRAPH_EXEC, EXEC);
        free_of(GMT_FAMILY_GRAPH, GRAPH);
    }
    assert_int_equal(HEADER->own_bytes, 1048576);
    assert_int_equal(USED(BLOCKS), 3);
}

static void a_graph_that_is_new_has_no_old_plan(void **state)
{
    (void)state;
    allocates(GRAPH, AT, 4096); /* recorded, and never ended */
    gmt_tracker_graph_begun(&tracker, GRAPH);
    assert_false(gmt_tracker_graphs_have_memory(&tracker));
    make(GMT_KIND_GRAPH, GRAPH);
    instantiate();
    launch(EXEC);
    assert_int_equal(live_bytes(), 0);
}

/* Each is looked up by its handle, whatever their number. */
static void each_of_many_graphs_has_its_own_plan(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 1000; i++)
        allocates(GRAPH + i * 0x100, AT + i * 4096, i + 1);
    gmt_tracker_graph_begun(&tracker, GRAPH + 500 * 0x100);
    launch(GRAPH + 500 * 0x100);
    assert_int_equal(live_bytes(), 0);
    launch(GRAPH + 499 * 0x100);
    assert_int_equal(live_bytes(), 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(nothing_is_live_before_a_launch),
        TRACKER_TEST(what_one_graph_takes_and_frees_is_gone_after_each_launch),
        TRACKER_TEST(a_second_launch_finds_the_memory_of_the_first),
        TRACKER_TEST(an_ordinary_free_gives_the_memory_back),
        TRACKER_TEST(a_graph_frees_what_another_took),
        TRACKER_TEST(a_graph_frees_what_no_graph_took),
        TRACKER_TEST(a_child_brings_its_nodes),
        TRACKER_TEST(a_child_that_is_moved_is_no_graph_any_more),
        TRACKER_TEST(a_destroyed_executable_keeps_its_memory_live),
        TRACKER_TEST(a_handle_that_comes_back_has_no_old_plan),
        TRACKER_TEST(a_recorded_graph_keeps_its_plan),
        TRACKER_TEST(plans_give_their_memory_back),
        TRACKER_TEST(a_graph_that_is_new_has_no_old_plan),
        TRACKER_TEST(each_of_many_graphs_has_its_own_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
