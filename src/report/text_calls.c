/* Out-of-memory errors, failed calls and coverage in the text format. */
#include <inttypes.h>
#include <string.h>

#include "report/text_sections.h"
#include "report/verdict.h"
#include "report/words.h"

#define OOMS_IN_FULL 3u
#define OOMS_SHOWN 10u
#define FAILURES_SHOWN 10u
#define CLIENTS_SHOWN 8u

static void write_live_then(struct gmt_text_writer *writer, const struct gmt_process *process,
                            const struct gmt_oom *oom)
{
    struct gmt_heap *heap = writer->heap;
    uint64_t live = 0;
    for (unsigned space = 0; space < GMT_SPACE_COUNT; space++) {
        const struct gmt_totals *totals = &oom->totals[space];
        if (totals->live_count == 0)
            continue;
        live += totals->live_bytes;
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  Live at that moment: %s of %s in %s",
                      gmt_words_size(heap, totals->live_bytes), gmt_space_words(space),
                      gmt_words_count(heap, totals->live_count, "block"));
    }
    if (live == 0)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  Nothing that this process took was live at that moment.");
    for (unsigned i = 0; i < oom->top_count; i++)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s  %s in %s: %s",
                      gmt_words_share(heap, oom->top[i].bytes, live), gmt_words_size(heap, oom->top[i].bytes),
                      gmt_words_count(heap, oom->top[i].count, "block"),
                      gmt_text_site(writer, process, oom->top[i].site));
}

void gmt_text_oom_details(struct gmt_text_writer *writer, const struct gmt_process *process, const struct gmt_oom *oom)
{
    gmt_text_stack(writer, process, oom->stack);
    write_live_then(writer, process, oom);
}

void gmt_text_ooms(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    unsigned shown = process->oom_count;
    if (!writer->options->full && shown > OOMS_SHOWN)
        shown = OOMS_SHOWN;
    for (unsigned i = 0; i < shown; i++) {
        const struct gmt_oom *oom = &process->ooms[i];
        gmt_lines_space(&writer->lines);
        gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Out of memory %u of %u, %s after the start%s: %s", i + 1,
                      process->oom_count, gmt_words_time(heap, oom->time_ns),
                      oom->recovered ? " (the program went on)" : "", gmt_verdict_request(heap, oom));
        if (i < OOMS_IN_FULL || writer->options->full)
            gmt_text_oom_details(writer, process, oom);
    }
    if (shown == process->oom_count)
        return;
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "and %s more, the last %s after the start; --full lists them all",
                  gmt_words_number(heap, process->oom_count - shown),
                  gmt_words_time(heap, process->ooms[process->oom_count - 1].time_ns));
}

static const char *failure_sentence(struct gmt_heap *heap, const struct gmt_failed_call *call)
{
    const char *times =
        call->count == 1 ? "once" : gmt_heap_print(heap, "%s times", gmt_words_number(heap, call->count));
    if (call->kind == GMT_FAILURE_NULL)
        return gmt_heap_print(heap, "%s was called with a null pointer %s", call->api, times);
    const char *what = "";
    if (call->last_address)
        what = gmt_heap_print(heap, " of 0x%" PRIx64, call->last_address);
    else if (call->last_bytes)
        what = gmt_heap_print(heap, " for %s", gmt_words_size(heap, call->last_bytes));
    if (call->kind == GMT_FAILURE_STRAY && call->code == 0)
        return gmt_heap_print(heap, "%s%s freed a block that was not seen being taken, %s", call->api, what, times);
    return gmt_heap_print(heap, "%s%s failed %s with %s%s", call->api, what, times, gmt_words_result(heap, call->code),
                          call->kind == GMT_FAILURE_STRAY ? "; no live block starts there" : "");
}

static void write_failure(struct gmt_text_writer *writer, const struct gmt_process *process,
                          const struct gmt_failed_call *call)
{
    struct gmt_heap *heap = writer->heap;
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s", failure_sentence(heap, call));
    gmt_text_stack(writer, process, call->stack);
    if (call->near_site && call->last_address >= call->near_address)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "      the nearest block below starts %s before it: %s, taken by %s",
                      gmt_words_size(heap, call->last_address - call->near_address),
                      gmt_words_size(heap, call->near_bytes), gmt_text_site(writer, process, call->near_site));
}

