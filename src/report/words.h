/* Numbers and counted nouns as a person reads them. Every function returns a string in `heap`. */
#ifndef GMT_REPORT_WORDS_H
#define GMT_REPORT_WORDS_H

#include <stdint.h>

#include "report/model.h"

/* "1.50 MiB", "1 byte". */
const char *gmt_words_size(struct gmt_heap *heap, uint64_t bytes);

/* "1,204". */
const char *gmt_words_number(struct gmt_heap *heap, uint64_t number);

/* "1 block", "1,204 blocks": `noun` in the singular; the plural takes an s. */
const char *gmt_words_count(struct gmt_heap *heap, uint64_t number, const char *noun);

/* "0.012 s", "4.2 s", "3 min 20 s", "2 h 5 min". */
const char *gmt_words_time(struct gmt_heap *heap, uint64_t nanoseconds);

/* "device 0 (NVIDIA H200)"; "no device" for NULL. */
const char *gmt_words_device(struct gmt_heap *heap, const struct gmt_device *device);

/* "CUDA_ERROR_OUT_OF_MEMORY (2)" for a CUresult. */
const char *gmt_words_result(struct gmt_heap *heap, int32_t code);

/* " 60 %" of a whole, "<1 %" for a little; whole 0 gives "  0 %". Always four characters wide before the sign. */
const char *gmt_words_share(struct gmt_heap *heap, uint64_t part, uint64_t whole);

#endif
