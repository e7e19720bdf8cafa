/* Sizes as people type them. */
#ifndef GMT_TOOLS_SIZE_H
#define GMT_TOOLS_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* "8GiB", "1.5G", "512m", "1048576": a number and K, M, G or T, alone or followed by iB or B; all count in 1024s. False
 * for anything else, for 0, and for what does not fit. */
bool gmt_size_parse(const char *text, uint64_t *bytes_out);

#endif
