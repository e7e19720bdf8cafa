/* The command line, parsed by the tables verbs.def and flags.def. */
#ifndef GMT_TOOLS_ARGUMENTS_H
#define GMT_TOOLS_ARGUMENTS_H

#include <stdbool.h>

#include "report/writers.h"
#include "symbol_search.h"

#define GMT_FORMATS_MAX 16
#define GMT_NUMBER_UNSET (-1)

enum gmt_verb {
#define GMT_VERB(name, arguments, help) GMT_VERB_##name,
#include "verbs.def"
#undef GMT_VERB
    GMT_VERB_COUNT
};

/* One -f: a format and where to, NULL for the verb's usual place. */
struct gmt_format_choice {
    const struct gmt_writer *writer;
    const char *pattern;
};

struct gmt_arguments {
    bool leak_check, full, full_stacks, brief, last, at_exit, keep, leak_status;
    const char *output, *simulate;    /* or NULL */
    int error_exitcode, oom, verbose; /* or GMT_NUMBER_UNSET */
    struct gmt_format_choice formats[GMT_FORMATS_MAX];
    unsigned format_count;
    struct gmt_symbol_search search; /* --symbols and --sysroot; not checked yet */
    char *settings; /* options of the library given as flags, "key='value':key='value'", or NULL; from malloc */
    char **rest;    /* what follows the options; ends with NULL */
    int rest_count;
};

/* Parses what follows the verb. Options end at "--" or, for `run`, at the first word that is none; `report` takes them
 * anywhere. On a mistake complains and returns false. Strings point into `words`. */
bool gmt_arguments_parse(enum gmt_verb verb, int count, char **words, struct gmt_arguments *arguments_out);

/* The verb with that name, or GMT_VERB_COUNT. */
enum gmt_verb gmt_verb_find(const char *name);

/* The verb's name that is most like `name`, or NULL when none is. */
const char *gmt_verb_nearest(const char *name);

/* Writes the help of the command, or of one verb, to `file`. */
void gmt_help_command(FILE *file);
void gmt_help_verb(enum gmt_verb verb, FILE *file);

#endif
