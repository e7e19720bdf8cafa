#include "report/lines.h"

#include <stdarg.h>
#include <stdlib.h>

#include "report/heap.h"
#include "report/utf8.h"

/* C1 controls, U+0080 to U+009F, steer terminals as the ASCII ones do. */
static bool is_control(const char *at, size_t length)
{
    unsigned char first = (unsigned char)at[0];
    if (length == 1)
        return first < 0x20 || first == 0x7F;
    return length == 2 && first == 0xC2 && (unsigned char)at[1] < 0xA0;
}

static void put(FILE *file, const char *string)
{
    while (*string != '\0') {
        size_t length = gmt_utf8_length(string);
        if (length > 0 && !is_control(string, length)) {
            fwrite(string, 1, length, file);
        } else {
            length = length ? length : 1;
            for (size_t i = 0; i < length; i++)
                fprintf(file, "\\x%02x", (unsigned char)string[i]);
        }
        string += length;
    }
}

void gmt_lines_add(struct gmt_lines *lines, enum gmt_style style, const char *format, ...)
{
    static const char *const codes[] = {"", "\033[1;32m", "\033[1;31m", "\033[1m", "\033[2m"};
    char *line;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        gmt_heap_exhausted();
    bool styled = lines->colour && style != GMT_STYLE_PLAIN;
    if (styled)
        fputs(codes[style], lines->file);
    put(lines->file, line);
    if (styled)
        fputs("\033[0m", lines->file);
    fputc('\n', lines->file);
    free(line);
}

void gmt_lines_space(struct gmt_lines *lines)
{
    fputc('\n', lines->file);
}
