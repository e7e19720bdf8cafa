/* Taking and giving back memory. Nothing asked for is nothing taken: success and NULL, without asking the driver. */
#include "simulator/runtime/runtime.h"

enum { PITCH_ELEMENT = 4 };

GMT_RT_API cudaMalloc(void **address, size_t bytes)
{
    CUdeviceptr taken = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(gmt_rt_legacy.cuMemAlloc(&taken, bytes));
    if (error == cudaSuccess)
        *address = (void *)taken;
    return gmt_rt_end(error);
}

static cudaError_t cudaMallocPitch_take(void **address, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr taken = 0;
    size_t row = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && width > 0 && height > 0)
        error = gmt_rt_error(gmt_rt_legacy.cuMemAllocPitch(&taken, &row, width, height, PITCH_ELEMENT));
    if (error == cudaSuccess) {
        *address = (void *)taken;
        *pitch = row;
    }
    return error;
}

GMT_RT_API cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height)
{
    return gmt_rt_end(address && pitch ? cudaMallocPitch_take(address, pitch, width, height) : cudaErrorInvalidValue);
}

GMT_RT_API cudaMalloc3D(struct cudaPitchedPtr *block, struct cudaExtent extent)
{
    cudaError_t error = cudaErrorInvalidValue;
    if (block)
        error = cudaMallocPitch_take(&block->ptr, &block->pitch, extent.width, extent.height * extent.depth);
    if (error == cudaSuccess) {
        block->xsize = extent.width;
        block->ysize = extent.height;
    }
    return gmt_rt_end(error);
}

GMT_RT_API cudaMallocManaged(void **address, size_t bytes, unsigned int flags)
{
    CUdeviceptr taken = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(gmt_rt_legacy.cuMemAllocManaged(&taken, bytes, flags));
    if (error == cudaSuccess)
        *address = (void *)taken;
    return gmt_rt_end(error);
}

GMT_RT_API cudaMallocHost(void **address, size_t bytes)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostAlloc(address, bytes, 0));
    return gmt_rt_end(error);
}

GMT_RT_API cudaHostAlloc(void **address, size_t bytes, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostAlloc(address, bytes, flags));
    return gmt_rt_end(error);
}

/* NULL goes to the driver as well: cudaFree(0) is how programs start the runtime. */
GMT_RT_API cudaFree(void *address)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemFree(gmt_rt_address(address)));
    return gmt_rt_end(error);
}

GMT_RT_API cudaFreeHost(void *address)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemFreeHost(address));
    return gmt_rt_end(error);
}

static cudaError_t cudaMallocAsync_with(const struct gmt_rt_driver *driver, void **address, size_t bytes,
                                        cudaStream_t stream)
{
    CUdeviceptr taken = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemAllocAsync(&taken, bytes, stream));
    if (error == cudaSuccess)
        *address = (void *)taken;
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMallocAsync, cudaMallocAsync_ptsz, (void **address, size_t bytes, cudaStream_t stream), address, bytes,
            stream)

static cudaError_t cudaMallocFromPoolAsync_with(const struct gmt_rt_driver *driver, void **address, size_t bytes,
                                                cudaMemPool_t pool, cudaStream_t stream)
{
    CUdeviceptr taken = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemAllocFromPoolAsync(&taken, bytes, pool, stream));
    if (error == cudaSuccess)
        *address = (void *)taken;
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz,
            (void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream), address, bytes, pool, stream)

static cudaError_t cudaFreeAsync_with(const struct gmt_rt_driver *driver, void *address, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemFreeAsync(gmt_rt_address(address), stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaFreeAsync, cudaFreeAsync_ptsz, (void *address, cudaStream_t stream), address, stream)
