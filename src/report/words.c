#include "report/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const char *gmt_words_size(struct gmt_heap *heap, uint64_t bytes)
{
    char buffer[48];
    struct gmt_text text = gmt_text_over(buffer, sizeof buffer);
    gmt_text_add_size(&text, bytes);
    return gmt_heap_copy(heap, buffer);
}

const char *gmt_words_number(struct gmt_heap *heap, uint64_t number)
{
    char digits[24], grouped[32];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = grouped;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return gmt_heap_copy(heap, grouped);
}

const char *gmt_words_count(struct gmt_heap *heap, uint64_t number, const char *noun)
{
    return gmt_heap_print(heap, "%s %s%s", gmt_words_number(heap, number), noun, number == 1 ? "" : "s");
}

const char *gmt_words_time(struct gmt_heap *heap, uint64_t nanoseconds)
{
    uint64_t seconds = nanoseconds / 1000000000;
    if (seconds < 1)
        return gmt_heap_print(heap, "%.3f s", (double)nanoseconds / 1e9);
    if (seconds < 120)
        return gmt_heap_print(heap, "%.1f s", (double)nanoseconds / 1e9);
    if (seconds < 7200)
        return gmt_heap_print(heap, "%" PRIu64 " min %" PRIu64 " s", seconds / 60, seconds % 60);
    return gmt_heap_print(heap, "%" PRIu64 " h %" PRIu64 " min", seconds / 3600, seconds / 60 % 60);
}

const char *gmt_words_device(struct gmt_heap *heap, const struct gmt_device *device)
{
    if (!device)
        return "no device";
    if (!device->name)
        return gmt_heap_print(heap, "device %" PRIu32, device->ordinal);
    return gmt_heap_print(heap, "device %" PRIu32 " (%s)", device->ordinal, device->name);
}

const char *gmt_words_result(struct gmt_heap *heap, int32_t code)
{
    static const struct {
        int32_t code;
        const char *name;
    } results[] = {
#define GMT_RESULT(code, name) {code, #name},
#include "report/result_names.def"
#undef GMT_RESULT
    };
    for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++)
        if (results[i].code == code)
            return gmt_heap_print(heap, "%s (%" PRId32 ")", results[i].name, code);
    return gmt_heap_print(heap, "error %" PRId32, code);
}

const char *gmt_words_share(struct gmt_heap *heap, uint64_t part, uint64_t whole)
{
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    if (percent > 0 && percent < 1)
        return " <1 %";
    return gmt_heap_print(heap, "%3.0f %%", percent);
}
