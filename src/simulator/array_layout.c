/* How large arrays are: from format, channels and extents to rows of bytes, for levels and planes too. */
#include <stdlib.h>

#include "simulator/array.h"

struct format {
    CUarray_format format;
    unsigned int channels, bytes, edge;
};

struct planar {
    CUarray_format format;
    unsigned int bytes, across, down, chroma_planes;
    CUarray_format plane;
};

static const struct format formats[] = {
#define GMT_SIM_FORMAT(format, channels, bytes, edge) {format, channels, bytes, edge},
#define GMT_SIM_PLANAR(format, bytes, across, down, planes, plane)
#include "simulator/array_formats.def"
#undef GMT_SIM_FORMAT
#undef GMT_SIM_PLANAR
};

static const struct planar planars[] = {
#define GMT_SIM_FORMAT(format, channels, bytes, edge)
#define GMT_SIM_PLANAR(format, bytes, across, down, planes, plane) {format, bytes, across, down, planes, plane},
#include "simulator/array_formats.def"
#undef GMT_SIM_FORMAT
#undef GMT_SIM_PLANAR
};

enum { FORMATS = sizeof formats / sizeof *formats, PLANARS = sizeof planars / sizeof *planars };

static const struct format *find_format(CUarray_format wanted, unsigned int channels)
{
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i].format != wanted)
            continue;
        bool any = formats[i].channels == 0 && (channels == 1 || channels == 2 || channels == 4);
        return any || formats[i].channels == channels ? &formats[i] : NULL;
    }
    return NULL;
}

static const struct planar *find_planar(CUarray_format wanted)
{
    for (int i = 0; i < PLANARS; i++) {
        if (planars[i].format == wanted)
            return &planars[i];
    }
    return NULL;
}

uint64_t gmt_sim_format_bytes(CUarray_format wanted, unsigned int channels)
{
    const struct format *format = find_format(wanted, channels);
    return format ? format->bytes * (format->channels ? 1ull : channels) : 0;
}

/* The largest arrays of each shape: the device's texture limits (device_attributes.def). */
struct limit {
    uint64_t width, height, depth;
};
static const struct limit line = {131072, 0, 0}, image = {131072, 65536, 0}, volume = {16384, 16384, 16384},
                          layered_line = {32768, 0, 2048}, layered_image = {32768, 32768, 2048},
                          cube = {32768, 32768, 6}, layered_cube = {32768, 32768, 2046};

static const struct limit *limit_of(const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked)
{
    bool layered = asked->Flags & CUDA_ARRAY3D_LAYERED;
    if (asked->Flags & CUDA_ARRAY3D_CUBEMAP)
        return layered ? &layered_cube : &cube;
    if (layered)
        return asked->Height ? &layered_image : &layered_line;
    if (asked->Depth)
        return &volume;
    return asked->Height ? &image : &line;
}

static bool shape_valid(const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked)
{
    const struct limit *limit = limit_of(asked);
    bool layered = asked->Flags & CUDA_ARRAY3D_LAYERED, cubemap = asked->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (asked->Width == 0 || asked->Width > limit->width || asked->Height > limit->height)
        return false;
    if (asked->Depth > limit->depth || (layered && asked->Depth == 0))
        return false;
    if (!layered && asked->Depth > 0 && asked->Height == 0)
        return false;
    if (cubemap && (asked->Width != asked->Height || asked->Depth == 0 || asked->Depth % 6 != 0))
        return false;
    if ((asked->Flags & CUDA_ARRAY3D_TEXTURE_GATHER) && (asked->Height == 0 || asked->Depth > 0))
        return false;
    const unsigned int known = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                               CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_DEPTH_TEXTURE |
                               CUDA_ARRAY3D_COLOR_ATTACHMENT | CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING |
                               CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    const unsigned int later = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;
    return (asked->Flags & ~known) == 0 && (asked->Flags & later) != later;
}

