/* The properties of a device as they were until 12: a longer structure than that of 11, which is its beginning. */
#include <stddef.h>
#include <string.h>

#include "simulator/runtime/until12/old_name.h"

struct properties {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode,
        maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2],
        maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap,
        maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2],
        maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount,
        unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
        singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported,
        canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor,
        accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
        timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, reserved[63];
};

/* The structure of 11 ends here. */
#define BYTES_OF_11 offsetof(struct properties, hostRegisterSupported)
_Static_assert(BYTES_OF_11 == 728 && sizeof(struct properties) == 1032, "as cudaDeviceProp in 11.8 and 12.9");

/* Everything that is not an attribute stays zero. */
static cudaError_t read_properties(struct properties *properties, int device)
{
    int value;
    memset(properties, 0, sizeof *properties);
    CUresult result = gmt_rt_legacy.cuDeviceGetName(properties->name, sizeof properties->name, device);
    if (result == CUDA_SUCCESS)
        result = gmt_rt_legacy.cuDeviceTotalMem(&properties->totalGlobalMem, device);
    if (result == CUDA_SUCCESS)
        result = gmt_rt_legacy.cuDeviceGetUuid((CUuuid *)&properties->uuid, device);
#define GMT_RT_PROPERTY(field, attribute)                                                                              \
    if (result == CUDA_SUCCESS)                                                                                        \
        result = gmt_rt_legacy.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##attribute, device);                  \
    if (result == CUDA_SUCCESS)                                                                                        \
        properties->field = (typeof(properties->field))value;
#define GMT_RT_PROPERTY_SINCE_13(field, attribute)
#define GMT_RT_PROPERTY_UNTIL_12(field, attribute) GMT_RT_PROPERTY(field, attribute)
#include "simulator/runtime/device_properties.def"
#undef GMT_RT_PROPERTY
#undef GMT_RT_PROPERTY_SINCE_13
#undef GMT_RT_PROPERTY_UNTIL_12
    return gmt_rt_error(result);
}

static cudaError_t tell(void *properties, size_t bytes, int device)
{
    struct properties all;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = properties ? read_properties(&all, device) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        memcpy(properties, &all, bytes);
    return gmt_rt_end(error);
}

GMT_RT_OLD(cudaGetDeviceProperties, (struct properties * properties, int device))
{
    return tell(properties, BYTES_OF_11, device);
}

GMT_RT_OLD(cudaGetDeviceProperties_v2, (struct properties * properties, int device))
{
    return tell(properties, sizeof *properties, device);
}
