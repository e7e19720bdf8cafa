/* Frames, call stacks and callers in words, for lines and sentences. Every function returns a string in `heap`. */
#ifndef GMT_REPORT_STACK_WORDS_H
#define GMT_REPORT_STACK_WORDS_H

#include "report/model.h"

/* "load", or "libfoo.so+0x1a2b". */
const char *gmt_words_frame(struct gmt_heap *heap, const struct gmt_frame *frame);

/* "src/loader.c:142", or what is known instead. Files below where the program ran are named from there. */
const char *gmt_words_frame_place(struct gmt_heap *heap, const struct gmt_process *process,
                                  const struct gmt_frame *frame);

/* "cudaMalloc in load (src/loader.c:142) < main (src/main.c:20)": the first frames of a call. `stack` may be NULL. */
const char *gmt_words_call(struct gmt_heap *heap, const struct gmt_process *process, const char *api,
                           const struct gmt_stack *stack);

/* The same of a caller; "an unknown caller" when nobody was seen. */
const char *gmt_words_caller(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_caller *caller);

/* The same of a site, which tells it from others. */
const char *gmt_words_site(struct gmt_heap *heap, const struct gmt_process *process, const struct gmt_site *site);

#endif
