/* Copies of two and three dimensions between linear memory; arrays are not supported. */
#include "simulator/transfer.h"

/* One end of a copy as the descriptions give it, whatever their field types. */
struct end {
    CUmemorytype type;
    uint64_t host, device;
    uint64_t x, y, z, pitch, height;
};

static CUresult rows_of(const struct end *end, struct gmt_sim_rows *rows_out)
{
    uint64_t base = end->device;
    rows_out->side = GMT_SIM_ON_DEVICE;
    if (end->type == CU_MEMORYTYPE_HOST) {
        base = end->host;
        rows_out->side = GMT_SIM_ON_HOST;
    } else if (end->type == CU_MEMORYTYPE_UNIFIED) {
        rows_out->side = GMT_SIM_ANYWHERE;
    } else if (end->type != CU_MEMORYTYPE_DEVICE) {
        return end->type == CU_MEMORYTYPE_ARRAY ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    }
    rows_out->pitch = end->pitch;
    rows_out->slice = end->pitch * end->height;
    rows_out->address = base ? base + end->z * rows_out->slice + end->y * end->pitch + end->x : 0;
    return CUDA_SUCCESS;
}

static CUresult copy(struct end to, struct end from, uint64_t width, uint64_t height, uint64_t depth, CUstream stream,
                     bool old)
{
    struct gmt_sim_rows target, source;
    /* A pitch of 0 means rows without a gap, a height of 0 layers without one. */
    to.pitch = to.pitch ? to.pitch : width;
    from.pitch = from.pitch ? from.pitch : width;
    to.height = to.height ? to.height : height;
    from.height = from.height ? from.height : height;
    CUresult result = rows_of(&to, &target);
    if (result == CUDA_SUCCESS)
        result = rows_of(&from, &source);
    return result == CUDA_SUCCESS ? gmt_sim_copy_rows(&target, &source, width, height, depth, stream, old) : result;
}

/* The ends of a description; `side` is src or dst. The two-dimensional ones have no layers. */
#define END_2D(c, side)                                                                                                \
    ((struct end){.type = (c)->side##MemoryType,                                                                       \
                  .host = (uintptr_t)(c)->side##Host,                                                                  \
                  .device = (c)->side##Device,                                                                         \
                  .x = (c)->side##XInBytes,                                                                            \
                  .y = (c)->side##Y,                                                                                   \
                  .pitch = (c)->side##Pitch})
#define END_3D(c, side)                                                                                                \
    ((struct end){.type = (c)->side##MemoryType,                                                                       \
                  .host = (uintptr_t)(c)->side##Host,                                                                  \
                  .device = (c)->side##Device,                                                                         \
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
