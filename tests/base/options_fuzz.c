/* Fuzz target for the parser of GPUMEMTRACE_OPTIONS. Built by clang it is a libFuzzer program; elsewhere fuzz_main.c
 * runs it over the corpus. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void expect_sentence(void *argument, const char *sentence)
{
    *(unsigned *)argument += 1;
    if (strncmp(sentence, "GPUMEMTRACE_OPTIONS: \"", 22) != 0)
        abort();
}

/* A text member is the default (a literal) or lies, ended, in the storage. */
static void check_text(const struct gmt_options *options, const char *value)
{
    const char *start = options->text;
    if (value < start || value >= start + sizeof options->text)
        return;
    if (options->text_used > sizeof options->text || !memchr(value, '\0', (size_t)(start + options->text_used - value)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct gmt_options options;
    char *string = malloc(bytes + 1);
    if (!string)
        return 0;
    memcpy(string, data, bytes);
    string[bytes] = '\0';
    unsigned told = 0;
    gmt_options_init(&options);
    if (gmt_options_parse(&options, string, expect_sentence, &told) != told)
        abort();
    check_text(&options, options.dir);
    check_text(&options, options.output);
    check_text(&options, options.format);
    check_text(&options, options.render);
    check_text(&options, options.command);
    free(string);
    return 0;
}
