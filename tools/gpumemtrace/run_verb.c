/* gpumemtrace run: a program under the tracer, its report, its exit code. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "base/options.h"
#include "child.h"
#include "complaint.h"
#include "preload.h"
#include "rendering.h"
#include "report/verdict.h"
#include "run_folder.h"
#include "size.h"
#include "target.h"
#include "verbs.h"

#define SIMULATED_BYTES_MAX (UINT64_C(1) << 46) /* the simulator's own limit */

struct run {
    struct gmt_arguments arguments;
    struct gmt_options options; /* of GPUMEMTRACE_OPTIONS: what the command line leaves open */
    struct gmt_output outputs[GMT_FORMATS_MAX + 1];
    unsigned output_count;
    uint64_t simulate_bytes;
    struct gmt_target target;
    char folder[GMT_RUN_FOLDER_BYTES];
    struct gmt_child child;
    struct gmt_sentence why;
};

/* Patterns that can be expanded, and no two reports in one file. */
static bool check_outputs(struct run *run)
{
    for (unsigned i = 0; i < run->output_count; i++) {
        const char *pattern = run->outputs[i].pattern;
        if (!pattern)
            continue;
        if (!gmt_pattern_check(pattern, &run->why))
            return false;
        bool replaced = strncmp(pattern, "/dev/", 5) != 0; /* what is there takes one after the other */
        for (unsigned j = 0; j < i && replaced; j++) {
            if (!run->outputs[j].pattern || strcmp(run->outputs[j].pattern, pattern) != 0)
                continue;
            gmt_sentence_refuse(&run->why, "two reports would go to %s; name another file for one of them", pattern);
            return false;
        }
    }
    return true;
}

/* Text always, to standard error or the file of -o; other formats to their files. */
static bool choose_outputs(struct run *run)
{
    const struct gmt_arguments *arguments = &run->arguments;
    const char *text = arguments->output;
    for (unsigned i = 0; i < arguments->format_count; i++) {
        const struct gmt_format_choice *choice = &arguments->formats[i];
        bool is_text = strcmp(choice->writer->name, "text") == 0;
        if (!choice->pattern && !is_text) {
            gmt_sentence_refuse(&run->why,
                                "-f %s needs a file, because standard output is the program's: -f %s:report.%s",
                                choice->writer->name, choice->writer->name, choice->writer->name);
            return false;
        }
        if (choice->pattern)
            run->outputs[run->output_count++] = (struct gmt_output){choice->writer, choice->pattern, NULL, NULL};
        if (is_text && choice->pattern && !text)
            text = ""; /* it has its place already */
    }
    if (!text || text[0] != '\0')
        run->outputs[run->output_count++] =
            (struct gmt_output){gmt_writer_find("text"), text, stderr, "standard error"};
    return check_outputs(run);
}

static void take_settings(struct run *run)
{
    struct gmt_arguments *arguments = &run->arguments;
    const char *settings = getenv(GMT_OPTIONS_VARIABLE);
    gmt_options_init(&run->options);
    if (settings)
        gmt_options_parse(&run->options, settings, NULL, NULL); /* the library complains of mistakes */
    arguments->leak_check |= run->options.leak_check;
    arguments->full_stacks |= run->options.full_stacks;
    if (arguments->error_exitcode == GMT_NUMBER_UNSET)
        arguments->error_exitcode = (int)run->options.error_exitcode;
    if (!arguments->output && run->options.output[0] != '\0' && strcmp(run->options.format, "text") == 0)
        arguments->output = run->options.output;
}

static bool check_request(struct run *run)
{
    const struct gmt_arguments *arguments = &run->arguments;
    if (arguments->rest_count == 0) {
        gmt_sentence_refuse(&run->why, "run needs a program: gpumemtrace run [options] -- PROGRAM [ARGUMENTS...]");
        return false;
    }
    if (arguments->error_exitcode < 1 || arguments->error_exitcode >= GMT_EXIT_OWN_ERROR) {
        gmt_sentence_refuse(&run->why,
                            "--error-exitcode takes 1 to 124, not %d: 0 means success, 125 and more have "
                            "meanings of their own",
                            arguments->error_exitcode);
        return false;
    }
    if (arguments->simulate && !gmt_size_parse(arguments->simulate, &run->simulate_bytes)) {
        gmt_sentence_refuse(&run->why, "--simulate takes the size of a device, as in 8GiB, not \"%s\"",
                            arguments->simulate);
        return false;
    }
    if (run->simulate_bytes > SIMULATED_BYTES_MAX) {
        gmt_sentence_refuse(&run->why, "--simulate takes at most 64TiB, not %s", arguments->simulate);
        return false;
    }
    return gmt_symbol_search_check(&arguments->search, &run->why) && choose_outputs(run);
}

