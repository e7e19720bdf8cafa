/* Kinds and spaces as reports call them: rows of track/trace_kinds.def and of GMT_SPACES. */
#ifndef GMT_REPORT_KINDS_H
#define GMT_REPORT_KINDS_H

#include <stdbool.h>

#include "report/heap.h"
#include "track/trace_file.h"

/* Name for JSON and words for sentences of each value. */
const char *gmt_kind_json(enum gmt_kind kind);
const char *gmt_kind_words(enum gmt_kind kind);
const char *gmt_space_json(enum gmt_space space);
const char *gmt_space_words(enum gmt_space space);

enum gmt_space gmt_kind_space(enum gmt_kind kind);

/* What is left of it at the end is a leak. */
bool gmt_kind_leaks(enum gmt_kind kind);

/* What is left of it at the end is listed, and no leak. */
bool gmt_kind_is_object(enum gmt_kind kind);

/* It is memory: counted in bytes that somebody lacks. */
bool gmt_space_is_memory(enum gmt_space space);

/* "an event", "a library of device code", "device memory": one thing of a kind. */
const char *gmt_kind_one(struct gmt_heap *heap, enum gmt_kind kind);

/* "1 event", "1,204 libraries of device code": a count of things of an object's kind. */
const char *gmt_kind_count(struct gmt_heap *heap, uint64_t number, enum gmt_kind kind);

#endif
