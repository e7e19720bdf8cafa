/* Text in a fixed buffer. Own loops: the hooks use this where libc's string functions may be intercepted. */
#include "base/text.h"

struct gmt_text gmt_text_over(char *buffer, size_t capacity)
{
    buffer[0] = '\0';
    return (struct gmt_text){.data = buffer, .capacity = capacity};
}

void gmt_text_add_part(struct gmt_text *text, const char *string, size_t bytes)
{
    size_t room = text->capacity - 1 - text->length;
    if (bytes > room) {
        bytes = room;
        text->cut = true;
    }
    for (size_t i = 0; i < bytes; i++)
        text->data[text->length + i] = string[i];
    text->length += bytes;
    text->data[text->length] = '\0';
}

void gmt_text_add(struct gmt_text *text, const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    gmt_text_add_part(text, string, length);
}

static void add_number(struct gmt_text *text, uint64_t number, unsigned radix)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[number % radix];
        number /= radix;
    } while (number != 0);
    gmt_text_add_part(text, digits + at, sizeof digits - at);
}

void gmt_text_add_decimal(struct gmt_text *text, uint64_t number)
{
    add_number(text, number, 10);
}

void gmt_text_add_signed(struct gmt_text *text, int64_t number)
{
    if (number < 0)
        gmt_text_add(text, "-");
    add_number(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

void gmt_text_add_hex(struct gmt_text *text, uint64_t number)
{
    gmt_text_add(text, "0x");
    add_number(text, number, 16);
}

void gmt_text_add_size(struct gmt_text *text, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        gmt_text_add_decimal(text, bytes);
        gmt_text_add(text, bytes == 1 ? " byte" : " bytes");
        return;
    }
    unsigned unit = 0;
    while (unit < 5 && bytes >> (10 * (unit + 1)) >= 1024)
        unit++;
    unsigned shift = 10 * (unit + 1);
    uint64_t whole = bytes >> shift;
    /* The fraction's top ten bits are enough for two digits and keep the product far from overflow. */
    uint64_t fraction = (bytes >> (shift - 10)) & 1023;
    unsigned decimals = whole < 100 ? 2 : 1;
    uint64_t scale = decimals == 2 ? 100 : 10;
    uint64_t digits = (fraction * scale + 512) / 1024;
    if (digits == scale) { /* rounded up into the next whole number, perhaps into the next magnitude */
        digits = 0;
        whole++;
        if (whole == 100)
            decimals = 1;
        if (whole == 1024 && unit < 5) {
            whole = 1;
            decimals = 2;
            unit++;
        }
    }
    gmt_text_add_decimal(text, whole);
    gmt_text_add(text, ".");
    if (decimals == 2 && digits < 10)
        gmt_text_add(text, "0");
    gmt_text_add_decimal(text, digits);
    gmt_text_add(text, " ");
    gmt_text_add(text, units[unit]);
}
