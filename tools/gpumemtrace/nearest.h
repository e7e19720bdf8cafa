/* Which known word a mistyped one was meant to be. */
#ifndef GMT_TOOLS_NEAREST_H
#define GMT_TOOLS_NEAREST_H

#include <stddef.h>

/* The best so far; start with {.word = NULL}. */
struct gmt_nearest {
    const char *word;
    size_t distance;
};

/* Offers `candidate` for `typed`. Far-fetched ones, more than half of the letters apart, are not taken. */
void gmt_nearest_offer(struct gmt_nearest *nearest, const char *typed, const char *candidate);

#endif
