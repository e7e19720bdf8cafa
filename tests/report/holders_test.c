/* Failed calls with what they were about; contexts, pools, limits and what of them an out-of-memory error met. The
 * records are in sample_holders.c. */
#include "report/model.h"

#include <string.h>

#include "report_fixture.h"
#include "support/unit_test.h"

static const struct gmt_failed_call *failure_of(enum gmt_failure_kind kind, int32_t code)
{
    const struct gmt_process *process = &report.processes[0];
    for (unsigned i = 0; i < process->failure_count; i++)
        if (process->failures[i].kind == kind && process->failures[i].code == code)
            return &process->failures[i];
    fail_msg("no call failed like that");
    return NULL;
}

static void counts_what_is_a_failure(void **state)
{
    (void)state;
    REPORT_OF("calls");
    assert_int_equal(report.processes[0].failure_count, 10);
    assert_int_equal(report.processes[0].failed_count, 20 + 19 + 18 + 17 + 1 + 2 + 1);
    assert_int_equal(report.processes[0].null_count, 1204);
    report_drop();
}

static void knows_both_frees_of_a_double_one(void **state)
{
    (void)state;
    REPORT_OF("calls");
    const struct gmt_failed_call *call = failure_of(GMT_FAILURE_DOUBLE, 1);
    assert_int_equal(call->near_role, GMT_NEAR_FREED);
    assert_int_equal(call->stack->frames[0].offset, 0x300);
    assert_int_equal(call->near_stack->frames[0].offset, 0x200);
    assert_int_equal(call->near_site->stack->frames[0].offset, 0x100);
    assert_int_equal(call->near_ns, 100000000);
    report_drop();
}

static void knows_what_calls_were_about(void **state)
{
    (void)state;
    REPORT_OF("calls");
    const struct gmt_failed_call *call = failure_of(GMT_FAILURE_FAILED, 201);
    assert_int_equal(call->near_role, GMT_NEAR_SUBJECT);
    assert_true(call->no_context);
    assert_int_equal(call->thread->id, 4713);
    assert_string_equal(call->thread->name, "cleaner");
    call = failure_of(GMT_FAILURE_FAILED, 712);
    assert_int_equal(call->near_role, GMT_NEAR_IN_THE_WAY);
    assert_true(call->near_unmapped);
    assert_null(call->thread);
    call = failure_of(GMT_FAILURE_EXPORTED, 0);
    assert_int_equal(call->near_stack->frames[0].offset, 0x200);
    assert_false(gmt_failed_call_counts(call));
    call = failure_of(GMT_FAILURE_LATE, 4);
    assert_int_equal(call->near_site->kind, GMT_KIND_EVENT);
    assert_null(call->near_stack);
    call = failure_of(GMT_FAILURE_NULL, 0);
    assert_int_equal(call->near_role, GMT_NEAR_NOTHING);
    assert_null(call->near_site);
    report_drop();
}

static void finds_contexts_made_for_nothing(void **state)
{
    (void)state;
    REPORT_OF("holders");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->context_count, 2);
    assert_false(process->contexts[0].idle);
    assert_true(process->contexts[1].idle);
    assert_true(process->contexts[1].first);
    assert_int_equal(process->contexts[1].created.stack->frames[0].offset, 0x200);
    assert_null(process->contexts[1].ended.entry);
    assert_int_equal(process->devices[0].taken_bytes, 512 * MIB);
    report_drop();
}

static void reads_pools(void **state)
{
    (void)state;
    REPORT_OF("holders");
    const struct gmt_pool *pool = &report.processes[0].pools[0];
    assert_int_equal(pool->reserved_bytes, 96 * MIB);
    assert_true(pool->threshold_bytes == UINT64_MAX && pool->has_threshold);
    assert_string_equal(pool->raised.api, "cuMemPoolSetAttribute");
    assert_int_equal(pool->trim_count, 2);
    assert_string_equal(pool->trimmed.api, "cuMemPoolTrimTo");
    const struct gmt_pool *graphs = &report.processes[0].pools[1];
    assert_false(graphs->has_threshold);
    assert_null(graphs->trimmed.entry);
    report_drop();
}

static void tells_when_bytes_are_not_the_limit(void **state)
{
    static struct fixture fixture;
    (void)state;
    REPORT_OF("holders");
    const struct gmt_oom *oom = &report.processes[0].ooms[0];
    assert_true(oom->bytes_suffice);
    assert_int_equal(oom->object_count, 1);
    assert_int_equal(oom->objects[0].count, 1048576);
    assert_int_equal(oom->live_of_kind[GMT_KIND_STREAM], 2);
    assert_non_null(strstr(report.verdict.sentence,
                           "; bytes are not the limit: 1,048,576 texture objects are live, from one call site"));
    report_drop();
    fixture_sample(&fixture, "holders");
    ((struct gmt_oom_record *)fixture_record(&fixture, GMT_SECTION_OOMS, 0))->free_bytes = 4 * 1024 * MIB; /* half */
    report_of_fixture(&fixture);
    assert_false(report.processes[0].ooms[0].bytes_suffice);
    report_drop();
    fixture_sample(&fixture, "holders");
    ((struct gmt_oom_record *)fixture_record(&fixture, GMT_SECTION_OOMS, 0))->object_counts[0] = 9999;
    report_of_fixture(&fixture);
    assert_false(report.processes[0].ooms[0].bytes_suffice);
    report_drop();
}

static void lists_what_held_the_device_then(void **state)
{
    static struct fixture fixture;
    (void)state;
    REPORT_OF("holders");
    const struct gmt_oom *oom = &report.processes[0].ooms[0];
    assert_int_equal(oom->pool_count, 2);
    assert_int_equal(oom->limit_count, 1); /* the newest change of that limit; another came after the error */
    assert_int_equal(oom->limits[0]->new_value, 65536);
    assert_string_equal(oom->limits[0]->json, "stack_size");
    assert_int_equal(report.processes[0].limit_count, 3);
    report_drop();
    fixture_sample(&fixture, "holders");
    ((struct gmt_pool_record *)fixture_record(&fixture, GMT_SECTION_POOLS, 0))->sample_ns = UINT64_C(9000000000);
    report_of_fixture(&fixture);
    assert_int_equal(report.processes[0].ooms[0].pool_count, 1); /* the other was read again later */
    report_drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_is_a_failure),
        cmocka_unit_test(knows_both_frees_of_a_double_one),
        cmocka_unit_test(knows_what_calls_were_about),
        cmocka_unit_test(finds_contexts_made_for_nothing),
        cmocka_unit_test(reads_pools),
        cmocka_unit_test(tells_when_bytes_are_not_the_limit),
        cmocka_unit_test(lists_what_held_the_device_then),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
