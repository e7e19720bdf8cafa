/* Memory of one report: taken piece by piece, given back all at once. For the command only, never in a traced process.
 */
#ifndef GMT_REPORT_HEAP_H
#define GMT_REPORT_HEAP_H

#include <stddef.h>

struct gmt_heap_chunk;

/* All zero is an empty heap. Not thread-safe. */
struct gmt_heap {
    struct gmt_heap_chunk *chunks;
    size_t used;     /* bytes handed out of the newest chunk */
    size_t capacity; /* bytes it has */
};

/* `count` zeroed elements of `size` bytes each, aligned for any type; never NULL. When the host has no memory left
 * there is nothing to report with: says so on standard error and ends the command with exit code 125. */
void *gmt_heap_take(struct gmt_heap *heap, size_t count, size_t size);

/* A copy of `string`; NULL stays NULL. */
const char *gmt_heap_copy(struct gmt_heap *heap, const char *string);

/* A new string, formatted as by printf. */
const char *gmt_heap_print(struct gmt_heap *heap, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives everything back; the heap is empty again. */
void gmt_heap_drop(struct gmt_heap *heap);

/* What gmt_heap_take does when there is no memory; for other allocations of the command. Does not return. */
void gmt_heap_exhausted(void) __attribute__((noreturn));

#endif