static bool refuse_static_cudart(struct run *run)
{
    const struct gmt_elf_program *elf = &run->target.elf;
    if (!run->simulate_bytes || !elf->has_static_cudart || elf->cudart[0] != '\0')
        return false;
    gmt_sentence_refuse(&run->why,
                        "%s has the CUDA runtime linked in statically, which needs a real driver; relink with "
                        "-cudart shared to run it on the simulated device",
                        run->target.path);
    return true;
}

static int start(struct run *run)
{
    int code = gmt_target_check(run->arguments.rest[0], &run->target, &run->why);
    if (code != 0)
        return code;
    if (refuse_static_cudart(run) || !gmt_run_folder_create(run->folder, sizeof run->folder, &run->why))
        return GMT_EXIT_OWN_ERROR;
    struct gmt_preload preload = {.folder = run->folder,
                                  .settings = run->arguments.settings,
                                  .sanitizer = run->target.elf.sanitizer,
                                  .cudart = run->target.elf.cudart,
                                  .simulate_bytes = run->simulate_bytes,
                                  .verbose = run->arguments.verbose > 0};
    if (!gmt_preload_apply(&preload, &run->why))
        return GMT_EXIT_OWN_ERROR;
    return gmt_child_run(run->target.path, run->arguments.rest, &run->child, &run->why);
}

/* What the parent saw of the end of the program itself; of its children it saw nothing. */
static void correct_end(const struct run *run, struct gmt_report *report)
{
    for (unsigned i = 0; i < report->process_count; i++) {
        struct gmt_process *process = &report->processes[i];
        if (process->view->header.pid != (uint32_t)run->child.pid || process->end.by == GMT_ENDED_EXEC)
            continue;
        if (WIFSIGNALED(run->child.status))
            process->end = (struct gmt_end_state){GMT_ENDED_SIGNAL, WTERMSIG(run->child.status)};
        else
            process->end = (struct gmt_end_state){GMT_ENDED_EXIT, WEXITSTATUS(run->child.status)};
    }
}

static bool write_outputs(struct run *run, struct gmt_rendering *rendering)
{
    const char *slash = strrchr(run->target.path, '/');
    struct gmt_pattern_values values = {
        .pid = (uint32_t)run->child.pid, .rank = -1, .program = slash ? slash + 1 : run->target.path};
    char host[256];
    struct gmt_write_options options = {
        .full = run->arguments.full, .full_stacks = run->arguments.full_stacks, .oom = -1};
    if (gethostname(host, sizeof host) == 0)
        values.host = host;
    bool written = true;
    for (unsigned i = 0; i < run->output_count; i++) {
        if (gmt_rendering_write(rendering, &run->outputs[i], &options, &values, &run->why))
            continue;
        gmt_complain("%s", run->why.text);
        written = false;
    }
    return written;
}

/* Precedence: the tool's own error, the program's code, nothing or not everything traced, leaks. */
static int exit_code(const struct run *run, const struct gmt_report *report, bool written)
{
    int code = gmt_child_exit_code(&run->child);
    if (!written)
        return GMT_EXIT_OWN_ERROR;
    if (code != 0 || !run->arguments.leak_check)
        return code;
    switch (report->gate) {
    case GMT_GATE_NOT_TRACED:
    case GMT_GATE_BYPASSED:
    case GMT_GATE_INCOMPLETE:
        return GMT_EXIT_NOT_TRACED;
    case GMT_GATE_LEAKS:
        return run->arguments.error_exitcode;
    case GMT_GATE_PASSED:
        break;
    }
    return 0;
}

static int render(struct run *run)
{
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error like any other: the folder must be removed */
    struct gmt_trace_files files = {NULL, 0, 0};
    struct gmt_rendering rendering;
    if (!gmt_trace_files_add_folder(&files, run->folder, &run->why) ||
        !gmt_rendering_open(&files, false, &rendering, &run->why)) {
        gmt_complain("%s", run->why.text);
        gmt_trace_files_drop(&files);
        return GMT_EXIT_OWN_ERROR;
    }
    correct_end(run, &rendering.report);
    rendering.report.is_last_look = true;
    rendering.report.target = run->arguments.rest[0];
    gmt_rendering_finish(&rendering, &run->arguments.search);
    rendering.report.gate_checked = run->arguments.leak_check;
    rendering.report.gate = gmt_report_gate(&rendering.report);
    bool written = write_outputs(run, &rendering);
    int code = exit_code(run, &rendering.report, written);
    gmt_rendering_close(&rendering);
    gmt_trace_files_drop(&files);
    return code;
}

int gmt_run_verb(int count, char **words)
{
    static struct run run;
    if (!gmt_arguments_parse(GMT_VERB_run, count, words, &run.arguments))
        return GMT_EXIT_OWN_ERROR;
    take_settings(&run);
    if (!check_request(&run)) {
        gmt_complain("%s", run.why.text);
        return GMT_EXIT_OWN_ERROR;
    }
    int code = start(&run);
    if (code != 0)
        gmt_complain("%s", run.why.text);
    else
        code = render(&run);
    if (run.folder[0] != '\0')
        gmt_run_folder_remove(run.folder);
    free(run.arguments.settings);
    return code;
}
