/* Looks channel descriptions up in channel_formats.def. */
#include "simulator/runtime/channel_format.h"

/* `bits` 0: the four numbers and the channel count say it all. */
static const struct row {
    enum cudaChannelFormatKind kind;
    int bits, each[4];
    CUarray_format format;
    unsigned int channels;
} rows[] = {
#define GMT_RT_CHANNEL(kind, bits, format) {kind, bits, {0}, format, 0},
#define GMT_RT_CHANNELS(kind, x, y, z, w, format, channels) {kind, 0, {x, y, z, w}, format, channels},
#include "simulator/runtime/channel_formats.def"
};

/* The sizes of elements follow from the bits, but for compressed blocks and packed video. */
static const struct {
    CUarray_format first, last;
    size_t bytes;
} blocks[] = {
    {CU_AD_FORMAT_BC1_UNORM, CU_AD_FORMAT_BC1_UNORM_SRGB, 8},
    {CU_AD_FORMAT_BC2_UNORM, CU_AD_FORMAT_BC3_UNORM_SRGB, 16},
    {CU_AD_FORMAT_BC4_UNORM, CU_AD_FORMAT_BC4_SNORM, 8},
    {CU_AD_FORMAT_BC5_UNORM, CU_AD_FORMAT_BC7_UNORM_SRGB, 16},
};

enum { ROWS = sizeof rows / sizeof *rows, BLOCKS = sizeof blocks / sizeof *blocks };

/* The number of channels that have `bits` bits, when no other size occurs and no hole; 0 otherwise. */
static unsigned int count_equal(const int each[4], int bits)
{
    unsigned int count = 0;
    while (count < 4 && each[count] == bits)
        count++;
    for (unsigned int i = count; i < 4; i++) {
        if (each[i] != 0)
            return 0;
    }
    return count;
}

cudaError_t gmt_rt_format_of(const struct cudaChannelFormatDesc *channels, CUarray_format *format_out,
                             unsigned int *count_out)
{
    const int each[4] = {channels->x, channels->y, channels->z, channels->w};
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].kind != channels->f)
            continue;
        unsigned int count = rows[i].channels;
        for (int c = 0; c < 4 && rows[i].bits == 0; c++)
            count = each[c] == rows[i].each[c] ? count : 0;
        if (rows[i].bits != 0)
            count = count_equal(each, rows[i].bits);
        if (count == 0)
            continue;
        *format_out = rows[i].format;
        *count_out = count;
        return cudaSuccess;
    }
    return cudaErrorInvalidChannelDescriptor;
}

struct cudaChannelFormatDesc gmt_rt_channels_of(CUarray_format format, unsigned int count)
{
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].format != format)
            continue;
        int each[4];
        for (unsigned int c = 0; c < 4; c++)
            each[c] = rows[i].bits == 0 ? rows[i].each[c] : c < count ? rows[i].bits : 0;
        return (struct cudaChannelFormatDesc){each[0], each[1], each[2], each[3], rows[i].kind};
    }
    return (struct cudaChannelFormatDesc){.f = cudaChannelFormatKindNone};
}

size_t gmt_rt_element_bytes(CUarray_format format, unsigned int count)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (format >= blocks[i].first && format <= blocks[i].last)
            return blocks[i].bytes;
    }
    struct cudaChannelFormatDesc channels = gmt_rt_channels_of(format, count);
    return (size_t)(channels.x + channels.y + channels.z + channels.w) / 8;
}
