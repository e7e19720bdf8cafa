#include "complaint.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/lines.h"
#include "report/sentence.h"

void gmt_complain(const char *format, ...)
{
    char sentence[GMT_SENTENCE_BYTES + 256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    struct gmt_lines lines = {stderr, false};
    gmt_lines_add(&lines, GMT_STYLE_PLAIN, "gpumemtrace: %s", sentence);
}
