/* gpumemtrace report: trace files to text or another format. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "complaint.h"
#include "rendering.h"
#include "report/verdict.h"
#include "verbs.h"

/* What to write and where; false after a complaint. */
static bool choose_outputs(const struct gmt_arguments *arguments, struct gmt_output *outputs, unsigned *count_out)
{
    struct gmt_sentence why;
    bool to_stderr = arguments->at_exit || arguments->oom != GMT_NUMBER_UNSET;
    FILE *stream = to_stderr ? stderr : stdout;
    const char *stream_name = to_stderr ? "standard error" : "standard output";
    unsigned unnamed = 0;
    *count_out = arguments->format_count;
    for (unsigned i = 0; i < arguments->format_count; i++) {
        const struct gmt_format_choice *choice = &arguments->formats[i];
        outputs[i] = (struct gmt_output){choice->writer, choice->pattern, stream, stream_name};
        if (!choice->pattern) {
            outputs[i].pattern = arguments->output;
            unnamed++;
        }
    }
    if (unnamed > 1) {
        gmt_complain("only one format can go to one place; give the others a file, as in -f json:report.json");
        return false;
    }
    if (arguments->format_count == 0 || (unnamed == 0 && arguments->output))
        outputs[(*count_out)++] = (struct gmt_output){gmt_writer_find("text"), arguments->output, stream, stream_name};
    for (unsigned i = 0; i < *count_out; i++) {
        if (outputs[i].pattern && !gmt_pattern_check(outputs[i].pattern, &why)) {
            gmt_complain("%s", why.text);
            return false;
        }
    }
    return true;
}

static bool find_files(const struct gmt_arguments *arguments, struct gmt_trace_files *files, struct gmt_sentence *why)
{
    if (arguments->last && !gmt_trace_files_add_newest(files, why))
        return false;
    for (int i = 0; i < arguments->rest_count; i++)
        if (!gmt_trace_files_add_word(files, arguments->rest[i], why))
            return false;
    if (files->count > 0)
        return true;
    gmt_sentence_refuse(why, "report needs a trace file, a folder of them, a process id, or --last for the newest");
    return false;
}

static bool check_oom(const struct gmt_arguments *arguments, const struct gmt_report *report, struct gmt_sentence *why)
{
    if (arguments->oom == GMT_NUMBER_UNSET)
        return true;
    for (unsigned i = 0; i < report->processes[0].oom_count; i++)
        if (report->processes[0].ooms[i].index == (uint32_t)arguments->oom)
            return true;
    gmt_sentence_refuse(why, "there is no out-of-memory error %d in %s; it has %u, counted from 0", arguments->oom,
                        report->processes[0].view->path, report->processes[0].oom_count);
    return false;
}

static bool write_outputs(struct gmt_rendering *rendering, const struct gmt_arguments *arguments,
                          const struct gmt_output *outputs, unsigned count, struct gmt_sentence *why)
{
    struct gmt_write_options options = {.full_stacks = arguments->full_stacks,
                                        .full = arguments->full || !(arguments->brief || arguments->at_exit),
                                        .oom = arguments->oom};
    struct gmt_pattern_values values = {.rank = -1};
    for (unsigned i = 0; i < count; i++)
        if (!gmt_rendering_write(rendering, &outputs[i], &options, &values, why))
            return false;
    return true;
}

static uint64_t count_leaks(const struct gmt_report *report)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < report->process_count; i++)
        blocks += gmt_process_leaked_blocks(&report->processes[i]);
    return blocks;
}

/* The report of the files; the exit code. */
static int report_files(const struct gmt_arguments *arguments, const struct gmt_trace_files *files,
                        const struct gmt_output *outputs, unsigned output_count)
{
    struct gmt_rendering rendering;
    struct gmt_sentence why;
    bool from_folder = arguments->rest_count > 0 && files->count > (unsigned)arguments->rest_count;
    if (!gmt_rendering_open(files, !from_folder, &rendering, &why)) {
        gmt_complain("%s", why.text);
        return GMT_EXIT_OWN_ERROR;
    }
    int code = 0;
    rendering.report.target = files->paths[0];
    if (rendering.report.process_count == 0) {
        gmt_complain("%s", rendering.report.notes[0]);
        code = GMT_EXIT_OWN_ERROR;
    } else if (!check_oom(arguments, &rendering.report, &why)) {
        gmt_complain("%s", why.text);
        code = GMT_EXIT_OWN_ERROR;
    } else {
        gmt_rendering_finish(&rendering, &arguments->search);
        if (!write_outputs(&rendering, arguments, outputs, output_count, &why)) {
            gmt_complain("%s", why.text);
            code = GMT_EXIT_OWN_ERROR;
        } else if (arguments->leak_status && count_leaks(&rendering.report) > 0) {
            code = GMT_EXIT_LEAKS;
        }
    }
    gmt_rendering_close(&rendering);
    return code;
}

int gmt_report_verb(int count, char **words)
{
    struct gmt_arguments arguments;
    struct gmt_output outputs[GMT_FORMATS_MAX + 1];
    unsigned output_count;
    struct gmt_trace_files files = {NULL, 0, 0};
    struct gmt_sentence why;
    if (!gmt_arguments_parse(GMT_VERB_report, count, words, &arguments) ||
        !choose_outputs(&arguments, outputs, &output_count))
        return GMT_EXIT_OWN_ERROR;
    int code = GMT_EXIT_OWN_ERROR;
    if (!gmt_symbol_search_check(&arguments.search, &why) || !find_files(&arguments, &files, &why))
        gmt_complain("%s", why.text);
    else
        code = report_files(&arguments, &files, outputs, output_count);
    bool remove = arguments.at_exit && !arguments.keep && arguments.oom == GMT_NUMBER_UNSET;
    for (unsigned i = 0; remove && code != GMT_EXIT_OWN_ERROR && i < files.count; i++)
        unlink(files.paths[i]);
    gmt_trace_files_drop(&files);
    return code;
}
