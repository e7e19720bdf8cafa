/* Where a string stops being UTF-8. */
#ifndef GMT_REPORT_UTF8_H
#define GMT_REPORT_UTF8_H

#include <stddef.h>

/* Length of the valid UTF-8 sequence that starts at `string` (1 to 4; no surrogates, no overlong forms, none above
 * U+10FFFF), or 0 when the byte there starts none. A NUL counts as none. */
size_t gmt_utf8_length(const char *string);

/* Characters that a terminal shows for `string`, for padding: invalid bytes and control characters count as the four of
 * \xNN. Double-width characters count as one. */
size_t gmt_utf8_columns(const char *string);

#endif