/* One array by itself; its memory begins at `offset` of the whole. */
static struct gmt_sim_array *lay_out(const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked, struct gmt_sim_array *whole,
                                     uint64_t offset)
{
    const struct format *format = find_format(asked->Format, asked->NumChannels);
    struct gmt_sim_array *array = calloc(1, sizeof *array);
    if (!array)
        return NULL;
    array->asked = *asked;
    array->whole = whole;
    array->offset = offset;
    if (format) {
        uint64_t across = (asked->Width + format->edge - 1) / format->edge;
        uint64_t down = asked->Height ? (asked->Height + format->edge - 1) / format->edge : 1;
        array->extent.row_bytes = across * gmt_sim_format_bytes(asked->Format, asked->NumChannels);
        array->extent.rows = down;
        array->extent.layers = asked->Depth ? asked->Depth : 1;
        array->bytes = array->extent.row_bytes * down * array->extent.layers;
    }
    return array;
}

static bool add_part(struct gmt_sim_array *whole, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked)
{
    struct gmt_sim_array *part = lay_out(asked, whole, whole->bytes);
    if (!part)
        return false;
    whole->parts[whole->part_count++] = part;
    whole->bytes += part->bytes;
    return true;
}

static bool add_planes(struct gmt_sim_array *array, const struct planar *planar)
{
    CUDA_ARRAY3D_DESCRIPTOR_v2 plane = array->asked;
    plane.Format = planar->plane;
    plane.NumChannels = 1;
    bool added = add_part(array, &plane);
    plane.NumChannels = planar->chroma_planes == 1 ? 2 : 1;
    plane.Width = (plane.Width + planar->across - 1) / planar->across;
    plane.Height = (plane.Height + planar->down - 1) / planar->down;
    for (unsigned int i = 0; i < planar->chroma_planes && added; i++)
        added = add_part(array, &plane);
    return added;
}

static uint64_t halve(uint64_t extent, unsigned int times)
{
    return extent == 0 ? 0 : extent >> times ? extent >> times : 1;
}

/* More levels than there are halvings are none, as documented: the number is clamped. */
static bool add_levels(struct gmt_sim_array *array, unsigned int levels)
{
    bool layers = array->asked.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    uint64_t longest = array->asked.Width > array->asked.Height ? array->asked.Width : array->asked.Height;
    if (!layers && array->asked.Depth > longest)
        longest = array->asked.Depth;
    for (unsigned int i = 0; i < levels && i < GMT_SIM_ARRAY_PARTS && longest >> i; i++) {
        CUDA_ARRAY3D_DESCRIPTOR_v2 level = array->asked;
        level.Width = halve(level.Width, i);
        level.Height = halve(level.Height, i);
        level.Depth = layers ? level.Depth : halve(level.Depth, i);
        if (!add_part(array, &level))
            return false;
    }
    return true;
}

void gmt_sim_array_free(struct gmt_sim_array *array)
{
    for (int i = 0; i < array->part_count; i++)
        free(array->parts[i]);
    free(array);
}

CUresult gmt_sim_array_describe(const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked, unsigned int levels,
                                struct gmt_sim_array **array_out)
{
    const struct planar *planar = find_planar(asked->Format);
    /* Without its flag video is refused (measured). */
    bool video = asked->NumChannels == 3 && asked->Height > 0 && (asked->Flags & CUDA_ARRAY3D_VIDEO_ENCODE_DECODE);
    bool known = planar ? video : gmt_sim_format_bytes(asked->Format, asked->NumChannels) > 0;
    if (!known || !shape_valid(asked) || (planar && levels > 0))
        return CUDA_ERROR_INVALID_VALUE;
    struct gmt_sim_array *array = lay_out(asked, NULL, 0);
    if (!array)
        return CUDA_ERROR_OUT_OF_MEMORY;
    bool complete = true;
    if (levels > 0) {
        array->mipmapped = true;
        array->bytes = 0; /* of the levels, which are added up */
        complete = add_levels(array, levels);
    } else if (planar) {
        complete = add_planes(array, planar);
    }
    if (!complete) {
        gmt_sim_array_free(array);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *array_out = array;
    return CUDA_SUCCESS;
}
