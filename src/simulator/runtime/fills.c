/* Filling memory with a byte. */
#include "simulator/runtime/runtime.h"

static cudaError_t cudaMemset_with(const struct gmt_rt_driver *driver, void *to, int value, size_t bytes)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(driver->cuMemsetD8(gmt_rt_address(to), (unsigned char)value, bytes));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemset, cudaMemset_ptds, (void *to, int value, size_t bytes), to, value, bytes)

static cudaError_t cudaMemsetAsync_with(const struct gmt_rt_driver *driver, void *to, int value, size_t bytes,
                                        cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(driver->cuMemsetD8Async(gmt_rt_address(to), (unsigned char)value, bytes, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemsetAsync, cudaMemsetAsync_ptsz, (void *to, int value, size_t bytes, cudaStream_t stream), to, value,
            bytes, stream)

static cudaError_t cudaMemset2D_with(const struct gmt_rt_driver *driver, void *to, size_t pitch, int value,
                                     size_t width, size_t height)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemsetD2D8(gmt_rt_address(to), pitch, (unsigned char)value, width, height));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemset2D, cudaMemset2D_ptds, (void *to, size_t pitch, int value, size_t width, size_t height), to,
            pitch, value, width, height)

static cudaError_t cudaMemset2DAsync_with(const struct gmt_rt_driver *driver, void *to, size_t pitch, int value,
                                          size_t width, size_t height, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess) {
        CUresult result =
            driver->cuMemsetD2D8Async(gmt_rt_address(to), pitch, (unsigned char)value, width, height, stream);
        error = gmt_rt_error(result);
    }
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemset2DAsync, cudaMemset2DAsync_ptsz,
            (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream), to, pitch, value,
            width, height, stream)

/* Layer by layer: a layer may be higher than what is to be filled. */
static cudaError_t fill_layers(const struct gmt_rt_driver *driver, struct cudaPitchedPtr to, int value,
                               struct cudaExtent extent, cudaStream_t stream)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t z = 0; z < extent.depth && result == CUDA_SUCCESS; z++) {
        CUdeviceptr layer = gmt_rt_address(to.ptr) + z * to.pitch * to.ysize;
        result = driver->cuMemsetD2D8Async(layer, to.pitch, (unsigned char)value, extent.width, extent.height, stream);
    }
    return gmt_rt_error(result);
}

static cudaError_t cudaMemset3D_with(const struct gmt_rt_driver *driver, struct cudaPitchedPtr to, int value,
                                     struct cudaExtent extent)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = fill_layers(driver, to, value, extent, NULL);
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemset3D, cudaMemset3D_ptds, (struct cudaPitchedPtr to, int value, struct cudaExtent extent), to, value,
            extent)

static cudaError_t cudaMemset3DAsync_with(const struct gmt_rt_driver *driver, struct cudaPitchedPtr to, int value,
                                          struct cudaExtent extent, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = fill_layers(driver, to, value, extent, stream);
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemset3DAsync, cudaMemset3DAsync_ptsz,
            (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream), to, value, extent,
            stream)
