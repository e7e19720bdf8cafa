/* See array_bytes.h. */
#include "hook/array_bytes.h"

#include <stdbool.h>
#include <stddef.h>

/* What a format takes: `bits` for each element of each channel, or for each element whatever the channels say; block-
 * compressed formats take 4 x 4 elements at a time. Source: the descriptions of CUarray_format in cuda.h. */
struct format {
    CUarray_format format;
    uint8_t bits;
    bool whole;    /* `bits` hold all channels */
    uint8_t block; /* extents are rounded up to it */
};

static const struct format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, false, 1},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, false, 1},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, false, 1},
    {CU_AD_FORMAT_SIGNED_INT8, 8, false, 1},
    {CU_AD_FORMAT_SIGNED_INT16, 16, false, 1},
    {CU_AD_FORMAT_SIGNED_INT32, 32, false, 1},
    {CU_AD_FORMAT_HALF, 16, false, 1},
    {CU_AD_FORMAT_FLOAT, 32, false, 1},
    {CU_AD_FORMAT_NV12, 12, true, 1},
    {CU_AD_FORMAT_UNORM_INT8X1, 8, true, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, 16, true, 1},
    {CU_AD_FORMAT_UNORM_INT8X4, 32, true, 1},
    {CU_AD_FORMAT_UNORM_INT16X1, 16, true, 1},
    {CU_AD_FORMAT_UNORM_INT16X2, 32, true, 1},
    {CU_AD_FORMAT_UNORM_INT16X4, 64, true, 1},
    {CU_AD_FORMAT_SNORM_INT8X1, 8, true, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, 16, true, 1},
    {CU_AD_FORMAT_SNORM_INT8X4, 32, true, 1},
    {CU_AD_FORMAT_SNORM_INT16X1, 16, true, 1},
    {CU_AD_FORMAT_SNORM_INT16X2, 32, true, 1},
    {CU_AD_FORMAT_SNORM_INT16X4, 64, true, 1},
    {CU_AD_FORMAT_BC1_UNORM, 4, true, 4},
    {CU_AD_FORMAT_BC1_UNORM_SRGB, 4, true, 4},
    {CU_AD_FORMAT_BC2_UNORM, 8, true, 4},
    {CU_AD_FORMAT_BC2_UNORM_SRGB, 8, true, 4},
    {CU_AD_FORMAT_BC3_UNORM, 8, true, 4},
    {CU_AD_FORMAT_BC3_UNORM_SRGB, 8, true, 4},
    {CU_AD_FORMAT_BC4_UNORM, 4, true, 4},
    {CU_AD_FORMAT_BC4_SNORM, 4, true, 4},
    {CU_AD_FORMAT_BC5_UNORM, 8, true, 4},
    {CU_AD_FORMAT_BC5_SNORM, 8, true, 4},
    {CU_AD_FORMAT_BC6H_UF16, 8, true, 4},
    {CU_AD_FORMAT_BC6H_SF16, 8, true, 4},
    {CU_AD_FORMAT_BC7_UNORM, 8, true, 4},
    {CU_AD_FORMAT_BC7_UNORM_SRGB, 8, true, 4},
    {CU_AD_FORMAT_P010, 24, true, 1},
    {CU_AD_FORMAT_P016, 24, true, 1},
    {CU_AD_FORMAT_NV16, 16, true, 1},
    {CU_AD_FORMAT_P210, 32, true, 1},
    {CU_AD_FORMAT_P216, 32, true, 1},
    {CU_AD_FORMAT_YUY2, 32, true, 1},
    {CU_AD_FORMAT_Y210, 64, true, 1},
    {CU_AD_FORMAT_Y216, 64, true, 1},
    {CU_AD_FORMAT_AYUV, 32, true, 1},
    {CU_AD_FORMAT_Y410, 32, true, 1},
    {CU_AD_FORMAT_Y416, 64, true, 1},
    {CU_AD_FORMAT_Y444_PLANAR8, 24, true, 1},
    {CU_AD_FORMAT_Y444_PLANAR10, 48, true, 1},
    {CU_AD_FORMAT_YUV444_8bit_SemiPlanar, 24, true, 1},
    {CU_AD_FORMAT_YUV444_16bit_SemiPlanar, 48, true, 1},
    {CU_AD_FORMAT_UNORM_INT_101010_2, 32, true, 1},
};

static uint64_t round_up(uint64_t value, unsigned step)
{
    return value > UINT64_MAX - step ? UINT64_MAX : (value + step - 1) / step * step;
}

/* Bytes of one level. Extents of 0 are absent dimensions. */
static uint64_t level_bytes(CUarray_format format, unsigned channels, uint64_t width, uint64_t height, uint64_t depth)
{
    const struct format *row = NULL;
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0] && !row; i++)
        row = formats[i].format == format ? &formats[i] : NULL;
    if (!row)
        return 0;
    uint64_t bits = row->whole ? row->bits : (uint64_t)row->bits * channels;
    uint64_t area = gmt_area(round_up(width, row->block), round_up(height ? height : 1, row->block));
    uint64_t all_bits = gmt_area(gmt_area(area, depth ? depth : 1), bits);
    return all_bits == UINT64_MAX ? all_bits : all_bits / 8;
}

uint64_t gmt_array_bytes(const CUDA_ARRAY_DESCRIPTOR *array)
{
    return array ? level_bytes(array->Format, array->NumChannels, array->Width, array->Height, 1) : 0;
}

uint64_t gmt_array_v1_bytes(const CUDA_ARRAY_DESCRIPTOR_v1 *array)
{
    return array ? level_bytes(array->Format, array->NumChannels, array->Width, array->Height, 1) : 0;
}

uint64_t gmt_array_3d_v1_bytes(const CUDA_ARRAY3D_DESCRIPTOR_v1 *array)
{
    return array ? level_bytes(array->Format, array->NumChannels, array->Width, array->Height, array->Depth) : 0;
}

static uint64_t halved(uint64_t extent, unsigned times)
{
    return extent >> times ? extent >> times : extent != 0;
}

uint64_t gmt_array_3d_bytes(const CUDA_ARRAY3D_DESCRIPTOR *array, unsigned levels)
{
    /* Sparse arrays and those to be mapped later have no memory of their own. */
    if (!array || array->Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING))
        return 0;
    bool layered = array->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < levels && i < 64; i++) {
        uint64_t level = level_bytes(array->Format, array->NumChannels, halved(array->Width, i),
                                     halved(array->Height, i), layered ? array->Depth : halved(array->Depth, i));
        if (__builtin_add_overflow(bytes, level, &bytes))
            return UINT64_MAX;
    }
    return bytes;
}
