/* Copies of one and two dimensions to, from and between arrays. Offsets and widths are bytes. */
#include "simulator/runtime/channel_format.h"
#include "simulator/runtime/copies.h"

/* A place in an array, or memory with a pitch. */
struct end {
    cudaArray_const_t array;
    size_t x, y;
    const void *memory;
    size_t pitch;
};

static CUDA_MEMCPY2D describe(struct end to, struct end from, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return (CUDA_MEMCPY2D){.srcXInBytes = from.x,
                           .srcY = from.y,
                           .srcMemoryType = from.array ? CU_MEMORYTYPE_ARRAY : gmt_rt_copy_side(kind, true),
                           .srcHost = from.memory,
                           .srcDevice = gmt_rt_address(from.memory),
                           .srcArray = (CUarray)(uintptr_t)from.array,
                           .srcPitch = from.pitch,
                           .dstXInBytes = to.x,
                           .dstY = to.y,
                           .dstMemoryType = to.array ? CU_MEMORYTYPE_ARRAY : gmt_rt_copy_side(kind, false),
                           .dstHost = (void *)(uintptr_t)to.memory,
                           .dstDevice = gmt_rt_address(to.memory),
                           .dstArray = (CUarray)(uintptr_t)to.array,
                           .dstPitch = to.pitch,
                           .WidthInBytes = width,
                           .Height = height};
}

/* `now`: a call that waits, with no stream. */
static cudaError_t copy(const struct gmt_rt_driver *driver, struct end to, struct end from, size_t width, size_t height,
                        enum cudaMemcpyKind kind, bool now, cudaStream_t stream)
{
    CUDA_MEMCPY2D wanted = describe(to, from, width, height, kind);
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_check(kind);
    if (error != cudaSuccess || width == 0 || height == 0)
        return error;
    return gmt_rt_error(now ? driver->cuMemcpy2DUnaligned(&wanted) : driver->cuMemcpy2DAsync(&wanted, stream));
}

static cudaError_t cudaMemcpy2DToArray_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t x, size_t y,
                                            const void *from, size_t pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind)
{
    return gmt_rt_end(copy(driver, (struct end){to, x, y, NULL, 0}, (struct end){NULL, 0, 0, from, pitch}, width,
                           height, kind, true, NULL));
}
GMT_RT_PAIR(cudaMemcpy2DToArray, cudaMemcpy2DToArray_ptds,
            (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
             enum cudaMemcpyKind kind),
            to, x, y, from, pitch, width, height, kind)

static cudaError_t cudaMemcpy2DToArrayAsync_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t x, size_t y,
                                                 const void *from, size_t pitch, size_t width, size_t height,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return gmt_rt_end(copy(driver, (struct end){to, x, y, NULL, 0}, (struct end){NULL, 0, 0, from, pitch}, width,
                           height, kind, false, stream));
}
GMT_RT_PAIR(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync_ptsz,
            (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
             enum cudaMemcpyKind kind, cudaStream_t stream),
            to, x, y, from, pitch, width, height, kind, stream)

static cudaError_t cudaMemcpy2DFromArray_with(const struct gmt_rt_driver *driver, void *to, size_t pitch,
                                              cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
                                              enum cudaMemcpyKind kind)
{
    return gmt_rt_end(copy(driver, (struct end){NULL, 0, 0, to, pitch}, (struct end){from, x, y, NULL, 0}, width,
                           height, kind, true, NULL));
}
GMT_RT_PAIR(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_ptds,
            (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
             enum cudaMemcpyKind kind),
            to, pitch, from, x, y, width, height, kind)

static cudaError_t cudaMemcpy2DFromArrayAsync_with(const struct gmt_rt_driver *driver, void *to, size_t pitch,
                                                   cudaArray_const_t from, size_t x, size_t y, size_t width,
                                                   size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return gmt_rt_end(copy(driver, (struct end){NULL, 0, 0, to, pitch}, (struct end){from, x, y, NULL, 0}, width,
                           height, kind, false, stream));
}
GMT_RT_PAIR(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync_ptsz,
            (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
             enum cudaMemcpyKind kind, cudaStream_t stream),
            to, pitch, from, x, y, width, height, kind, stream)

static cudaError_t cudaMemcpy2DArrayToArray_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t to_x,
                                                 size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
                                                 size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return gmt_rt_end(copy(driver, (struct end){to, to_x, to_y, NULL, 0}, (struct end){from, from_x, from_y, NULL, 0},
                           width, height, kind, true, NULL));
}
GMT_RT_PAIR(cudaMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray_ptds,
            (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
             size_t width, size_t height, enum cudaMemcpyKind kind),
            to, to_x, to_y, from, from_x, from_y, width, height, kind)

