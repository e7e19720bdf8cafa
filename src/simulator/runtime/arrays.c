/* Arrays and mipmapped arrays: taken, given back, described. */
#include "simulator/runtime/channel_format.h"

/* Flags are numbered alike in driver and runtime. `levels` 0: an array. */
static cudaError_t take(void *handle, const struct cudaChannelFormatDesc *channels, struct cudaExtent extent,
                        unsigned int levels, unsigned int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && (!handle || !channels))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_format_of(channels, &wanted.Format, &wanted.NumChannels);
    if (error != cudaSuccess)
        return error;
    return gmt_rt_error(levels ? gmt_rt_legacy.cuMipmappedArrayCreate(handle, &wanted, levels)
                               : gmt_rt_legacy.cuArray3DCreate(handle, &wanted));
}

GMT_RT_API cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                           size_t height, unsigned int flags)
{
    return gmt_rt_end(take(array, channels, (struct cudaExtent){width, height, 0}, 0, flags));
}

GMT_RT_API cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, struct cudaExtent extent,
                             unsigned int flags)
{
    return gmt_rt_end(take(array, channels, extent, 0, flags));
}

GMT_RT_API cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *channels,
                                    struct cudaExtent extent, unsigned int levels, unsigned int flags)
{
    return gmt_rt_end(levels ? take(array, channels, extent, levels, flags) : cudaErrorInvalidValue);
}

/* NULL is nothing to give back. */
GMT_RT_API cudaFreeArray(cudaArray_t array)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && array)
        error = gmt_rt_error(gmt_rt_legacy.cuArrayDestroy((CUarray)array));
    return gmt_rt_end(error);
}

GMT_RT_API cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && array)
        error = gmt_rt_error(gmt_rt_legacy.cuMipmappedArrayDestroy((CUmipmappedArray)array));
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array, unsigned int index)
{
    CUmipmappedArray whole = (CUmipmappedArray)(uintptr_t)array;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMipmappedArrayGetLevel((CUarray *)level, whole, index));
    return gmt_rt_end(error);
}

GMT_RT_API cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned int index)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuArrayGetPlane((CUarray *)plane, (CUarray)array, index));
    return gmt_rt_end(error);
}

static cudaError_t describe(CUDA_ARRAY3D_DESCRIPTOR *description, cudaArray_const_t array)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuArray3DGetDescriptor(description, (CUarray)(uintptr_t)array));
    return error;
}

/* Each of the three may be left out. */
GMT_RT_API cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent, unsigned int *flags,
                            cudaArray_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR description;
    cudaError_t error = describe(&description, array);
    if (error == cudaSuccess && channels)
        *channels = gmt_rt_channels_of(description.Format, description.NumChannels);
    if (error == cudaSuccess && extent)
        *extent = (struct cudaExtent){description.Width, description.Height, description.Depth};
    if (error == cudaSuccess && flags)
        *flags = description.Flags;
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t array)
{
    CUDA_ARRAY3D_DESCRIPTOR description;
    cudaError_t error = channels ? describe(&description, array) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *channels = gmt_rt_channels_of(description.Format, description.NumChannels);
    return gmt_rt_end(error);
}

GMT_RT_EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

/* Requirements and sparse properties are laid out alike in driver and runtime. */
GMT_RT_API cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *needs, cudaArray_t array, int device)
{
    CUDA_ARRAY_MEMORY_REQUIREMENTS *found = (CUDA_ARRAY_MEMORY_REQUIREMENTS *)needs;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuArrayGetMemoryRequirements(found, (CUarray)array, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *needs,
                                                   cudaMipmappedArray_t array, int device)
{
    CUDA_ARRAY_MEMORY_REQUIREMENTS *found = (CUDA_ARRAY_MEMORY_REQUIREMENTS *)needs;
    CUmipmappedArray whole = (CUmipmappedArray)array;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMipmappedArrayGetMemoryRequirements(found, whole, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties, cudaArray_t array)
{
    CUDA_ARRAY_SPARSE_PROPERTIES *found = (CUDA_ARRAY_SPARSE_PROPERTIES *)properties;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuArrayGetSparseProperties(found, (CUarray)array));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                 cudaMipmappedArray_t array)
{
    CUDA_ARRAY_SPARSE_PROPERTIES *found = (CUDA_ARRAY_SPARSE_PROPERTIES *)properties;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMipmappedArrayGetSparseProperties(found, (CUmipmappedArray)array));
    return gmt_rt_end(error);
}
