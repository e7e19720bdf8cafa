/* Text put together in a fixed buffer: no allocation, no locale, no stdio. What does not fit is cut and marked. */
#ifndef GMT_BASE_TEXT_H
#define GMT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gmt_text {
    char *data; /* always ends with NUL */
    size_t capacity;
    size_t length;
    bool cut;
};

/* An empty text over `buffer`, which must outlive it; capacity >= 1. */
struct gmt_text gmt_text_over(char *buffer, size_t capacity);

void gmt_text_add(struct gmt_text *text, const char *string);
void gmt_text_add_part(struct gmt_text *text, const char *string, size_t bytes);
void gmt_text_add_decimal(struct gmt_text *text, uint64_t number);
void gmt_text_add_signed(struct gmt_text *text, int64_t number);
void gmt_text_add_hex(struct gmt_text *text, uint64_t number);

/* A size in bytes for people: "512 bytes", "1.50 MiB", "139.8 GiB". */
void gmt_text_add_size(struct gmt_text *text, uint64_t bytes);

#endif
