/* Reading encoded numbers from bytes that may be cut or hostile: past the end everything reads as 0 and `bad` is set.
 */
#ifndef GMT_BASE_BYTE_READER_H
#define GMT_BASE_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct gmt_byte_reader {
    const uint8_t *at;
    const uint8_t *end;
    bool bad;
};

static inline size_t gmt_reader_left(const struct gmt_byte_reader *reader)
{
    return reader->bad ? 0 : (size_t)(reader->end - reader->at);
}

/* A little-endian number of `bytes` (1, 2, 4 or 8) bytes. */
static inline uint64_t gmt_reader_fixed(struct gmt_byte_reader *reader, size_t bytes)
{
    uint64_t value = 0;
    if (gmt_reader_left(reader) < bytes) {
        reader->bad = true;
        return 0;
    }
    memcpy(&value, reader->at, bytes);
    reader->at += bytes;
    return value;
}

static inline void gmt_reader_skip(struct gmt_byte_reader *reader, uint64_t bytes)
{
    if (gmt_reader_left(reader) < bytes)
        reader->bad = true;
    else
        reader->at += bytes;
}

/* LEB128 (DWARF 5, section 7.6). Bits beyond 64 are dropped. */
static inline uint64_t gmt_reader_uleb(struct gmt_byte_reader *reader)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)gmt_reader_fixed(reader, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) && !reader->bad);
    return value;
}

static inline int64_t gmt_reader_sleb(struct gmt_byte_reader *reader)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = (uint8_t)gmt_reader_fixed(reader, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) && !reader->bad);
    if (shift < 64 && (byte & 0x40))
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

#endif
