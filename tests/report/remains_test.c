/* What is left, by site and state: which of it leaks, who took it, who ended it. The records are in sample_holders.c.
 */
#include "report/model.h"

#include <string.h>

#include "report/verdict.h"
#include "report_fixture.h"
#include "support/unit_test.h"

/* Sites of the sample "states", in the order in which it makes them. */
enum { PHYSICAL, REGISTERED, DEVICE, PLUGIN };

static void tells_what_holds_physical_memory(void **state)
{
    (void)state;
    REPORT_OF("states");
    const struct gmt_remains *handle = leak_of(PHYSICAL, GMT_REMAINS_HANDLE_ONLY);
    assert_int_equal(handle->count, 2);
    assert_int_equal(handle->bytes, 4 * MIB);
    assert_int_equal(handle->references, 2);
    assert_int_equal(handle->mappings, 0);
    const struct gmt_remains *mapped = leak_of(PHYSICAL, GMT_REMAINS_MAPPED_ONLY);
    assert_int_equal(mapped->references, 0);
    assert_int_equal(mapped->mappings, 2);
    assert_int_equal(leak_of(PHYSICAL, GMT_REMAINS_HANDLE_AND_MAPPING)->mappings, 3);
    report_drop();
}

static void tells_registrations_of_unmapped_memory(void **state)
{
    (void)state;
    REPORT_OF("states");
    assert_int_equal(leak_of(REGISTERED, GMT_REMAINS_UNMAPPED)->count, 1);
    assert_int_equal(leak_of(REGISTERED, GMT_REMAINS_LIVE)->count, 1);
    report_drop();
}

static void knows_who_ended_exported_and_freed(void **state)
{
    (void)state;
    REPORT_OF("states");
    const struct gmt_remains *reset = leak_of(DEVICE, GMT_REMAINS_RESET);
    assert_int_equal(reset->bytes, 3 * MIB);
    assert_string_equal(reset->context->ended.api, "cuDevicePrimaryCtxReset");
    assert_int_equal(reset->context->ended.stack->frames[0].offset, 0x300);
    const struct gmt_remains *live = leak_of(DEVICE, GMT_REMAINS_LIVE);
    assert_null(live->context);
    assert_int_equal(live->exported_count, 1);
    assert_int_equal(live->exported_stack->frames[0].offset, 0x200);
    assert_string_equal(live->site->freed_by.api, "cuMemFree");
    assert_int_equal(live->site->total_count - live->site->kept_count, 1);
    report_drop();
}

static void counts_the_threads_that_took_it(void **state)
{
    (void)state;
    REPORT_OF("states");
    const struct gmt_remains *live = leak_of(DEVICE, GMT_REMAINS_LIVE);
    assert_int_equal(live->takers[GMT_TAKER_ENDED], 2);
    assert_int_equal(live->takers[GMT_TAKER_ALIVE], 1);
    assert_int_equal(live->takers[GMT_TAKER_UNKNOWN], 0);
    assert_int_equal(live->site->takers[GMT_TAKER_UNKNOWN], 1); /* the one that the reset ended */
    report_drop();
}

/* Its threads were never looked at again: only ends that were seen are certain. */
static void knows_little_of_the_threads_of_a_killed_process(void **state)
{
    static struct fixture fixture;
    (void)state;
    fixture_sample(&fixture, "states");
    fixture.header.end = GMT_END_RUNNING;
    report_of_fixture(&fixture);
    const struct gmt_remains *live = leak_of(DEVICE, GMT_REMAINS_LIVE);
    assert_int_equal(live->takers[GMT_TAKER_ENDED], 2);
    assert_int_equal(live->takers[GMT_TAKER_ALIVE], 0);
    assert_int_equal(live->takers[GMT_TAKER_UNKNOWN], 1);
    report_drop();
}

static void links_the_error_that_followed_and_the_library_that_went(void **state)
{
    (void)state;
    REPORT_OF("states");
    const struct gmt_remains *leak = leak_of(PLUGIN, GMT_REMAINS_LIVE);
    assert_int_equal(leak->failed_next_count, 1);
    assert_string_equal(leak->failed_next->api, "cuStreamCreate");
    assert_int_equal(leak->failed_next->code, 1);
    assert_string_equal(leak->site->library->name, "libplugin.so");
    assert_true(leak->site->library->unloaded);
    assert_null(leak_of(DEVICE, GMT_REMAINS_LIVE)->failed_next);
    report_drop();
}

static void sums_up_memory_alone(void **state)
{
    (void)state;
    REPORT_OF("states");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->leak_blocks, 11);
    assert_int_equal(process->leak_bytes, 29 * MIB);
    assert_int_equal(process->leak_sites, 4);
    assert_int_equal(process->block_count, 12);
    assert_int_equal(process->devices[0].taken_bytes, 34 * MIB);
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_LEAKS);
    report_drop();
}

/* The runtime releases its contexts at exit: what was there then was live to the end, unless something came later. */
static void takes_what_goes_with_the_last_release_for_live(void **state)
{
    static struct fixture fixture;
    (void)state;
    fixture_sample(&fixture, "states");
    struct gmt_context_record *context = fixture_record(&fixture, GMT_SECTION_CONTEXTS, 0);
    context->state = GMT_CONTEXT_RELEASED;
    report_of_fixture(&fixture);
    const struct gmt_remains *live = leak_of(DEVICE, GMT_REMAINS_LIVE);
    assert_int_equal(live->count, 4);
    assert_int_equal(live->site->live_count, 4);
    assert_null(live->context);
    report_drop();
    fixture.header.end = GMT_END_RUNNING; /* the program gave it back, and goes on or was killed */
    report_of_fixture(&fixture);
    assert_int_equal(leak_of(DEVICE, GMT_REMAINS_RELEASE)->count, 1);
    report_drop();
    fixture.header.end = GMT_END_EXIT;
    context->ended_ns = 1000; /* before the newest block was taken */
    report_of_fixture(&fixture);
    assert_int_equal(leak_of(DEVICE, GMT_REMAINS_RELEASE)->count, 1);
    assert_int_equal(leak_of(DEVICE, GMT_REMAINS_LIVE)->count, 3);
    report_drop();
}

