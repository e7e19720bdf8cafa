#include "report/heap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (256u * 1024)
#define ALIGNMENT 16u

struct gmt_heap_chunk {
    struct gmt_heap_chunk *older;
    _Alignas(ALIGNMENT) char data[];
};

void gmt_heap_exhausted(void)
{
    fputs("gpumemtrace: the host's memory is used up, so no report could be made; give the command more memory "
          "(ulimit -v, the container's limit) and run it again\n",
          stderr);
    exit(125);
}

/* calloc, because large pieces then cost no memory before they are written to. */
static void add_chunk(struct gmt_heap *heap, size_t bytes)
{
    struct gmt_heap_chunk *chunk = calloc(1, sizeof *chunk + bytes);
    if (!chunk)
        gmt_heap_exhausted();
    chunk->older = heap->chunks;
    heap->chunks = chunk;
    heap->capacity = bytes;
    heap->used = 0;
}

void *gmt_heap_take(struct gmt_heap *heap, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - CHUNK_BYTES)
        gmt_heap_exhausted();
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (!heap->chunks || heap->capacity - heap->used < bytes)
        add_chunk(heap, bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES);
    void *piece = heap->chunks->data + heap->used;
    heap->used += bytes;
    return piece;
}

const char *gmt_heap_copy(struct gmt_heap *heap, const char *string)
{
    if (!string)
        return NULL;
    size_t bytes = strlen(string) + 1;
    return memcpy(gmt_heap_take(heap, bytes, 1), string, bytes);
}

const char *gmt_heap_print(struct gmt_heap *heap, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return "";
    char *string = gmt_heap_take(heap, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(string, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return string;
}

void gmt_heap_drop(struct gmt_heap *heap)
{
    while (heap->chunks) {
        struct gmt_heap_chunk *older = heap->chunks->older;
        free(heap->chunks);
        heap->chunks = older;
    }
    heap->used = heap->capacity = 0;
}
