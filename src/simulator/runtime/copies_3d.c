/* Copies of three dimensions, between memory and arrays. */
#include "simulator/runtime/channel_format.h"
#include "simulator/runtime/copies.h"

/* One end of a copy as both descriptions of the runtime give it. */
struct end {
    cudaArray_t array;
    struct cudaPos position;
    struct cudaPitchedPtr memory;
    CUmemorytype type;
};

/* The bytes of an array's element; memory has elements of one byte. */
static cudaError_t element_bytes(cudaArray_t array, size_t *bytes_out)
{
    CUDA_ARRAY3D_DESCRIPTOR description;
    *bytes_out = 1;
    if (!array)
        return cudaSuccess;
    cudaError_t error = gmt_rt_error(gmt_rt_legacy.cuArray3DGetDescriptor(&description, (CUarray)array));
    if (error == cudaSuccess)
        *bytes_out = gmt_rt_element_bytes(description.Format, description.NumChannels);
    return error;
}

static cudaError_t describe(const struct end *to, const struct end *from, struct cudaExtent extent,
                            CUDA_MEMCPY3D *copy_out)
{
    size_t to_bytes, from_bytes;
    cudaError_t error = element_bytes(to->array, &to_bytes);
    if (error == cudaSuccess)
        error = element_bytes(from->array, &from_bytes);
    if (error != cudaSuccess)
        return error;
    /* An end is an array or memory, not both and not neither. */
    if (!to->array == !to->memory.ptr || !from->array == !from->memory.ptr ||
        (to->array && from->array && to_bytes != from_bytes))
        return cudaErrorInvalidValue;
    size_t unit = to->array ? to_bytes : from_bytes;
    *copy_out = (CUDA_MEMCPY3D){.srcXInBytes = from->position.x * from_bytes,
                                .srcY = from->position.y,
                                .srcZ = from->position.z,
                                .srcMemoryType = from->array ? CU_MEMORYTYPE_ARRAY : from->type,
                                .srcHost = from->memory.ptr,
                                .srcDevice = gmt_rt_address(from->memory.ptr),
                                .srcArray = (CUarray)from->array,
                                .srcPitch = from->memory.pitch,
                                .srcHeight = from->memory.ysize,
                                .dstXInBytes = to->position.x * to_bytes,
                                .dstY = to->position.y,
                                .dstZ = to->position.z,
                                .dstMemoryType = to->array ? CU_MEMORYTYPE_ARRAY : to->type,
                                .dstHost = to->memory.ptr,
                                .dstDevice = gmt_rt_address(to->memory.ptr),
                                .dstArray = (CUarray)to->array,
                                .dstPitch = to->memory.pitch,
                                .dstHeight = to->memory.ysize,
                                .WidthInBytes = extent.width * unit,
                                .Height = extent.height,
                                .Depth = extent.depth};
    return cudaSuccess;
}

cudaError_t gmt_rt_copy_describe(const struct cudaMemcpy3DParms *wanted, CUDA_MEMCPY3D *copy_out)
{
    if (!wanted)
        return cudaErrorInvalidValue;
    struct end to = {wanted->dstArray, wanted->dstPos, wanted->dstPtr, gmt_rt_copy_side(wanted->kind, false)};
    struct end from = {wanted->srcArray, wanted->srcPos, wanted->srcPtr, gmt_rt_copy_side(wanted->kind, true)};
    cudaError_t error = gmt_rt_copy_check(wanted->kind);
    return error == cudaSuccess ? describe(&to, &from, wanted->extent, copy_out) : error;
}