static void passes_objects_and_late_frees(void **state)
{
    (void)state;
    REPORT_OF("objects");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->leak_count, 0);
    assert_int_equal(process->block_count, 0);
    assert_int_equal(process->late_count, 1);
    assert_int_equal(process->late[0]->count, 1);
    assert_int_equal(process->late[0]->site->kind, GMT_KIND_STREAM);
    assert_int_equal(process->library_count, 0);
    assert_int_equal(report.verdict.result, GMT_RESULT_CLEAN);
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_PASSED);
    assert_non_null(strstr(report.verdict.sentence,
                           "no leaks in ./app (pid 4711): no block was taken; 1 object was destroyed "
                           "too late, after the driver had shut down"));
    assert_non_null(strstr(report.verdict.sentence,
                           "; still there: 3 events, 2 mapped address ranges, 2 reserved address "
                           "ranges and 1 more kind of objects"));
    report_drop();
}

/* A destruction that the process died in is counted as done, and is no block. */
static void tells_destructions_under_way(void **state)
{
    static struct fixture fixture;
    (void)state;
    fixture_sample(&fixture, "objects");
    ((struct gmt_block_record *)fixture_record(&fixture, GMT_SECTION_BLOCKS, 0))->state = GMT_BLOCK_FREEING;
    report_of_fixture(&fixture);
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->freeing_count, 0);
    assert_int_equal(object_of(GMT_KIND_EVENT)->live_count, 2);
    assert_int_equal(object_of(GMT_KIND_EVENT)->destroyed, 3);
    assert_string_equal(process->notes[process->note_count - 1],
                        "The destruction of 1 object was under way at that moment; counted as done.");
    report_drop();
}

static void lists_objects(void **state)
{
    (void)state;
    REPORT_OF("objects");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->object_count, 6);
    assert_int_equal(process->objects[0].site->kind, GMT_KIND_EVENT); /* the most numerous */
    assert_int_equal(process->objects[0].created, 5);
    assert_int_equal(process->objects[0].destroyed, 2);
    assert_int_equal(process->objects[0].live_count, 3);
    const struct gmt_object *streams = object_of(GMT_KIND_STREAM);
    assert_int_equal(streams->created, 3);
    assert_int_equal(streams->destroyed, 0);
    assert_int_equal(streams->live_count, 0);
    assert_int_equal(streams->ended_count, 2);
    assert_int_equal(process->kind_left[GMT_KIND_STREAM], 0);
    assert_int_equal(process->kind_left[GMT_KIND_EVENT], 3);
    report_drop();
}

static void tells_address_ranges_apart(void **state)
{
    (void)state;
    REPORT_OF("objects");
    const struct gmt_object *reservations = object_of(GMT_KIND_RESERVATION);
    assert_int_equal(reservations->bytes, 128 * MIB);
    assert_int_equal(reservations->state_count, 2);
    assert_int_equal(reservations->states[0]->state, GMT_REMAINS_RESERVED_AND_MAPPED);
    assert_int_equal(reservations->states[1]->state, GMT_REMAINS_RESERVED_ONLY);
    assert_int_equal(reservations->states[1]->count, 1);
    const struct gmt_object *mappings = object_of(GMT_KIND_MAPPING);
    assert_int_equal(mappings->states[0]->state, GMT_REMAINS_MAPPED);
    assert_int_equal(mappings->states[1]->state, GMT_REMAINS_NO_ACCESS);
    report_drop();
}

static void tells_variables_with_their_module(void **state)
{
    (void)state;
    REPORT_OF("objects");
    const struct gmt_object *modules = object_of(GMT_KIND_MODULE);
    assert_int_equal(modules->live_count, 1);
    assert_int_equal(modules->variable_bytes, 4096);
    assert_false(gmt_object_is_implicit(modules));
    assert_true(gmt_object_is_implicit(object_of(GMT_KIND_LIBRARY)));
    assert_int_equal(report.processes[0].kind_left[GMT_KIND_MODULE], 1);
    assert_int_equal(report.processes[0].kind_left[GMT_KIND_LIBRARY], 0);
    assert_int_equal(report.processes[0].devices[0].totals[GMT_SPACE_DEVICE].live_bytes, 4608);
    report_drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_holds_physical_memory),
        cmocka_unit_test(tells_registrations_of_unmapped_memory),
        cmocka_unit_test(knows_who_ended_exported_and_freed),
        cmocka_unit_test(counts_the_threads_that_took_it),
        cmocka_unit_test(knows_little_of_the_threads_of_a_killed_process),
        cmocka_unit_test(links_the_error_that_followed_and_the_library_that_went),
        cmocka_unit_test(sums_up_memory_alone),
        cmocka_unit_test(takes_what_goes_with_the_last_release_for_live),
        cmocka_unit_test(passes_objects_and_late_frees),
        cmocka_unit_test(tells_destructions_under_way),
        cmocka_unit_test(lists_objects),
        cmocka_unit_test(tells_address_ranges_apart),
        cmocka_unit_test(tells_variables_with_their_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
