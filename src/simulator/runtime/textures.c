/* Texture and surface objects. Each call holds the primary context first, also one that is then refused. */
#include "simulator/runtime/textures.h"

#include <stddef.h>
#include <string.h>

#include "simulator/runtime/channel_format.h"

static cudaError_t driver_resource(const struct cudaResourceDesc *resource, CUDA_RESOURCE_DESC *resource_out)
{
    const struct cudaChannelFormatDesc *channels = NULL;
    CUarray_format format = (CUarray_format)0;
    unsigned int count = 0;
    if (!resource)
        return cudaErrorInvalidValue;
    memset(resource_out, 0, sizeof *resource_out);
    resource_out->resType = (CUresourcetype)resource->resType;
    if (resource->resType == cudaResourceTypeLinear)
        channels = &resource->res.linear.desc;
    if (resource->resType == cudaResourceTypePitch2D)
        channels = &resource->res.pitch2D.desc;
    cudaError_t error = channels ? gmt_rt_format_of(channels, &format, &count) : cudaSuccess;
    switch (resource->resType) {
    case cudaResourceTypeArray:
        resource_out->res.array.hArray = (CUarray)resource->res.array.array;
        break;
    case cudaResourceTypeMipmappedArray:
        resource_out->res.mipmap.hMipmappedArray = (CUmipmappedArray)resource->res.mipmap.mipmap;
        break;
    case cudaResourceTypeLinear:
        resource_out->res.linear.devPtr = gmt_rt_address(resource->res.linear.devPtr);
        resource_out->res.linear.format = format;
        resource_out->res.linear.numChannels = count;
        resource_out->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        break;
    case cudaResourceTypePitch2D:
        resource_out->res.pitch2D.devPtr = gmt_rt_address(resource->res.pitch2D.devPtr);
        resource_out->res.pitch2D.format = format;
        resource_out->res.pitch2D.numChannels = count;
        resource_out->res.pitch2D.width = resource->res.pitch2D.width;
        resource_out->res.pitch2D.height = resource->res.pitch2D.height;
        resource_out->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return error;
}

/* Older versions of the structure are shorter: only what is there in all of them is written. Its flags are always 0. */
static void runtime_resource(const CUDA_RESOURCE_DESC *resource, struct cudaResourceDesc *resource_out)
{
    resource_out->resType = (enum cudaResourceType)resource->resType;
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        resource_out->res.array.array = (cudaArray_t)resource->res.array.hArray;
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        resource_out->res.mipmap.mipmap = (cudaMipmappedArray_t)resource->res.mipmap.hMipmappedArray;
        break;
    case CU_RESOURCE_TYPE_LINEAR:
        resource_out->res.linear.devPtr = (void *)resource->res.linear.devPtr;
        resource_out->res.linear.desc =
            gmt_rt_channels_of(resource->res.linear.format, resource->res.linear.numChannels);
        resource_out->res.linear.sizeInBytes = resource->res.linear.sizeInBytes;
        break;
    default:
        resource_out->res.pitch2D.devPtr = (void *)resource->res.pitch2D.devPtr;
        resource_out->res.pitch2D.desc =
            gmt_rt_channels_of(resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
        resource_out->res.pitch2D.width = resource->res.pitch2D.width;
        resource_out->res.pitch2D.height = resource->res.pitch2D.height;
        resource_out->res.pitch2D.pitchInBytes = resource->res.pitch2D.pitchInBytes;
    }
}

/* A flag of the driver's for each yes or no of the runtime's. */
#define TEXTURE_FLAGS(F)                                                                                               \
    F(normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES)                                                                \
    F(sRGB, CU_TRSF_SRGB)                                                                                              \
    F(disableTrilinearOptimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION)                                            \
    F(seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP)

/* Modes are numbered alike in driver and runtime. */
static CUDA_TEXTURE_DESC driver_texture(const struct cudaTextureDesc *texture)
{
    CUDA_TEXTURE_DESC wanted = {.filterMode = (CUfilter_mode)texture->filterMode,
                                .flags = texture->readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0,
                                .maxAnisotropy = texture->maxAnisotropy,
                                .mipmapFilterMode = (CUfilter_mode)texture->mipmapFilterMode,
                                .mipmapLevelBias = texture->mipmapLevelBias,
                                .minMipmapLevelClamp = texture->minMipmapLevelClamp,
                                .maxMipmapLevelClamp = texture->maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++)
        wanted.addressMode[i] = (CUaddress_mode)texture->addressMode[i];
    memcpy(wanted.borderColor, texture->borderColor, sizeof wanted.borderColor);
#define SET(field, flag) wanted.flags |= texture->field ? flag : 0;
    TEXTURE_FLAGS(SET)
#undef SET
    return wanted;
}

static void runtime_texture(const CUDA_TEXTURE_DESC *found, struct cudaTextureDesc *texture_out)
{
    *texture_out = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)found->filterMode,
        .readMode = found->flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
        .maxAnisotropy = found->maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)found->mipmapFilterMode,
        .mipmapLevelBias = found->mipmapLevelBias,
        .minMipmapLevelClamp = found->minMipmapLevelClamp,
        .maxMipmapLevelClamp = found->maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++)
        texture_out->addressMode[i] = (enum cudaTextureAddressMode)found->addressMode[i];
    memcpy(texture_out->borderColor, found->borderColor, sizeof texture_out->borderColor);
