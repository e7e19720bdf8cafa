/* Copies of one row: every name and variant comes down to gmt_sim_copy_in_stream. */
#include "simulator/transfer.h"

#include <string.h>

#include "simulator/capture.h"
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/memory_mapping.h"
#include "simulator/stream.h"

#define ADDRESS(pointer) ((uint64_t)(uintptr_t)(pointer))

static bool range_valid(enum gmt_sim_side side, uint64_t address, uint64_t bytes)
{
    if (address == 0 || address + bytes < address)
        return false;
    if (gmt_sim_block_touching(address, bytes))
        return gmt_sim_blocks_cover(address, bytes);
    return side != GMT_SIM_ON_DEVICE && !gmt_sim_is_reserved(address, bytes);
}

/* The array of the rows when they lie inside it, and it has memory; NULL otherwise. */
static const struct gmt_sim_array *array_holding(const struct gmt_sim_rows *rows, uint64_t width, uint64_t height,
                                                 uint64_t depth)
{
    const struct gmt_sim_array *array = gmt_sim_array_of(rows->array);
    if (!array || array->address == 0)
        return NULL;
    const struct gmt_sim_extent *extent = &array->extent;
    bool inside = rows->x <= extent->row_bytes && width <= extent->row_bytes - rows->x && rows->y <= extent->rows &&
                  height <= extent->rows - rows->y && rows->z <= extent->layers && depth <= extent->layers - rows->z;
    return inside ? array : NULL;
}

bool gmt_sim_rows_valid(const struct gmt_sim_rows *rows, uint64_t width, uint64_t height, uint64_t depth)
{
    if (rows->side == GMT_SIM_IN_ARRAY)
        return array_holding(rows, width, height, depth) != NULL;
    bool rows_overlap = height > 1 && rows->pitch < width;
    bool layers_overlap = depth > 1 && rows->slice < rows->pitch * (height - 1) + width;
    if (rows_overlap || layers_overlap)
        return false;
    uint64_t extent = rows->slice * (depth - 1) + rows->pitch * (height - 1) + width;
    return range_valid(rows->side, rows->address, extent);
}

/* Rows in an array as rows in memory. */
static struct gmt_sim_rows in_memory(const struct gmt_sim_rows *rows)
{
    if (rows->side != GMT_SIM_IN_ARRAY)
        return *rows;
    const struct gmt_sim_array *array = gmt_sim_array_of(rows->array);
    struct gmt_sim_rows found = {.pitch = array->extent.row_bytes,
                                 .slice = array->extent.row_bytes * array->extent.rows};
    found.address = array->address + rows->z * found.slice + rows->y * found.pitch + rows->x;
    return found;
}

CUresult gmt_sim_copy_now(const struct gmt_sim_copy *copy)
{
    uint64_t width = copy->width, height = copy->height, depth = copy->depth;
    if (width == 0 || height == 0 || depth == 0)
        return CUDA_SUCCESS;
    if (!gmt_sim_rows_valid(&copy->to, width, height, depth) || !gmt_sim_rows_valid(&copy->from, width, height, depth))
        return CUDA_ERROR_INVALID_VALUE;
    struct gmt_sim_rows to = in_memory(&copy->to), from = in_memory(&copy->from);
    for (uint64_t z = 0; z < depth; z++) {
        for (uint64_t y = 0; y < height; y++) {
            char *target = (char *)(uintptr_t)(to.address + z * to.slice + y * to.pitch);
            memmove(target, (char *)(uintptr_t)(from.address + z * from.slice + y * from.pitch), width);
        }
    }
    return CUDA_SUCCESS;
}

CUresult gmt_sim_copy_in_stream(const struct gmt_sim_copy *copy, CUstream handle, bool old)
{
    struct gmt_sim_stream *stream;
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (old && stream->context->api_version >= 3020)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    if (!stream->capture)
        return gmt_sim_leave(gmt_sim_copy_now(copy));
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy = {.copyParams = gmt_sim_copy_write(copy)}};
    return gmt_sim_leave(gmt_sim_capture_add(stream, &params));
}

static CUresult copy_line(enum gmt_sim_side to_side, uint64_t to, enum gmt_sim_side from_side, uint64_t from,
                          size_t bytes, CUstream stream, bool old)
{
    struct gmt_sim_copy copy = {{.side = to_side, .address = to}, {.side = from_side, .address = from}, bytes, 1, 1};
    return gmt_sim_copy_in_stream(&copy, stream, old);
}

static CUresult any_to_any(uint64_t to, uint64_t from, size_t bytes, CUstream stream)
{
    return copy_line(GMT_SIM_ANYWHERE, to, GMT_SIM_ANYWHERE, from, bytes, stream, false);
}

