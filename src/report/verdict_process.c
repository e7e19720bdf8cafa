/* What is said first of one process. */
#include "report/verdict.h"

#include <inttypes.h>
#include <string.h>

#include "report/kinds.h"
#include "report/stack_words.h"
#include "report/words.h"

/* Kinds of objects that a sentence names. */
#define KINDS_NAMED 3u

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
            if (gmt_failed_call_counts(&process->failures[i]) && process->failures[i].code != GMT_CODE_OUT_OF_MEMORY)
                failed += process->failures[i].count;
        fit = gmt_heap_print(heap, "; %s did not fit, and the program went on",
                             gmt_words_count(heap, process->oom_count, "request"));
    }
    if (failed > 0)
        fit = gmt_heap_print(heap, "%s; %s failed", fit, gmt_words_count(heap, failed, "call"));
    if (process->null_count >= GMT_NULL_FREES_MANY)
        fit = gmt_heap_print(heap, "%s; %s of null", fit, gmt_words_count(heap, process->null_count, "free"));
    return fit;
}

/* "; still there: 1,204 events, 3 streams": the most numerous kinds of objects that nobody destroyed. */
static const char *object_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    const char *clause = "";
    uint64_t bound = UINT64_MAX;
    unsigned named = 0, kinds = 0;
    for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++)
        kinds += process->kind_left[kind] > 0;
    while (named < kinds && named < KINDS_NAMED) {
        uint64_t most = 0;
        for (unsigned kind = 0; kind < GMT_KIND_COUNT; kind++)
            if (process->kind_left[kind] < bound && process->kind_left[kind] > most)
                most = process->kind_left[kind];
        for (unsigned kind = 0; kind < GMT_KIND_COUNT && named < KINDS_NAMED; kind++)
            if (process->kind_left[kind] == most && named++ < KINDS_NAMED)
                clause = gmt_heap_print(heap, "%s%s%s", clause, named == 1 ? "; still there: " : ", ",
                                        gmt_kind_count(heap, most, kind));
        bound = most;
    }
    if (named < kinds)
        clause =
            gmt_heap_print(heap, "%s and %s of objects", clause, gmt_words_count(heap, kinds - named, "more kind"));
    return clause;
}

/* "; 64 of them too late, after the driver had shut down". */
static const char *late_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    uint64_t blocks = 0, objects = 0;
    for (unsigned i = 0; i < process->late_count; i++)
        *(gmt_kind_leaks(process->late[i]->site->kind) ? &blocks : &objects) += process->late[i]->count;
    const char *clause = "";
    if (blocks)
        clause = gmt_heap_print(heap, "; %s of them too late, after the driver had shut down",
                                gmt_words_number(heap, blocks));
    if (objects)
        clause = gmt_heap_print(
            heap, "%s; %s destroyed too late, after the driver had shut down", clause,
            objects == 1 ? "1 object was" : gmt_heap_print(heap, "%s were", gmt_words_count(heap, objects, "object")));
    return clause;
}

/* A context costs hundreds of megabytes, whoever made it and for nothing. */
static const char *idle_clause(struct gmt_heap *heap, const struct gmt_process *process)
{
    const char *clause = "";
    unsigned idle = 0;
    for (unsigned i = 0; i < process->context_count; i++) {
        const struct gmt_context *context = &process->contexts[i];
        if (context->idle && context->first && idle++ == 0)
            clause = gmt_heap_print(heap, "; 0 bytes were allocated on %s, whose context was made by %s",
                                    gmt_words_device(heap, context->device),
                                    gmt_words_caller(heap, process, &context->created));
    }
    return idle < 2 ? clause : gmt_heap_print(heap, "%s, nor on %u more", clause, idle - 1);
}

static const char *clean_sentence(struct gmt_heap *heap, const struct gmt_process *process)
{
    const char *taken = process->block_count == 0   ? "no block was taken"
                        : process->block_count == 1 ? "1 block was taken and freed"
                                                    : gmt_heap_print(heap, "%s blocks were taken and all were freed",
                                                                     gmt_words_number(heap, process->block_count));
    /* What is missing may have leaked. */
    return gmt_heap_print(heap, "no leaks%s in %s%s: %s%s%s%s%s%s%s", process->doubt_count ? " were seen" : "",
                          gmt_verdict_place(heap, process), end_clause(heap, process), taken,
                          late_clause(heap, process), peak_clause(heap, process), failure_clause(heap, process),
                          object_clause(heap, process), idle_clause(heap, process),
                          process->doubt_count ? "; but the trace is not complete, see below" : "");
}

static const char *live_sentence(struct gmt_heap *heap, const struct gmt_process *process)
{
    uint64_t blocks = 0, bytes = 0, sites = 0;
    for (unsigned i = 0; i < process->leak_count; i++) {
        const struct gmt_remains *remains = process->leaks[i];
        if (gmt_remains_is_ended(remains->state))
            continue;
        blocks += remains->count;
        bytes += remains->bytes;
    }
    for (unsigned i = 0; i < process->site_count; i++)
        sites += process->sites[i].live_count > 0 && gmt_kind_leaks(process->sites[i].kind);
    return gmt_heap_print(heap, "%s is running: %s %s live, taken at %s%s%s", gmt_verdict_place(heap, process),
                          gmt_verdict_amount(heap, blocks, bytes), blocks == 1 ? "is" : "are",
                          gmt_words_count(heap, sites, "call site"), peak_clause(heap, process),
                          object_clause(heap, process));
}

static const char *suffice_clause(struct gmt_heap *heap, const struct gmt_oom *oom)
{
    if (!oom->bytes_suffice)
        return "";
    return gmt_heap_print(heap, "; bytes are not the limit: %s are live, from one call site",
                          gmt_kind_count(heap, oom->objects[0].count, oom->objects[0].site->kind));
}

/* The newest request that did not fit and after which nothing was taken any more. */
static const struct gmt_oom *fatal_oom(const struct gmt_process *process)
{
    for (unsigned i = process->oom_count; i > 0; i--)
        if (!process->ooms[i - 1].recovered)
            return &process->ooms[i - 1];
    return NULL;
}

void gmt_verdict_judge(struct gmt_process *process, struct gmt_heap *heap)
{
    struct gmt_verdict *verdict = &process->verdict;
    const struct gmt_oom *oom = fatal_oom(process);
    bool leaks = gmt_process_leaked_blocks(process) > 0;
    if (oom) {
        verdict->result = GMT_RESULT_OUT_OF_MEMORY;
        verdict->sentence = gmt_heap_print(heap, "OUT OF MEMORY in %s: %s%s", gmt_verdict_place(heap, process),
                                           gmt_verdict_request(heap, oom), suffice_clause(heap, oom));
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