#define GET(field, flag) texture_out->field = (found->flags & (flag)) != 0;
    TEXTURE_FLAGS(GET)
#undef GET
}

/* Views are laid out alike in driver and runtime; what is reserved is not there in all versions. */
cudaError_t gmt_rt_texture_create(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
    CUDA_RESOURCE_DESC wanted;
    CUDA_RESOURCE_VIEW_DESC driver_view = {0};
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = texture ? driver_resource(resource, &wanted) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    CUDA_TEXTURE_DESC description = driver_texture(texture);
    if (view)
        memcpy(&driver_view, view, offsetof(CUDA_RESOURCE_VIEW_DESC, reserved));
    return gmt_rt_error(gmt_rt_legacy.cuTexObjectCreate(object, &wanted, &description, view ? &driver_view : NULL));
}

cudaError_t gmt_rt_texture_read(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{
    CUDA_TEXTURE_DESC found;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuTexObjectGetTextureDesc(texture ? &found : NULL, object));
    if (error == cudaSuccess)
        runtime_texture(&found, texture);
    return error;
}

GMT_RT_API cudaDestroyTextureObject(cudaTextureObject_t object)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuTexObjectDestroy(object));
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{
    CUDA_RESOURCE_DESC found;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuTexObjectGetResourceDesc(resource ? &found : NULL, object));
    if (error == cudaSuccess)
        runtime_resource(&found, resource);
    return gmt_rt_end(error);
}

/* Older versions of the structure end before what is reserved. */
GMT_RT_API cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t object)
{
    CUDA_RESOURCE_VIEW_DESC found;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuTexObjectGetResourceViewDesc(view ? &found : NULL, object));
    if (error == cudaSuccess)
        memcpy(view, &found, offsetof(CUDA_RESOURCE_VIEW_DESC, reserved));
    return gmt_rt_end(error);
}

GMT_RT_API cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC wanted;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = driver_resource(resource, &wanted);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuSurfObjectCreate(object, &wanted));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuSurfObjectDestroy(object));
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object)
{
    CUDA_RESOURCE_DESC found;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuSurfObjectGetResourceDesc(resource ? &found : NULL, object));
    if (error == cudaSuccess)
        runtime_resource(&found, resource);
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *channels, int device)
{
    CUarray_format format;
    unsigned int count;
    cudaError_t error = channels ? gmt_rt_start() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_format_of(channels, &format, &count);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetTexture1DLinearMaxWidth(width, format, count, device));
    return gmt_rt_end(error);
}