static CUresult host_to_device(uint64_t to, const void *from, size_t bytes, CUstream stream, bool old)
{
    return copy_line(GMT_SIM_ON_DEVICE, to, GMT_SIM_ON_HOST, ADDRESS(from), bytes, stream, old);
}

static CUresult device_to_host(void *to, uint64_t from, size_t bytes, CUstream stream, bool old)
{
    return copy_line(GMT_SIM_ON_HOST, ADDRESS(to), GMT_SIM_ON_DEVICE, from, bytes, stream, old);
}

static CUresult device_to_device(uint64_t to, uint64_t from, size_t bytes, CUstream stream, bool old)
{
    return copy_line(GMT_SIM_ON_DEVICE, to, GMT_SIM_ON_DEVICE, from, bytes, stream, old);
}

GMT_SIM_BODY(cuMemcpy)(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return any_to_any(to, from, bytes, NULL);
}
GMT_SIM_TWIN(cuMemcpy_ptds, cuMemcpy)

GMT_SIM_BODY(cuMemcpyAsync)(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return any_to_any(to, from, bytes, stream);
}
GMT_SIM_TWIN(cuMemcpyAsync_ptsz, cuMemcpyAsync)

GMT_SIM_BODY(cuMemcpyPeer)(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes)
{
    (void)to_context;
    (void)from_context;
    return device_to_device(to, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyPeer_ptds, cuMemcpyPeer)

GMT_SIM_BODY(cuMemcpyPeerAsync)
(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes, CUstream stream)
{
    (void)to_context;
    (void)from_context;
    return device_to_device(to, from, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyPeerAsync_ptsz, cuMemcpyPeerAsync)

GMT_SIM_BODY(cuMemcpyHtoD_v2)(CUdeviceptr to, const void *from, size_t bytes)
{
    return host_to_device(to, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyHtoD_v2_ptds, cuMemcpyHtoD_v2)

GMT_SIM_BODY(cuMemcpyHtoDAsync_v2)(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return host_to_device(to, from, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyHtoDAsync_v2_ptsz, cuMemcpyHtoDAsync_v2)

GMT_SIM_BODY(cuMemcpyDtoH_v2)(void *to, CUdeviceptr from, size_t bytes)
{
    return device_to_host(to, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyDtoH_v2_ptds, cuMemcpyDtoH_v2)

GMT_SIM_BODY(cuMemcpyDtoHAsync_v2)(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return device_to_host(to, from, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyDtoHAsync_v2_ptsz, cuMemcpyDtoHAsync_v2)

GMT_SIM_BODY(cuMemcpyDtoD_v2)(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return device_to_device(to, from, bytes, NULL, false);
}
GMT_SIM_TWIN(cuMemcpyDtoD_v2_ptds, cuMemcpyDtoD_v2)

GMT_SIM_BODY(cuMemcpyDtoDAsync_v2)(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return device_to_device(to, from, bytes, stream, false);
}
GMT_SIM_TWIN(cuMemcpyDtoDAsync_v2_ptsz, cuMemcpyDtoDAsync_v2)

/* The 32-bit entries. */
GMT_SIM_BODY(cuMemcpyHtoD)(CUdeviceptr_v1 to, const void *from, unsigned int bytes)
{
    return host_to_device(to, from, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyHtoDAsync)(CUdeviceptr_v1 to, const void *from, unsigned int bytes, CUstream stream)
{
    return host_to_device(to, from, bytes, stream, true);
}

GMT_SIM_BODY(cuMemcpyDtoH)(void *to, CUdeviceptr_v1 from, unsigned int bytes)
{
    return device_to_host(to, from, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyDtoHAsync)(void *to, CUdeviceptr_v1 from, unsigned int bytes, CUstream stream)
{
    return device_to_host(to, from, bytes, stream, true);
}

GMT_SIM_BODY(cuMemcpyDtoD)(CUdeviceptr_v1 to, CUdeviceptr_v1 from, unsigned int bytes)
{
    return device_to_device(to, from, bytes, NULL, true);
}

GMT_SIM_BODY(cuMemcpyDtoDAsync)(CUdeviceptr_v1 to, CUdeviceptr_v1 from, unsigned int bytes, CUstream stream)
{
    return device_to_device(to, from, bytes, stream, true);
}

/* A batch is its copies one after another; the first that fails ends it. */
GMT_SIM_BODY(cuMemcpyBatchAsync_v2)
(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, CUmemcpyAttributes *attributes, size_t *indices,
 size_t attribute_count, CUstream stream)
{
    (void)attributes;
    (void)indices;
    (void)attribute_count;
    if (!to || !from || !bytes || count == 0 || !stream || stream == CU_STREAM_LEGACY)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = any_to_any(to[i], from[i], bytes[i], stream);
    return result;
}
GMT_SIM_TWIN(cuMemcpyBatchAsync_v2_ptsz, cuMemcpyBatchAsync_v2)
