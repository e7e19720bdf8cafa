/* Memory and semaphores of other APIs. What describes them is laid out alike in driver and runtime, but for arrays. */
#include "simulator/runtime/channel_format.h"

#define SAME(type, driver_type) _Static_assert(sizeof(type) == sizeof(driver_type), "laid out alike")
SAME(struct cudaExternalMemoryHandleDesc, CUDA_EXTERNAL_MEMORY_HANDLE_DESC);
SAME(struct cudaExternalMemoryBufferDesc, CUDA_EXTERNAL_MEMORY_BUFFER_DESC);
SAME(struct cudaExternalSemaphoreHandleDesc, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC);

GMT_RT_API cudaImportExternalMemory(cudaExternalMemory_t *memory, const struct cudaExternalMemoryHandleDesc *wanted)
{
    const void *same = wanted;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuImportExternalMemory((void *)memory, same)));
}

GMT_RT_API cudaExternalMemoryGetMappedBuffer(void **address, cudaExternalMemory_t handle,
                                             const struct cudaExternalMemoryBufferDesc *wanted)
{
    const void *same = wanted;
    CUdeviceptr *buffer = (CUdeviceptr *)address;
    CUexternalMemory memory = (CUexternalMemory)handle;
    return gmt_rt_end(gmt_rt_begin()
                          ?: gmt_rt_error(gmt_rt_legacy.cuExternalMemoryGetMappedBuffer(buffer, memory, same)));
}

static cudaError_t map_array(CUmipmappedArray *array, CUexternalMemory memory,
                             const struct cudaExternalMemoryMipmappedArrayDesc *wanted)
{
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC asked = {.offset = wanted->offset,
                                                       .arrayDesc = {.Width = wanted->extent.width,
                                                                     .Height = wanted->extent.height,
                                                                     .Depth = wanted->extent.depth,
                                                                     .Flags = wanted->flags},
                                                       .numLevels = wanted->numLevels};
    return gmt_rt_format_of(&wanted->formatDesc, &asked.arrayDesc.Format, &asked.arrayDesc.NumChannels)
               ?: gmt_rt_error(gmt_rt_legacy.cuExternalMemoryGetMappedMipmappedArray(array, memory, &asked));
}

GMT_RT_API cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *array, cudaExternalMemory_t memory,
                                                     const struct cudaExternalMemoryMipmappedArrayDesc *wanted)
{
    cudaError_t error = gmt_rt_begin() ?: (wanted ? cudaSuccess : cudaErrorInvalidValue);
    return gmt_rt_end(error ?: map_array((CUmipmappedArray *)array, (CUexternalMemory)memory, wanted));
}

GMT_RT_API cudaDestroyExternalMemory(cudaExternalMemory_t handle)
{
    CUexternalMemory memory = (CUexternalMemory)handle;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuDestroyExternalMemory(memory)));
}

GMT_RT_API cudaImportExternalSemaphore(cudaExternalSemaphore_t *handle,
                                       const struct cudaExternalSemaphoreHandleDesc *wanted)
{
    const void *same = wanted;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuImportExternalSemaphore((void *)handle, same)));
}

GMT_RT_API cudaDestroyExternalSemaphore(cudaExternalSemaphore_t handle)
{
    CUexternalSemaphore semaphore = (CUexternalSemaphore)handle;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuDestroyExternalSemaphore(semaphore)));
}
