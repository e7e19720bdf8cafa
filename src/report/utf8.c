#include "report/utf8.h"

#include <stdbool.h>

static bool continues(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Table 3-7 of the Unicode standard: the second byte's range depends on the first. */
size_t gmt_utf8_length(const char *string)
{
    const unsigned char *b = (const unsigned char *)string;
    if (b[0] >= 0x01 && b[0] <= 0x7F)
        return 1;
    if (b[0] >= 0xC2 && b[0] <= 0xDF)
        return continues(b[1]) ? 2 : 0;
    if (b[0] >= 0xE0 && b[0] <= 0xEF) {
        unsigned char low = b[0] == 0xE0 ? 0xA0 : 0x80;
        unsigned char high = b[0] == 0xED ? 0x9F : 0xBF;
        return b[1] >= low && b[1] <= high && continues(b[2]) ? 3 : 0;
    }
    if (b[0] >= 0xF0 && b[0] <= 0xF4) {
        unsigned char low = b[0] == 0xF0 ? 0x90 : 0x80;
        unsigned char high = b[0] == 0xF4 ? 0x8F : 0xBF;
        return b[1] >= low && b[1] <= high && continues(b[2]) && continues(b[3]) ? 4 : 0;
    }
    return 0;
}

size_t gmt_utf8_columns(const char *string)
{
    size_t columns = 0;
    while (*string != '\0') {
        size_t length = gmt_utf8_length(string);
        bool control = length == 1 && ((unsigned char)*string < 0x20 || *string == 0x7F);
        columns += length == 0 || control ? 4 : 1;
        string += length ? length : 1;
    }
    return columns;
}
