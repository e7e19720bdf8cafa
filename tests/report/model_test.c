/* From records to figures, verdicts and the gate. Expected numbers are literals; the records are in sample_traces.c. */
#include "report/model.h"

#include "report/verdict.h"
#include "report_fixture.h"
#include "support/unit_test.h"

static void counts_leaks_and_peak(void **state)
{
    (void)state;
    REPORT_OF("leak");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->leak_count, 2);
    assert_int_equal(process->leak_bytes, 12 * MIB + 65536);
    assert_int_equal(process->leaks[0]->bytes, 12 * MIB);
    assert_int_equal(process->leaks[0]->count, 3);
    assert_int_equal(process->leaks[0]->smallest, 4 * MIB);
    assert_int_equal(process->leaks[0]->state, GMT_REMAINS_LIVE);
    assert_int_equal(process->leaks[1]->site->kind, GMT_KIND_PINNED);
    assert_int_equal(process->devices[0].totals[GMT_SPACE_DEVICE].live_bytes, 12 * MIB);
    assert_int_equal(process->peak_count, 2);
    assert_int_equal(process->peaks[0].bytes, 20 * MIB);
    assert_int_equal(process->peaks[0].share_count, 2);
    assert_int_equal(process->peaks[0].shares[1].bytes, 8 * MIB);
    assert_int_equal(process->block_count, 5);
    assert_string_equal(process->program, "./app");
    assert_int_equal(report.verdict.result, GMT_RESULT_LEAKS);
    assert_string_equal(report.verdict.sentence,
                        "LEAK in ./app (pid 4711): 4 blocks, 12.06 MiB, were never freed, at 2 call sites");
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_LEAKS);
    report_drop();
}

static void tells_ended_blocks_apart(void **state)
{
    (void)state;
    REPORT_OF("ended");
    const struct gmt_process *process = &report.processes[0];
    assert_int_equal(process->leak_count, 4);
    assert_int_equal(process->leaks[0]->state, GMT_REMAINS_LIVE);
    assert_int_equal(process->leaks[1]->state, GMT_REMAINS_DESTROY);
    assert_int_equal(process->leaks[2]->state, GMT_REMAINS_RESET);
    assert_int_equal(process->leaks[3]->state, GMT_REMAINS_RELEASE);
    assert_int_equal(process->leak_sites, 1);
    assert_int_equal(process->freeing_count, 1);
    assert_int_equal(process->devices[0].totals[GMT_SPACE_DEVICE].live_bytes, 10 * MIB);
    report_drop();
}

static void passes_what_is_clean(void **state)
{
    (void)state;
    REPORT_OF("clean");
    assert_int_equal(report.verdict.result, GMT_RESULT_CLEAN);
    assert_string_equal(report.verdict.sentence,
                        "no leaks in ./app (pid 4711): 5 blocks were taken and all were freed; "
                        "peak 20.00 MiB on device 0 (Test Device)");
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_PASSED);
    report_drop();
}

static void judges_out_of_memory(void **state)
{
    (void)state;
    REPORT_OF("oom");
    assert_int_equal(report.verdict.result, GMT_RESULT_OUT_OF_MEMORY);
    assert_string_equal(report.verdict.sentence, "OUT OF MEMORY in ./app (pid 4711): cuMemAlloc asked for 2.50 GiB on "
                                                 "device 0 (Test Device), 1.88 GiB of 8.00 GiB free");
    assert_null(report.verdict.leaks);
    report_drop();
    REPORT_OF("recovered");
    assert_int_equal(report.verdict.result, GMT_RESULT_CLEAN);
    assert_true(report.processes[0].ooms[0].recovered);
    report_drop();
}

static void gate_wants_everything_traced(void **state)
{
    (void)state;
    gmt_report_init(&report, 0);
    report.target = "./app";
    gmt_report_judge(&report);
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_NOT_TRACED);
    assert_string_equal(report.verdict.sentence,
                        "nothing was traced: no process of ./app initialised CUDA, and 0 processes "
                        "traced is not 0 leaks");
    report_drop();
    REPORT_OF("leak", "trouble"); /* bypassed counts before leaks: the leaks may not be all */
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_BYPASSED);
    report_drop();
    REPORT_OF("gaps"); /* what is missing may have leaked */
    assert_int_equal(gmt_report_gate(&report), GMT_GATE_INCOMPLETE);
    report_drop();
}

static void joins_processes(void **state)
{
    (void)state;
    REPORT_OF("leak", "clean", "ended");
    assert_string_equal(report.verdict.sentence, "LEAK in 2 of 3 processes: 8 blocks, 28.06 MiB, were never freed");
    report_drop();
    REPORT_OF("clean", "clean");
    assert_string_equal(report.verdict.sentence, "no leaks in 2 processes: 10 blocks were taken and all were freed");
    report_drop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_leaks_and_peak), cmocka_unit_test(tells_ended_blocks_apart),
        cmocka_unit_test(passes_what_is_clean),  cmocka_unit_test(judges_out_of_memory),
        cmocka_unit_test(joins_processes),       cmocka_unit_test(gate_wants_everything_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
