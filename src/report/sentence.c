#include "report/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/errors.h"

int gmt_sentence_refuse(struct gmt_sentence *sentence, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence->text, sizeof sentence->text, format, arguments);
    va_end(arguments);
    return -GMT_E_INVALID;
}
