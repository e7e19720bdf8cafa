/* What is said first of the whole report, and the leak gate. */
#include "report/verdict.h"

#include "report/words.h"

const char *gmt_result_json(enum gmt_result result)
{
    static const char *const names[] = {"clean", "live", "leaks", "out_of_memory", "not_traced"};
    return names[result];
}

struct census {
    unsigned processes, of_result[GMT_RESULT_NOT_TRACED + 1], leaking;
    uint64_t leak_blocks, leak_bytes, blocks;
};

static struct census count_processes(const struct gmt_report *report)
{
    struct census census = {.processes = report->process_count};
    for (unsigned i = 0; i < report->process_count; i++) {
        const struct gmt_process *process = &report->processes[i];
        census.of_result[process->verdict.result]++;
        census.blocks += process->block_count;
        if (gmt_process_leaked_blocks(process) == 0)
            continue;
        census.leaking++;
        census.leak_blocks += process->leak_blocks;
        census.leak_bytes += process->leak_bytes;
    }
    return census;
}

static void judge_several(struct gmt_report *report)
{
    struct gmt_heap *heap = &report->heap;
    struct gmt_verdict *verdict = &report->verdict;
    struct census census = count_processes(report);
    const char *leaks = gmt_heap_print(
        heap, "LEAK in %u of %u processes: %s %s never freed", census.leaking, census.processes,
        gmt_verdict_amount(heap, census.leak_blocks, census.leak_bytes), census.leak_blocks == 1 ? "was" : "were");
    if (census.of_result[GMT_RESULT_OUT_OF_MEMORY]) {
        verdict->result = GMT_RESULT_OUT_OF_MEMORY;
        verdict->sentence = gmt_heap_print(heap, "OUT OF MEMORY in %u of %u processes",
                                           census.of_result[GMT_RESULT_OUT_OF_MEMORY], census.processes);
        verdict->leaks = census.leaking ? leaks : NULL;
    } else if (census.leaking) {
        verdict->result = GMT_RESULT_LEAKS;
        verdict->sentence = leaks;
    } else if (census.of_result[GMT_RESULT_LIVE]) {
        verdict->result = GMT_RESULT_LIVE;
        verdict->sentence = gmt_heap_print(heap, "no leaks so far: %u of %u processes are running",
                                           census.of_result[GMT_RESULT_LIVE], census.processes);
    } else {
        verdict->result = GMT_RESULT_CLEAN;
        verdict->sentence = gmt_heap_print(heap, "no leaks in %u processes: %s blocks were taken and all were freed",
                                           census.processes, gmt_words_number(heap, census.blocks));
    }
}

void gmt_report_judge(struct gmt_report *report)
{
    for (unsigned i = 0; i < report->process_count; i++)
        gmt_verdict_judge(&report->processes[i], &report->heap);
    if (report->process_count == 1) {
        report->verdict = report->processes[0].verdict;
    } else if (report->process_count > 1) {
        judge_several(report);
    } else {
        report->verdict.result = GMT_RESULT_NOT_TRACED;
        report->verdict.sentence = gmt_heap_print(
            &report->heap,
            "nothing was traced: no process of %s initialised CUDA, and 0 processes traced is not 0 leaks",
            report->target ? report->target : "this report");
    }
}

enum gmt_gate gmt_report_gate(const struct gmt_report *report)
{
    enum gmt_gate gate = report->process_count ? GMT_GATE_PASSED : GMT_GATE_NOT_TRACED;
    for (unsigned i = 0; i < report->process_count; i++) {
        if (gmt_process_bypassed(&report->processes[i]))
            return GMT_GATE_BYPASSED;
        if (gmt_process_leaked_blocks(&report->processes[i]))
            gate = GMT_GATE_LEAKS;
        else if (report->processes[i].missing_count && gate == GMT_GATE_PASSED)
            gate = GMT_GATE_INCOMPLETE;
    }
    return gate;
}
