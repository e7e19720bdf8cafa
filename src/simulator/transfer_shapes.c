/* Copies of two and three dimensions, as their descriptions give them. Compressed blocks count as elements: a row of an
 * array in such a format is a row of blocks.
 */
#include "simulator/transfer.h"

/* One end of a copy as the descriptions give it, whatever their field types. */
struct end {
    CUmemorytype type;
    uint64_t host, device;
    CUarray array;
    uint64_t x, y, z, pitch, height;
};

static CUresult rows_of(const struct end *end, struct gmt_sim_rows *rows_out)
{
    uint64_t base = end->device;
    *rows_out = (struct gmt_sim_rows){.side = GMT_SIM_ON_DEVICE};
    if (end->type == CU_MEMORYTYPE_ARRAY) {
        *rows_out =
            (struct gmt_sim_rows){.side = GMT_SIM_IN_ARRAY, .array = end->array, .x = end->x, .y = end->y, .z = end->z};
        return CUDA_SUCCESS;
    }
    if (end->type == CU_MEMORYTYPE_HOST) {
        base = end->host;
        rows_out->side = GMT_SIM_ON_HOST;
    } else if (end->type == CU_MEMORYTYPE_UNIFIED) {
        rows_out->side = GMT_SIM_ANYWHERE;
    } else if (end->type != CU_MEMORYTYPE_DEVICE) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rows_out->pitch = end->pitch;
    rows_out->slice = end->pitch * end->height;
    rows_out->address = base ? base + end->z * rows_out->slice + end->y * end->pitch + end->x : 0;
    return CUDA_SUCCESS;
}

static CUresult read_ends(struct end to, struct end from, uint64_t width, uint64_t height, uint64_t depth,
                          struct gmt_sim_copy *copy_out)
{
    /* A pitch of 0 means rows without a gap, a height of 0 layers without one. */
    to.pitch = to.pitch ? to.pitch : width;
    from.pitch = from.pitch ? from.pitch : width;
    to.height = to.height ? to.height : height;
    from.height = from.height ? from.height : height;
    copy_out->width = width;
    copy_out->height = height;
    copy_out->depth = depth;
    CUresult result = rows_of(&to, &copy_out->to);
    return result == CUDA_SUCCESS ? rows_of(&from, &copy_out->from) : result;
}

static CUresult copy(struct end to, struct end from, uint64_t width, uint64_t height, uint64_t depth, CUstream stream,
                     bool old)
{
    struct gmt_sim_copy read;
    CUresult result = read_ends(to, from, width, height, depth, &read);
    return result == CUDA_SUCCESS ? gmt_sim_copy_in_stream(&read, stream, old) : result;
}

