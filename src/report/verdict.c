#include "report/verdict.h"

#include <inttypes.h>
#include <string.h>

#include "report/words.h"

const char *gmt_result_json(enum gmt_result result)
{
    static const char *const names[] = {"clean", "live", "leaks", "out_of_memory", "not_traced"};
    return names[result];
}

const char *gmt_verdict_amount(struct gmt_heap *heap, uint64_t blocks, uint64_t bytes)
{
    return gmt_heap_print(heap, "%s, %s,", gmt_words_count(heap, blocks, "block"), gmt_words_size(heap, bytes));
}

const char *gmt_verdict_request(struct gmt_heap *heap, const struct gmt_oom *oom)
{
    const char *where = oom->device ? gmt_heap_print(heap, " on %s", gmt_words_device(heap, oom->device)) : "";
    const char *request;
    if (oom->request_bytes > 0)
        request = gmt_heap_print(heap, "%s asked for %s%s", oom->api, gmt_words_size(heap, oom->request_bytes), where);
    else if (!oom->entry || strcmp(oom->api, oom->entry) == 0) /* what a context or a pool needs has no size here */
        request = gmt_heap_print(heap, "%s did not get what it needs%s", oom->api, where);
    else
        request = gmt_heap_print(heap, "%s did not get what %s needs%s", oom->api, oom->entry, where);
    if (oom->free_bytes == UINT64_MAX || oom->total_bytes == UINT64_MAX)
        return request;
    return gmt_heap_print(heap, "%s, %s of %s free", request, gmt_words_size(heap, oom->free_bytes),
                          gmt_words_size(heap, oom->total_bytes));
}

const char *gmt_verdict_place(struct gmt_heap *heap, const struct gmt_process *process)
{
    return gmt_heap_print(heap, "%s (pid %" PRIu32 "%s)", process->program, process->view->header.pid,
                          process->simulated ? ", on the simulated device" : "");
}

/* ", which was killed by signal 9": how the process ended, unless it is the ordinary way. */
static const char *end_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    switch (process->end.by) {
    case GMT_ENDED_EXEC:
        return ", which replaced itself by exec";
    case GMT_ENDED_SIGNAL:
        return gmt_heap_print(heap, ", which was killed by signal %d (%s)", process->end.status,
                              strsignal(process->end.status));
    case GMT_ENDED_GONE:
        return ", which ended without its exit handlers (a signal, or _exit)";
    case GMT_ENDED_RUNNING:
    case GMT_ENDED_EXIT:
        break;
    }
    return "";
}

static const char *leak_sentence(struct gmt_heap *heap, const struct gmt_process *process)
{
    return gmt_heap_print(
        heap, "LEAK in %s%s: %s %s never freed, at %s", gmt_verdict_place(heap, process), end_clause(heap, process),
        gmt_verdict_amount(heap, process->leak_blocks, process->leak_bytes), process->leak_blocks == 1 ? "was" : "were",
        gmt_words_count(heap, process->leak_sites, "call site"));
}

/* "; peak 1.20 GiB on device 0 (NVIDIA H200), 2.00 MiB of pinned host memory"; nothing when nothing was taken. */
static const char *peak_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    const char *clause = "";
    for (unsigned i = 0; i < process->peak_count; i++) {
        const struct gmt_peak *peak = &process->peaks[i];
        bool device = peak->space == GMT_SPACE_DEVICE;
        clause = gmt_heap_print(
            heap, "%s%s%s %s%s%s%s", clause, i == 0 ? "; peak" : ",", "", gmt_words_size(heap, peak->bytes),
            device ? "" : " of ", device ? "" : gmt_space_words(peak->space),
            device || process->device_count > 1 ? gmt_heap_print(heap, " on %s", gmt_words_device(heap, peak->device))
                                                : "");
    }
    return clause;
}

/* "; 3 calls failed; 1 request did not fit, and the program went on". */
static const char *failure_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    uint64_t failed = process->failed_count;
    const char *fit = "";
    if (process->oom_count) {
        failed = 0;
        for (unsigned i = 0; i < process->failure_count; i++)
            if (process->failures[i].kind != GMT_FAILURE_NULL && process->failures[i].code != GMT_CODE_OUT_OF_MEMORY)
                failed += process->failures[i].count;
        fit = gmt_heap_print(heap, "; %s did not fit, and the program went on",
                             gmt_words_count(heap, process->oom_count, "request"));
    }
    if (failed == 0)
        return fit;
    return gmt_heap_print(heap, "%s; %s failed", fit, gmt_words_count(heap, failed, "call"));
}

static const char *clean_sentence(struct gmt_heap *heap, const struct gmt_process *process)
{
    const char *taken = process->block_count == 0   ? "no block was taken"
                        : process->block_count == 1 ? "1 block was taken and freed"
                                                    : gmt_heap_print(heap, "%s blocks were taken and all were freed",
                                                                     gmt_words_number(heap, process->block_count));
    /* What is missing may have leaked. */
    return gmt_heap_print(heap, "no leaks%s in %s%s: %s%s%s%s", process->doubt_count ? " were seen" : "",
                          gmt_verdict_place(heap, process), end_clause(heap, process), taken,
                          peak_clause(heap, process), failure_clause(heap, process),
                          process->doubt_count ? "; but the trace is not complete, see below" : "");
}

static const char *live_sentence(struct gmt_heap *heap, const struct gmt_process *process)
{
    return gmt_heap_print(heap, "%s is running: %s %s live, taken at %s%s", gmt_verdict_place(heap, process),
                          gmt_verdict_amount(heap, process->leak_blocks, process->leak_bytes),
                          process->leak_blocks == 1 ? "is" : "are",
                          gmt_words_count(heap, process->leak_sites, "call site"), peak_clause(heap, process));
}

/* The newest request that did not fit and after which nothing was taken any more. */
static const struct gmt_oom *fatal_oom(const struct gmt_process *process)
{
    for (unsigned i = process->oom_count; i > 0; i--)
        if (!process->ooms[i - 1].recovered)
            return &process->ooms[i - 1];
    return NULL;
}

static void judge_process(struct gmt_process *process, struct gmt_heap *heap)
{
    struct gmt_verdict *verdict = &process->verdict;
    const struct gmt_oom *oom = fatal_oom(process);
    bool leaks = gmt_process_leaked_blocks(process) > 0;
    if (oom) {
        verdict->result = GMT_RESULT_OUT_OF_MEMORY;
        verdict->sentence = gmt_heap_print(heap, "OUT OF MEMORY in %s: %s", gmt_verdict_place(heap, process),
                                           gmt_verdict_request(heap, oom));
        verdict->leaks = leaks ? leak_sentence(heap, process) : NULL;
    } else if (process->end.by == GMT_ENDED_RUNNING) {
        verdict->result = GMT_RESULT_LIVE;
        verdict->sentence = live_sentence(heap, process);
    } else if (leaks) {
        verdict->result = GMT_RESULT_LEAKS;
        verdict->sentence = leak_sentence(heap, process);
    } else {
        verdict->result = GMT_RESULT_CLEAN;
        verdict->sentence = clean_sentence(heap, process);
    }
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
        judge_process(&report->processes[i], &report->heap);
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
