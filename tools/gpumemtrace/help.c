/* --help and help VERB, from the tables. */
#include <stdio.h>
#include <string.h>

#include "flags.h"

static void print_row(FILE *file, const char *name, const char *help)
{
    if (strlen(name) <= 32)
        fprintf(file, "  %-32s  %s\n", name, help);
    else
        fprintf(file, "  %s\n  %-32s  %s\n", name, "", help);
}

void gmt_help_command(FILE *file)
{
    fputs("gpumemtrace shows who holds a GPU's memory, where it was taken, and why a request did not fit.\n\n", file);
    for (unsigned i = 0; i < GMT_VERB_COUNT; i++)
        fprintf(file, "  gpumemtrace %s [options] %s\n      %s\n", gmt_verb_rows[i].name, gmt_verb_rows[i].arguments,
                gmt_verb_rows[i].help);
    fputs("  gpumemtrace help VERB\n      List the options of a verb.\n  gpumemtrace --version\n\n"
          "Start with: gpumemtrace run -- ./your-program, or add --simulate 8GiB where there is no GPU.\n",
          file);
}

void gmt_help_verb(enum gmt_verb verb, FILE *file)
{
    fprintf(file, "gpumemtrace %s [options] %s\n%s\n\nOptions:\n", gmt_verb_rows[verb].name,
            gmt_verb_rows[verb].arguments, gmt_verb_rows[verb].help);
    char left[96];
    for (size_t i = 0; i < gmt_flag_count; i++) {
        if (gmt_flags[i].verb != verb)
            continue;
        char letter[8] = "    ";
        if (gmt_flags[i].letter)
            snprintf(letter, sizeof letter, "-%c, ", gmt_flags[i].letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, gmt_flags[i].name, gmt_flags[i].argument[0] ? " " : "",
                 gmt_flags[i].argument);
        print_row(file, left, gmt_flags[i].help);
    }
    fputs("\nFormats:\n", file);
    for (const struct gmt_writer *writer = gmt_writers; writer->name; writer++)
        print_row(file, writer->name, writer->help);
    fputs("\nA PATTERN may contain %p pid, %h host, %n program, %r rank, %t start time, %% per cent. Without %p all\n"
          "processes are in one report.\n",
          file);
    if (verb != GMT_VERB_run)
        return;
    fputs("\nSettings of the library, also in " GMT_OPTIONS_VARIABLE " (key=value:key=value):\n", file);
    for (const struct gmt_option_row *row = gmt_flag_next_setting(NULL); row; row = gmt_flag_next_setting(row)) {
        char name[64];
        gmt_flag_setting_name(row, name, sizeof name);
        snprintf(left, sizeof left, "    --%s=%s", name, row->unit);
        if (!gmt_flag_find(verb, name, strlen(name)))
            print_row(file, left, row->help);
    }
}