/* The ends of a description; `side` is src or dst. The two-dimensional ones have no layers. */
#define END_2D(c, side)                                                                                                \
    ((struct end){.type = (c)->side##MemoryType,                                                                       \
                  .host = (uintptr_t)(c)->side##Host,                                                                  \
                  .device = (c)->side##Device,                                                                         \
                  .array = (c)->side##Array,                                                                           \
                  .x = (c)->side##XInBytes,                                                                            \
                  .y = (c)->side##Y,                                                                                   \
                  .pitch = (c)->side##Pitch})
#define END_3D(c, side)                                                                                                \
    ((struct end){.type = (c)->side##MemoryType,                                                                       \
                  .host = (uintptr_t)(c)->side##Host,                                                                  \
                  .device = (c)->side##Device,                                                                         \
                  .array = (c)->side##Array,                                                                           \
                  .x = (c)->side##XInBytes,                                                                            \
                  .y = (c)->side##Y,                                                                                   \
                  .z = (c)->side##Z,                                                                                   \
                  .pitch = (c)->side##Pitch,                                                                           \
                  .height = (c)->side##Height})

#define COPY_2D(c, stream, old)                                                                                        \
    ((c) ? copy(END_2D(c, dst), END_2D(c, src), (c)->WidthInBytes, (c)->Height, 1, stream, old)                        \
         : CUDA_ERROR_INVALID_VALUE)
#define COPY_3D(c, stream, old)                                                                                        \
    ((c) ? copy(END_3D(c, dst), END_3D(c, src), (c)->WidthInBytes, (c)->Height, (c)->Depth, stream, old)               \
         : CUDA_ERROR_INVALID_VALUE)

CUresult gmt_sim_copy_read(const CUDA_MEMCPY3D *c, struct gmt_sim_copy *copy_out)
{
    return read_ends(END_3D(c, dst), END_3D(c, src), c->WidthInBytes, c->Height, c->Depth, copy_out);
}

static CUmemorytype type_of(enum gmt_sim_side side)
{
    static const CUmemorytype types[] = {[GMT_SIM_ON_HOST] = CU_MEMORYTYPE_HOST,
                                         [GMT_SIM_ON_DEVICE] = CU_MEMORYTYPE_DEVICE,
                                         [GMT_SIM_ANYWHERE] = CU_MEMORYTYPE_UNIFIED,
                                         [GMT_SIM_IN_ARRAY] = CU_MEMORYTYPE_ARRAY};
    return types[side];
}

/* A place in memory is in the address already; x, y and z are those of arrays. */
CUDA_MEMCPY3D gmt_sim_copy_write(const struct gmt_sim_copy *copy)
{
    const struct gmt_sim_rows *to = &copy->to, *from = &copy->from;
    return (CUDA_MEMCPY3D){.srcXInBytes = from->x,
                           .srcY = from->y,
                           .srcZ = from->z,
                           .srcMemoryType = type_of(from->side),
                           .srcHost = (const void *)(uintptr_t)from->address,
                           .srcDevice = from->address,
                           .srcArray = from->array,
                           .srcPitch = from->pitch,
                           .srcHeight = from->pitch ? from->slice / from->pitch : 0,
                           .dstXInBytes = to->x,
                           .dstY = to->y,
                           .dstZ = to->z,
                           .dstMemoryType = type_of(to->side),
                           .dstHost = (void *)(uintptr_t)to->address,
                           .dstDevice = to->address,
                           .dstArray = to->array,
                           .dstPitch = to->pitch,
                           .dstHeight = to->pitch ? to->slice / to->pitch : 0,
                           .WidthInBytes = copy->width,
                           .Height = copy->height,
                           .Depth = copy->depth};
}

GMT_SIM_BODY(cuMemcpy2D_v2)(const CUDA_MEMCPY2D *c)
{
    return COPY_2D(c, NULL, false);
}
GMT_SIM_TWIN(cuMemcpy2D_v2_ptds, cuMemcpy2D_v2)
GMT_SIM_TWIN(cuMemcpy2DUnaligned_v2, cuMemcpy2D_v2)
GMT_SIM_TWIN(cuMemcpy2DUnaligned_v2_ptds, cuMemcpy2D_v2)

GMT_SIM_BODY(cuMemcpy2DAsync_v2)(const CUDA_MEMCPY2D *c, CUstream stream)
{
    return COPY_2D(c, stream, false);
}
GMT_SIM_TWIN(cuMemcpy2DAsync_v2_ptsz, cuMemcpy2DAsync_v2)

GMT_SIM_BODY(cuMemcpy3D_v2)(const CUDA_MEMCPY3D *c)
{
    return COPY_3D(c, NULL, false);
}
GMT_SIM_TWIN(cuMemcpy3D_v2_ptds, cuMemcpy3D_v2)

GMT_SIM_BODY(cuMemcpy3DAsync_v2)(const CUDA_MEMCPY3D *c, CUstream stream)
{
    return COPY_3D(c, stream, false);
}
GMT_SIM_TWIN(cuMemcpy3DAsync_v2_ptsz, cuMemcpy3DAsync_v2)

GMT_SIM_BODY(cuMemcpy3DPeer)(const CUDA_MEMCPY3D_PEER *c)
{
    return COPY_3D(c, NULL, false);
}
GMT_SIM_TWIN(cuMemcpy3DPeer_ptds, cuMemcpy3DPeer)

GMT_SIM_BODY(cuMemcpy3DPeerAsync)(const CUDA_MEMCPY3D_PEER *c, CUstream stream)
{
    return COPY_3D(c, stream, false);
}
GMT_SIM_TWIN(cuMemcpy3DPeerAsync_ptsz, cuMemcpy3DPeerAsync)

/* The 32-bit entries. */
GMT_SIM_BODY(cuMemcpy2D)(const CUDA_MEMCPY2D_v1 *c)
{
    return COPY_2D(c, NULL, true);
}
GMT_SIM_TWIN(cuMemcpy2DUnaligned, cuMemcpy2D)

GMT_SIM_BODY(cuMemcpy2DAsync)(const CUDA_MEMCPY2D_v1 *c, CUstream stream)
{
    return COPY_2D(c, stream, true);
}

GMT_SIM_BODY(cuMemcpy3D)(const CUDA_MEMCPY3D_v1 *c)
{
    return COPY_3D(c, NULL, true);
}

GMT_SIM_BODY(cuMemcpy3DAsync)(const CUDA_MEMCPY3D_v1 *c, CUstream stream)
{
    return COPY_3D(c, stream, true);
}
