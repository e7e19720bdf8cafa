/* Copies of one and two dimensions. Each asks for the driver function that belongs to its direction. */
#include "simulator/runtime/copies.h"

cudaError_t gmt_rt_copy_check(enum cudaMemcpyKind kind)
{
    return (unsigned int)kind <= cudaMemcpyDefault ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

static CUresult copy_now(const struct gmt_rt_driver *driver, void *to, const void *from, size_t bytes,
                         enum cudaMemcpyKind kind)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return driver->cuMemcpyHtoD(gmt_rt_address(to), from, bytes);
    case cudaMemcpyDeviceToHost:
        return driver->cuMemcpyDtoH(to, gmt_rt_address(from), bytes);
    case cudaMemcpyDeviceToDevice:
        return driver->cuMemcpyDtoD(gmt_rt_address(to), gmt_rt_address(from), bytes);
    default:
        return driver->cuMemcpy(gmt_rt_address(to), gmt_rt_address(from), bytes);
    }
}

static CUresult copy_later(const struct gmt_rt_driver *driver, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind, cudaStream_t stream)
{
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return driver->cuMemcpyHtoDAsync(gmt_rt_address(to), from, bytes, stream);
    case cudaMemcpyDeviceToHost:
        return driver->cuMemcpyDtoHAsync(to, gmt_rt_address(from), bytes, stream);
    case cudaMemcpyDeviceToDevice:
        return driver->cuMemcpyDtoDAsync(gmt_rt_address(to), gmt_rt_address(from), bytes, stream);
    default:
        return driver->cuMemcpyAsync(gmt_rt_address(to), gmt_rt_address(from), bytes, stream);
    }
}

static cudaError_t cudaMemcpy_with(const struct gmt_rt_driver *driver, void *to, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_check(kind);
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(copy_now(driver, to, from, bytes, kind));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy, cudaMemcpy_ptds, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), to, from,
            bytes, kind)

static cudaError_t cudaMemcpyAsync_with(const struct gmt_rt_driver *driver, void *to, const void *from, size_t bytes,
                                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_check(kind);
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(copy_later(driver, to, from, bytes, kind, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpyAsync, cudaMemcpyAsync_ptsz,
            (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream), to, from, bytes,
            kind, stream)

/* The addresses are unified: no context needs to be named. */
GMT_RT_API cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    (void)to_device;
    (void)from_device;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(gmt_rt_legacy.cuMemcpyPeer(gmt_rt_address(to), NULL, gmt_rt_address(from), NULL, bytes));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                               cudaStream_t stream)
{
    (void)to_device;
    (void)from_device;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && bytes > 0) {
        CUresult result =
            gmt_rt_legacy.cuMemcpyPeerAsync(gmt_rt_address(to), NULL, gmt_rt_address(from), NULL, bytes, stream);
        error = gmt_rt_error(result);
    }
    return gmt_rt_end(error);
}

CUmemorytype gmt_rt_copy_side(enum cudaMemcpyKind kind, bool source)
{
    if (kind == cudaMemcpyDefault || kind == cudaMemcpyHostToHost)
        return CU_MEMORYTYPE_UNIFIED;
    bool host = source ? kind == cudaMemcpyHostToDevice : kind == cudaMemcpyDeviceToHost;
    return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUDA_MEMCPY2D describe_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                 size_t height, enum cudaMemcpyKind kind)
{
    return (CUDA_MEMCPY2D){.srcMemoryType = gmt_rt_copy_side(kind, true),
                           .srcHost = from,
                           .srcDevice = gmt_rt_address(from),
                           .srcPitch = from_pitch,
                           .dstMemoryType = gmt_rt_copy_side(kind, false),
                           .dstHost = to,
                           .dstDevice = gmt_rt_address(to),
                           .dstPitch = to_pitch,
                           .WidthInBytes = width,
                           .Height = height};
}

static cudaError_t cudaMemcpy2D_with(const struct gmt_rt_driver *driver, void *to, size_t to_pitch, const void *from,
                                     size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    CUDA_MEMCPY2D copy = describe_2d(to, to_pitch, from, from_pitch, width, height, kind);
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_check(kind);
    if (error == cudaSuccess && width > 0 && height > 0)
        error = gmt_rt_error(driver->cuMemcpy2DUnaligned(&copy));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy2D, cudaMemcpy2D_ptds,
            (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
             enum cudaMemcpyKind kind),
            to, to_pitch, from, from_pitch, width, height, kind)

static cudaError_t cudaMemcpy2DAsync_with(const struct gmt_rt_driver *driver, void *to, size_t to_pitch,
                                          const void *from, size_t from_pitch, size_t width, size_t height,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUDA_MEMCPY2D copy = describe_2d(to, to_pitch, from, from_pitch, width, height, kind);
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_check(kind);
    if (error == cudaSuccess && width > 0 && height > 0)
        error = gmt_rt_error(driver->cuMemcpy2DAsync(&copy, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz,
            (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
             enum cudaMemcpyKind kind, cudaStream_t stream),
            to, to_pitch, from, from_pitch, width, height, kind, stream)