/* Requests that did not fit have a section of their own; frees of null are harmless, --full lists them. */
static bool is_shown(const struct gmt_text_writer *writer, const struct gmt_process *process,
                     const struct gmt_failed_call *call)
{
    if (call->kind == GMT_FAILURE_NULL)
        return writer->options->full;
    return !(process->oom_count && call->code == GMT_CODE_OUT_OF_MEMORY);
}

void gmt_text_failures(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    unsigned shown = 0, left_out = 0;
    for (unsigned i = 0; i < process->failure_count; i++) {
        if (!is_shown(writer, process, &process->failures[i]))
            continue;
        if (shown == FAILURES_SHOWN && !writer->options->full) {
            left_out++;
            continue;
        }
        if (shown++ == 0) {
            gmt_lines_space(&writer->lines);
            gmt_lines_add(&writer->lines, GMT_STYLE_STRONG, "Failed calls");
        }
        write_failure(writer, process, &process->failures[i]);
    }
    if (left_out)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  and %u more kinds; --full lists them all", left_out);
}

static const char *client_words(struct gmt_heap *heap, const struct gmt_client *client)
{
    static const char *const doors[GMT_DOOR_COUNT] = {"by link", "by dlsym", "by cuGetProcAddress"};
    const char *ways = "";
    for (unsigned door = 0; door < GMT_DOOR_COUNT; door++)
        if (client->uses[door])
            ways = gmt_heap_print(heap, "%s%s%s %s", ways, *ways ? ", " : "",
                                  gmt_words_number(heap, client->uses[door]), doors[door]);
    return gmt_heap_print(heap, "%s (%s)", client->module ? client->module->name : "code that no file backs",
                          *ways ? ways : "no look-up");
}

void gmt_text_coverage(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    struct gmt_heap *heap = writer->heap;
    uint64_t calls = 0;
    const char *clients = "";
    for (unsigned i = 0; i < process->call_count; i++)
        calls += process->calls[i].calls;
    unsigned shown = process->client_count < CLIENTS_SHOWN ? process->client_count : CLIENTS_SHOWN;
    for (unsigned i = 0; i < shown; i++)
        clients = gmt_heap_print(heap, "%s%s%s", clients, i ? "; " : "", client_words(heap, &process->clients[i]));
    if (shown < process->client_count)
        clients = gmt_heap_print(heap, "%s; and %u more", clients, process->client_count - shown);
    gmt_lines_space(&writer->lines);
    gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "Coverage: %s to %s went through the hooks%s%s",
                  gmt_words_count(heap, calls, "call"), gmt_words_count(heap, process->call_count, "function"),
                  *clients ? ". The driver's functions were asked for by " : ".", clients);
    uint64_t bypassed = gmt_process_bypassed(process);
    if (bypassed) {
        const char *name = gmt_trace_view_string(process->view, process->view->header.bypassed_name);
        gmt_lines_add(&writer->lines, GMT_STYLE_BAD,
                      "  %s led past the hooks, the first to %s: what was taken through them is not in this report.",
                      gmt_words_count(heap, bypassed, "look-up"), name ? name : "a function that is not known");
    }
    for (unsigned i = 0; i < process->note_count; i++)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  %s", process->notes[i]);
    for (unsigned i = 0; i < process->module_count; i++)
        if (process->modules[i].trouble)
            gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  No %s for code of %s: %s.",
                          process->modules[i].lacks_lines_only ? "lines" : "names", process->modules[i].path,
                          process->modules[i].trouble);
    if (process->jit_trouble)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "  No names for code that no file backs: %s.",
                      process->jit_trouble);
    if (process->view->header.own_bytes)
        gmt_lines_add(&writer->lines, GMT_STYLE_FAINT, "  The tracer used %s of host memory and none of the device's.",
                      gmt_words_size(heap, process->view->header.own_bytes));
}