/* The direction in which the kinds of memory at both ends go. */
static enum cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from)
{
    bool to_host = to == CU_MEMORYTYPE_HOST, from_host = from == CU_MEMORYTYPE_HOST;
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (to_host)
        return from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from_host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

cudaError_t gmt_rt_copy_tell(const CUDA_MEMCPY3D *copy, struct cudaMemcpy3DParms *told_out)
{
    bool to_array = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY, from_array = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY;
    bool to_host = copy->dstMemoryType == CU_MEMORYTYPE_HOST, from_host = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
    cudaArray_t to = to_array ? (cudaArray_t)copy->dstArray : NULL,
                from = from_array ? (cudaArray_t)copy->srcArray : NULL;
    void *to_memory = to_host ? copy->dstHost : (void *)copy->dstDevice;
    void *from_memory = from_host ? (void *)(uintptr_t)copy->srcHost : (void *)copy->srcDevice;
    size_t to_bytes = 1, from_bytes = 1;
    cudaError_t error = element_bytes(to, &to_bytes);
    if (error == cudaSuccess)
        error = element_bytes(from, &from_bytes);
    if (error != cudaSuccess)
        return error;
    *told_out = (struct cudaMemcpy3DParms){
        .srcArray = from,
        .srcPos = {copy->srcXInBytes / from_bytes, copy->srcY, copy->srcZ},
        .dstArray = to,
        .dstPos = {copy->dstXInBytes / to_bytes, copy->dstY, copy->dstZ},
        .extent = {copy->WidthInBytes / (to ? to_bytes : from_bytes), copy->Height, copy->Depth},
        .kind = kind_of(copy->dstMemoryType, copy->srcMemoryType)};
    if (!from_array)
        told_out->srcPtr = (struct cudaPitchedPtr){from_memory, copy->srcPitch, copy->WidthInBytes, copy->srcHeight};
    if (!to_array)
        told_out->dstPtr = (struct cudaPitchedPtr){to_memory, copy->dstPitch, copy->WidthInBytes, copy->dstHeight};
    return cudaSuccess;
}

struct cudaMemcpy3DParms gmt_rt_copy_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                      .dstPtr = {to, bytes, bytes, 1},
                                      .extent = {bytes, 1, 1},
                                      .kind = kind};
}

static cudaError_t cudaMemcpy3D_with(const struct gmt_rt_driver *driver, const struct cudaMemcpy3DParms *wanted)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_describe(wanted, &copy);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemcpy3D(&copy));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy3D, cudaMemcpy3D_ptds, (const struct cudaMemcpy3DParms *wanted), wanted)

static cudaError_t cudaMemcpy3DAsync_with(const struct gmt_rt_driver *driver, const struct cudaMemcpy3DParms *wanted,
                                          cudaStream_t stream)
{
    CUDA_MEMCPY3D copy;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_copy_describe(wanted, &copy);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemcpy3DAsync(&copy, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz, (const struct cudaMemcpy3DParms *wanted, cudaStream_t stream),
            wanted, stream)

/* The addresses are unified: the devices need not be named, and the plain copy does what one between devices does. */
static cudaError_t describe_peer(const struct cudaMemcpy3DPeerParms *wanted, CUDA_MEMCPY3D_PEER *copy_out)
{
    CUDA_MEMCPY3D plain;
    if (!wanted)
        return cudaErrorInvalidValue;
    struct end to = {wanted->dstArray, wanted->dstPos, wanted->dstPtr, CU_MEMORYTYPE_DEVICE};
    struct end from = {wanted->srcArray, wanted->srcPos, wanted->srcPtr, CU_MEMORYTYPE_DEVICE};
    cudaError_t error = describe(&to, &from, wanted->extent, &plain);
    if (error != cudaSuccess)
        return error;
    *copy_out = (CUDA_MEMCPY3D_PEER){.srcXInBytes = plain.srcXInBytes,
                                     .srcY = plain.srcY,
                                     .srcZ = plain.srcZ,
                                     .srcMemoryType = plain.srcMemoryType,
                                     .srcDevice = plain.srcDevice,
                                     .srcArray = plain.srcArray,
                                     .srcPitch = plain.srcPitch,
                                     .srcHeight = plain.srcHeight,
                                     .dstXInBytes = plain.dstXInBytes,
                                     .dstY = plain.dstY,
                                     .dstZ = plain.dstZ,
                                     .dstMemoryType = plain.dstMemoryType,
                                     .dstDevice = plain.dstDevice,
                                     .dstArray = plain.dstArray,
                                     .dstPitch = plain.dstPitch,
                                     .dstHeight = plain.dstHeight,
                                     .WidthInBytes = plain.WidthInBytes,
                                     .Height = plain.Height,
                                     .Depth = plain.Depth};
    return cudaSuccess;
}

static cudaError_t cudaMemcpy3DPeer_with(const struct gmt_rt_driver *driver, const struct cudaMemcpy3DPeerParms *wanted)
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = describe_peer(wanted, &copy);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemcpy3DPeer(&copy));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy3DPeer, cudaMemcpy3DPeer_ptds, (const struct cudaMemcpy3DPeerParms *wanted), wanted)

static cudaError_t cudaMemcpy3DPeerAsync_with(const struct gmt_rt_driver *driver,
                                              const struct cudaMemcpy3DPeerParms *wanted, cudaStream_t stream)
{
    CUDA_MEMCPY3D_PEER copy;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = describe_peer(wanted, &copy);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuMemcpy3DPeerAsync(&copy, stream));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemcpy3DPeerAsync, cudaMemcpy3DPeerAsync_ptsz,
            (const struct cudaMemcpy3DPeerParms *wanted, cudaStream_t stream), wanted, stream)
