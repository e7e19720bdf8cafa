/* The text format: the verdict first, then what it rests on, then what to do. A clean process is one line. */
#include <inttypes.h>

#include "report/text_sections.h"
#include "report/verdict.h"
#include "report/words.h"

static enum gmt_style verdict_style(enum gmt_result result)
{
    switch (result) {
    case GMT_RESULT_CLEAN:
        return GMT_STYLE_GOOD;
    case GMT_RESULT_LIVE:
    case GMT_RESULT_NOT_TRACED:
        return GMT_STYLE_STRONG;
    case GMT_RESULT_LEAKS:
    case GMT_RESULT_OUT_OF_MEMORY:
        break;
    }
    return GMT_STYLE_BAD;
}

static void write_verdict(struct gmt_text_writer *writer, const struct gmt_verdict *verdict)
{
    gmt_lines_add(&writer->lines, verdict_style(verdict->result), "gpumemtrace: %s", verdict->sentence);
    if (verdict->leaks)
        gmt_lines_add(&writer->lines, GMT_STYLE_BAD, "gpumemtrace: %s", verdict->leaks);
}

static bool has_numerous_objects(const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->object_count; i++)
        if (process->objects[i].live_count + process->objects[i].ended_count >= GMT_OBJECTS_NUMEROUS)
            return true;
    return false;
}

static bool has_notes(const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->failure_count; i++)
        if (process->failures[i].kind == GMT_FAILURE_LATE || process->failures[i].kind == GMT_FAILURE_EXPORTED)
            return true;
    return false;
}

/* Nothing to say beyond the verdict. */
static bool is_quiet(const struct gmt_process *process)
{
    return process->verdict.result == GMT_RESULT_CLEAN && process->oom_count == 0 && process->failed_count == 0 &&
           process->doubt_count == 0 && gmt_process_bypassed(process) == 0 && !has_numerous_objects(process) &&
           !has_notes(process);
}

static bool lacks_lines(const struct gmt_process *process)
{
    for (unsigned i = 0; i < process->leak_count; i++) {
        const struct gmt_stack *stack = process->leaks[i]->site->stack;
        const struct gmt_frame *frame = stack && stack->user >= 0 ? &stack->frames[stack->user] : NULL;
        if (frame && frame->line == 0 && frame->module && !frame->module->trouble)
            return true;
    }
    return false;
}

/* "--simulate 8GiB " for a process that ran on the simulated device, so that the next command runs where this one did.
 */
static const char *simulate_flag(struct gmt_heap *heap, const struct gmt_process *process)
{
    uint64_t bytes = process->device_count ? process->devices[0].total_bytes : 0;
    if (!process->simulated || bytes < UINT64_C(1) << 20)
        return "";
    bool whole = bytes % (UINT64_C(1) << 30) == 0;
    return gmt_heap_print(heap, "--simulate %" PRIu64 "%s ", bytes >> (whole ? 30 : 20), whole ? "GiB" : "MiB");
}

static void write_next(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    const char *arguments = process->arguments ? process->arguments : process->program;
    const char *simulate = simulate_flag(writer->heap, process);
    bool leaks = gmt_process_leaked_blocks(process) > 0;
    if (!leaks && process->end.by != GMT_ENDED_RUNNING)
        return;
    gmt_lines_space(&writer->lines);
    if (process->end.by == GMT_ENDED_RUNNING && writer->report->is_last_look)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "It outlived the program that was run: what it frees or leaks from here on is not seen.");
    else if (lacks_lines(process))
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN, "Next: build with -g, and the report names file and line.");
    else if (process->end.by == GMT_ENDED_RUNNING)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "Next: gpumemtrace report %" PRIu32 ", again after a while, shows what grows.",
                      process->view->header.pid);
    else if (!writer->report->gate_checked)
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "Next: free them; then keep it so with: gpumemtrace run %s--leak-check -- %s", simulate,
                      arguments);
    else
        gmt_lines_add(&writer->lines, GMT_STYLE_PLAIN,
                      "Next: free them, or see every frame with: gpumemtrace run %s--full-stacks -- %s", simulate,
                      arguments);
}

static void write_process(struct gmt_text_writer *writer, const struct gmt_process *process)
{
    if (is_quiet(process) && !writer->options->full)
        return;
    gmt_text_ooms(writer, process);
    gmt_text_leaks(writer, process);
    gmt_text_libraries(writer, process);
    gmt_text_objects(writer, process);
    if (process->verdict.result != GMT_RESULT_CLEAN || writer->options->full) {
        gmt_text_peaks(writer, process);
        gmt_text_totals(writer, process);
    }
    gmt_text_contexts(writer, process);
    gmt_text_pools(writer, process);
    gmt_text_limits(writer, process);
    gmt_text_failures(writer, process);
    gmt_text_notes(writer, process);
    gmt_text_coverage(writer, process);
    write_next(writer, process);
}

static void write_gate(struct gmt_text_writer *writer)
{
    static const char *const sentences[] = {
        [GMT_GATE_PASSED] = "passed",
        [GMT_GATE_NOT_TRACED] = "FAILED: no process initialised CUDA",
        [GMT_GATE_BYPASSED] = "FAILED: driver functions were reached past the hooks",
        [GMT_GATE_LEAKS] = "FAILED: leaks",
        [GMT_GATE_INCOMPLETE] = "FAILED: blocks may be missing from the trace, see Coverage",
    };
    enum gmt_gate gate = writer->report->gate;
    if (writer->report->gate_checked && gate != GMT_GATE_PASSED)
        gmt_lines_add(&writer->lines, GMT_STYLE_BAD, "gpumemtrace: leak check %s", sentences[gate]);
}

static void write_one_oom(struct gmt_text_writer *writer, const struct gmt_process *process, uint32_t index)
{
    struct gmt_heap *heap = writer->heap;
    for (unsigned i = 0; i < process->oom_count; i++) {
        const struct gmt_oom *oom = &process->ooms[i];
        if (oom->index != index)
            continue;
        gmt_lines_add(&writer->lines, GMT_STYLE_BAD, "gpumemtrace: OUT OF MEMORY in %s: %s",
                      gmt_verdict_place(heap, process), gmt_verdict_request(heap, oom));
        gmt_text_oom_details(writer, process, oom);
    }
}

void gmt_write_text(struct gmt_report *report, const struct gmt_write_options *options, FILE *file)
{
    struct gmt_text_writer writer = {report, &report->heap, options, {file, options->colour}};
    if (options->oom >= 0 && report->process_count > 0) {
        write_one_oom(&writer, &report->processes[0], (uint32_t)options->oom);
        return;
    }
    write_verdict(&writer, &report->verdict);
    for (unsigned i = 0; i < report->process_count; i++) {
        const struct gmt_process *process = &report->processes[i];
        if (report->process_count > 1) {
            gmt_lines_space(&writer.lines);
            write_verdict(&writer, &process->verdict);
        }
        write_process(&writer, process);
    }
    for (unsigned i = 0; i < report->note_count; i++)
        gmt_lines_add(&writer.lines, GMT_STYLE_PLAIN, "gpumemtrace: %s", report->notes[i]);
    write_gate(&writer);
}
