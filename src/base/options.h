/* Settings, from GPUMEMTRACE_OPTIONS ("key=value:key=value"). The one table is options.def. */
#ifndef GMT_BASE_OPTIONS_H
#define GMT_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GMT_OPTIONS_VARIABLE "GPUMEMTRACE_OPTIONS"
#define GMT_OPTIONS_TEXT_BYTES 8192

typedef bool gmt_option_BOOL;
typedef uint32_t gmt_option_U32;
typedef uint64_t gmt_option_U64;
typedef const char *gmt_option_STR;

/* One member per row of options.def. Do not copy: text members point into `text`. */
struct gmt_options {
#define GMT_OPTION(type, name, standard, unit, help) gmt_option_##type name;
#include "base/options.def"
#undef GMT_OPTION
    char text[GMT_OPTIONS_TEXT_BYTES]; /* storage of the text values */
    size_t text_used;
};

/* Receives one complete sentence about one mistake, without a line end. */
typedef void gmt_complain_fn(void *argument, const char *sentence);

/* Sets every member to its default. */
void gmt_options_init(struct gmt_options *options);

/* Applies `string`; of two equal keys the later one wins. A value may stand in '…' or "…" and may then contain ':'.
 * Each unknown key, malformed value and unfinished quote is told to `complain` and skipped. Returns how many there
 * were. Calls no libc function; safe before main. */
unsigned gmt_options_parse(struct gmt_options *options, const char *string, gmt_complain_fn *complain, void *argument);

/* One row of the table as text, for help, README and command line. */
struct gmt_option_row {
    const char *type; /* "BOOL", "U32", "U64" or "STR" */
    const char *name;
    const char *standard; /* the default, as text */
    const char *unit;
    const char *help;
};

/* The table; its last row has name NULL. */
extern const struct gmt_option_row gmt_option_rows[];

#endif
