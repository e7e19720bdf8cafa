/* The audit finds what it is there to find: each kind of wrong number ends a child by a trap. */
#include "track_fixture.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void prepare(void)
{
    add(0x1000, 100);
    struct gmt_event event = allocation(0x2000, 50);
    event.stack = stack_number(1);
    gmt_tracker_add(&tracker, &event);
    free_block(0x1000);
    add(0x3000, 10);
    add_kind(GMT_KIND_PHYSICAL, 0x71, 20); /* records 2 to 6 */
    event = taking(GMT_KIND_MAPPING, 0x100000, 20);
    gmt_tracker_mapped(&tracker, &event, 0x71);
    free_of(GMT_FAMILY_HANDLE, 0x71); /* only the mapping holds it */
    add_kind(GMT_KIND_STREAM, 0x80, 0);
    add_kind(GMT_KIND_MODULE, 0x90, 0);
    event = taking(GMT_KIND_VARIABLE, 0x5000, 5);
    gmt_tracker_add_once(&tracker, &event, GMT_FAMILY_MODULE, 0x90);
}

static void a_sound_tracker_passes(void **state)
{
    (void)state;
    prepare();
    gmt_tracker_audit(&tracker);
}

static struct gmt_totals *totals(void)
{
    return &RECORD(DEVICES, 0)->totals[GMT_SPACE_DEVICE];
}

static void site_bytes(void)
{
    RECORD(SITES, 0)->live_bytes++;
}

static void site_count(void)
{
    RECORD(SITES, 0)->live_count--;
}

static void site_peak(void)
{
    RECORD(SITES, 1)->peak_bytes = 49;
}

static void block_bytes(void)
{
    RECORD(BLOCKS, 1)->bytes--;
}

static void block_state(void)
{
    RECORD(BLOCKS, 1)->state = GMT_BLOCK_FREEING;
}

static void device_bytes(void)
{
    totals()->live_bytes += 4;
}

static void device_peak(void)
{
    totals()->peak_bytes--;
}

static void site_at_peak(void)
{
    RECORD(SITES, 0)->at_peak_bytes--;
}

static void block_not_in_the_index(void)
{
    struct gmt_block_node *node = gmt_block_index_find(&tracker.blocks, GMT_FAMILY_STREAM, 0x80);
    gmt_block_index_take(&tracker.blocks, &tracker.arena, node);
}

static void index_leads_elsewhere(void)
{
    block_not_in_the_index();
    gmt_block_index_add(&tracker.blocks, &tracker.arena, GMT_FAMILY_STREAM, 0x80, 1);
}

static void memory_that_is_mapped_in_the_index(void)
{
    gmt_block_index_add(&tracker.blocks, &tracker.arena, GMT_FAMILY_HANDLE, 0x71, 2);
}

static void block_without_references(void)
{
    RECORD(BLOCKS, 4)->references = 0;
}

static void mappings_counted(void)
{
    RECORD(BLOCKS, 2)->mappings++;
}

static void mapping_owner(void)
{
    RECORD(BLOCKS, 3)->owner = 4;
}

static void mappings_of_a_stream(void)
{
    RECORD(BLOCKS, 4)->mappings = 1;
}

static void variables_counted(void)
{
    tracker.variables--;
}

/* In a child, which must have the trace: the mapping is not inherited, so the child makes its own. */
static int spoil_and_audit(void *argument)
{
    void (*const *spoil)(void) = argument;
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGILL, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    gmt_tracker_forget(&tracker);
    if (gmt_tracker_open(&tracker, &tracker_setup) != 0)
        return 1;
    prepare();
    (*spoil)();
    gmt_tracker_audit(&tracker);
    return 0;
}

static void every_wrong_number_is_found(void **state)
{
    static void (*const spoilers[])(void) = {
        site_bytes,
        site_count,
        site_peak,
        block_bytes,
        block_state,
        device_bytes,
        device_peak,
        site_at_peak,
        block_not_in_the_index,
        index_leads_elsewhere,
        memory_that_is_mapped_in_the_index,
        block_without_references,
        mappings_counted,
        mapping_owner,
        mappings_of_a_stream,
        variables_counted,
    };
    (void)state;
    for (unsigned i = 0; i < sizeof spoilers / sizeof spoilers[0]; i++) {
        int status = gmt_child_run(spoil_and_audit, (void *)&spoilers[i]);
        if (status != 128 + SIGILL && status != 128 + SIGTRAP && !(GMT_TEST_SANITIZED && status != 0))
            fail_msg("spoiler %u: status %d", i, status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRACKER_TEST(a_sound_tracker_passes),
        TRACKER_TEST(every_wrong_number_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
