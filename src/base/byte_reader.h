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

/* The groups of seven bits of a LEB128 number (DWARF 5, section 7.6), how many bits they are, and the last byte. Bits
 * beyond 64 are dropped. */
static inline uint64_t gmt_reader_groups(struct gmt_byte_reader *reader, unsigned *bits_out, uint8_t *last_out)
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
    *bits_out = shift;
    *last_out = byte;
    return value;
}

/* An unsigned LEB128 number. */
static inline uint64_t gmt_reader_uleb(struct gmt_byte_reader *reader)
{
    unsigned bits;
    uint8_t last;
    return gmt_reader_groups(reader, &bits, &last);
}

/* A signed LEB128 number: the last byte's second bit is its sign. */
static inline int64_t gmt_reader_sleb(struct gmt_byte_reader *reader)
{
    unsigned bits;
    uint8_t last;
    uint64_t value = gmt_reader_groups(reader, &bits, &last);
    if (bits < 64 && (last & 0x40))
        value |= ~(uint64_t)0 << bits;
    return (int64_t)value;
}

#endif