/* The bytes of an array's row. */
static cudaError_t row_bytes(cudaArray_const_t array, size_t *bytes_out)
{
    CUDA_ARRAY3D_DESCRIPTOR description;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuArray3DGetDescriptor(&description, (CUarray)(uintptr_t)array));
    if (error == cudaSuccess)
        *bytes_out = description.Width * gmt_rt_element_bytes(description.Format, description.NumChannels);
    return error;
}

/* `bytes` that run on from row to row of the array: one copy per row. The other end is memory without gaps. */
static cudaError_t copy_run(const struct gmt_rt_driver *driver, struct end to, struct end from, size_t bytes,
                            enum cudaMemcpyKind kind, bool now, cudaStream_t stream)
{
    struct end *array = to.array ? &to : &from, *memory = to.array ? &from : &to;
    size_t row = 0;
    cudaError_t error = row_bytes(array->array, &row);
    if (error == cudaSuccess && array->x >= row)
        error = cudaErrorInvalidValue;
    while (error == cudaSuccess && bytes > 0) {
        size_t part = bytes < row - array->x ? bytes : row - array->x;
        memory->pitch = part;
        error = copy(driver, to, from, part, 1, kind, now, stream);
        memory->memory = (const char *)memory->memory + part;
        array->x = 0;
        array->y++;
        bytes -= part;
    }
    return error;
}

static cudaError_t cudaMemcpyToArray_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t x, size_t y,
                                          const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return gmt_rt_end(
        copy_run(driver, (struct end){to, x, y, NULL, 0}, (struct end){NULL, 0, 0, from, 0}, bytes, kind, true, NULL));
}
GMT_RT_PAIR(cudaMemcpyToArray, cudaMemcpyToArray_ptds,
            (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind), to, x, y,
            from, bytes, kind)

static cudaError_t cudaMemcpyToArrayAsync_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t x, size_t y,
                                               const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                               cudaStream_t stream)
{
    return gmt_rt_end(copy_run(driver, (struct end){to, x, y, NULL, 0}, (struct end){NULL, 0, 0, from, 0}, bytes, kind,
                               false, stream));
}
GMT_RT_PAIR(cudaMemcpyToArrayAsync, cudaMemcpyToArrayAsync_ptsz,
            (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            to, x, y, from, bytes, kind, stream)

static cudaError_t cudaMemcpyFromArray_with(const struct gmt_rt_driver *driver, void *to, cudaArray_const_t from,
                                            size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind)
{
    return gmt_rt_end(
        copy_run(driver, (struct end){NULL, 0, 0, to, 0}, (struct end){from, x, y, NULL, 0}, bytes, kind, true, NULL));
}
GMT_RT_PAIR(cudaMemcpyFromArray, cudaMemcpyFromArray_ptds,
            (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind), to, from, x,
            y, bytes, kind)

static cudaError_t cudaMemcpyFromArrayAsync_with(const struct gmt_rt_driver *driver, void *to, cudaArray_const_t from,
                                                 size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
                                                 cudaStream_t stream)
{
    return gmt_rt_end(copy_run(driver, (struct end){NULL, 0, 0, to, 0}, (struct end){from, x, y, NULL, 0}, bytes, kind,
                               false, stream));
}
GMT_RT_PAIR(cudaMemcpyFromArrayAsync, cudaMemcpyFromArrayAsync_ptsz,
            (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            to, from, x, y, bytes, kind, stream)

/* Between arrays a copy per piece that lies in one row of both. */
static cudaError_t cudaMemcpyArrayToArray_with(const struct gmt_rt_driver *driver, cudaArray_t to, size_t to_x,
                                               size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
                                               size_t bytes, enum cudaMemcpyKind kind)
{
    struct end target = {to, to_x, to_y, NULL, 0}, source = {from, from_x, from_y, NULL, 0};
    size_t to_row = 0, from_row = 0;
    cudaError_t error = row_bytes(to, &to_row);
    if (error == cudaSuccess)
        error = row_bytes(from, &from_row);
    if (error == cudaSuccess && (to_x >= to_row || from_x >= from_row))
        error = cudaErrorInvalidValue;
    while (error == cudaSuccess && bytes > 0) {
        size_t part = bytes < to_row - target.x ? bytes : to_row - target.x;
        part = part < from_row - source.x ? part : from_row - source.x;
        error = copy(driver, target, source, part, 1, kind, true, NULL);
        target.y += (target.x + part) / to_row;
        target.x = (target.x + part) % to_row;
        source.y += (source.x + part) / from_row;
        source.x = (source.x + part) % from_row;
        bytes -= part;
    }
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpyArrayToArray, cudaMemcpyArrayToArray_ptds,
            (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y,
             size_t bytes, enum cudaMemcpyKind kind),
            to, to_x, to_y, from, from_x, from_y, bytes, kind)
