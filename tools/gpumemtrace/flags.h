/* The tables verbs.def and flags.def as data, for the parser and the help. */
#ifndef GMT_TOOLS_FLAGS_H
#define GMT_TOOLS_FLAGS_H

#include <stddef.h>

#include "arguments.h"
#include "base/options.h"

enum gmt_flag_type { GMT_FLAG_BOOL, GMT_FLAG_TEXT, GMT_FLAG_NUMBER, GMT_FLAG_FORMAT, GMT_FLAG_FOLDER };

struct gmt_flag {
    enum gmt_verb verb;
    enum gmt_flag_type type;
    size_t offset; /* of the member of struct gmt_arguments */
    const char *name;
    char letter; /* or NUL */
    const char *argument;
    const char *help;
};

struct gmt_verb_row {
    const char *name, *arguments, *help;
};

extern const struct gmt_flag gmt_flags[];
extern const size_t gmt_flag_count;
extern const struct gmt_verb_row gmt_verb_rows[GMT_VERB_COUNT];

/* The option of `verb` whose name is the first `length` letters of `name`, or with that letter; NULL when there is
 * none. */
const struct gmt_flag *gmt_flag_find(enum gmt_verb verb, const char *name, size_t length);
const struct gmt_flag *gmt_flag_find_letter(enum gmt_verb verb, char letter);

/* The options of the library that `run` takes as well, one after another; NULL starts and ends. */
const struct gmt_option_row *gmt_flag_next_setting(const struct gmt_option_row *after);

/* The option of the library whose name, with dashes for underscores, is the first `length` letters of `name`; or NULL.
 */
const struct gmt_option_row *gmt_flag_find_setting(const char *name, size_t length);

/* Writes the name of an option of the library as a flag: "max-blocks". */
void gmt_flag_setting_name(const struct gmt_option_row *row, char *name_out, size_t capacity);

/* Of all options of the verb the one most like `typed`, without dashes in front; NULL when none is. The result may lie
 * in `buffer`. */
const char *gmt_flag_nearest(enum gmt_verb verb, const char *typed, char *buffer, size_t capacity);

#endif
