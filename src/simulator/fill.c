/* Filling memory with a value of 1, 2 or 4 bytes; every name and variant comes down to one function. */
#include "simulator/fill.h"

#include <string.h>

#include "simulator/capture.h"
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/stream.h"
#include "simulator/transfer.h"

static void fill_row(char *target, uint32_t value, unsigned int unit, uint64_t count)
{
    if (unit == 1) {
        memset(target, (int)(value & 0xff), count);
        return;
    }
    for (uint64_t i = 0; i < count; i++)
        memcpy(target + i * unit, &value, unit);
}

bool gmt_sim_fill_possible(const CUDA_MEMSET_NODE_PARAMS_v2 *fill)
{
    unsigned int unit = fill->elementSize;
    if (unit != 1 && unit != 2 && unit != 4)
        return false;
    bool aligned = fill->dst % unit == 0 && (fill->height <= 1 || fill->pitch % unit == 0);
    return aligned && fill->dst != 0 && fill->width <= UINT64_MAX / unit;
}

CUresult gmt_sim_fill_now(const CUDA_MEMSET_NODE_PARAMS_v2 *fill)
{
    if (fill->width == 0 || fill->height == 0)
        return CUDA_SUCCESS;
    struct gmt_sim_rows rows = {.side = GMT_SIM_ON_DEVICE, .address = fill->dst, .pitch = fill->pitch};
    if (!gmt_sim_fill_possible(fill) || !gmt_sim_rows_valid(&rows, fill->width * fill->elementSize, fill->height, 1))
        return CUDA_ERROR_INVALID_VALUE;
    for (uint64_t y = 0; y < fill->height; y++)
        fill_row((char *)(uintptr_t)(fill->dst + y * fill->pitch), fill->value, fill->elementSize, fill->width);
    return CUDA_SUCCESS;
}

static CUresult fill(uint64_t address, uint64_t pitch, uint32_t value, unsigned int unit, uint64_t width,
                     uint64_t height, CUstream handle, bool old)
{
    struct gmt_sim_stream *stream;
    CUgraphNodeParams params = {
        .type = CU_GRAPH_NODE_TYPE_MEMSET,
        .memset = {
            .dst = address, .pitch = pitch, .value = value, .elementSize = unit, .width = width, .height = height}};
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (old && stream->context->api_version >= 3020)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    return gmt_sim_leave(stream->capture ? gmt_sim_capture_add(stream, &params) : gmt_sim_fill_now(&params.memset));
}

/* The eight names of one unit: the 32-bit entry, the current one and its twin, the asynchronous one and its twin, and
 * the same in two dimensions. Little-endian machines only: a value's low bytes come first. */
#define FILL(bits, type)                                                                                               \
    GMT_SIM_BODY(cuMemsetD##bits)(CUdeviceptr_v1 to, type value, unsigned int count)                                   \
    {                                                                                                                  \
        return fill(to, 0, value, (bits) / 8, count, 1, NULL, true);                                                   \
    }                                                                                                                  \
    GMT_SIM_BODY(cuMemsetD##bits##_v2)(CUdeviceptr to, type value, size_t count)                                       \
    {                                                                                                                  \
        return fill(to, 0, value, (bits) / 8, count, 1, NULL, false);                                                  \
    }                                                                                                                  \
    GMT_SIM_TWIN(cuMemsetD##bits##_v2_ptds, cuMemsetD##bits##_v2)                                                      \
    GMT_SIM_BODY(cuMemsetD##bits##Async)(CUdeviceptr to, type value, size_t count, CUstream stream)                    \
    {                                                                                                                  \
        return fill(to, 0, value, (bits) / 8, count, 1, stream, false);                                                \
    }                                                                                                                  \
    GMT_SIM_TWIN(cuMemsetD##bits##Async_ptsz, cuMemsetD##bits##Async)                                                  \
    GMT_SIM_BODY(cuMemsetD2D##bits)                                                                                    \
    (CUdeviceptr_v1 to, unsigned int pitch, type value, unsigned int width, unsigned int height)                       \
    {                                                                                                                  \
        return fill(to, pitch, value, (bits) / 8, width, height, NULL, true);                                          \
    }                                                                                                                  \
    GMT_SIM_BODY(cuMemsetD2D##bits##_v2)(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height)        \
    {                                                                                                                  \
        return fill(to, pitch, value, (bits) / 8, width, height, NULL, false);                                         \
    }                                                                                                                  \
    GMT_SIM_TWIN(cuMemsetD2D##bits##_v2_ptds, cuMemsetD2D##bits##_v2)                                                  \
    GMT_SIM_BODY(cuMemsetD2D##bits##Async)                                                                             \
    (CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream stream)                           \
    {                                                                                                                  \
        return fill(to, pitch, value, (bits) / 8, width, height, stream, false);                                       \
    }                                                                                                                  \
    GMT_SIM_TWIN(cuMemsetD2D##bits##Async_ptsz, cuMemsetD2D##bits##Async)

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned int)
