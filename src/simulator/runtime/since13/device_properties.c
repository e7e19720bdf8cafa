/* What a device is. */
#include <string.h>

#include "simulator/runtime/runtime.h"

/* Everything that is not an attribute stays zero. */
static cudaError_t read_properties(struct cudaDeviceProp *properties, int device)
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
#define GMT_RT_PROPERTY_SINCE_13(field, attribute) GMT_RT_PROPERTY(field, attribute)
#define GMT_RT_PROPERTY_UNTIL_12(field, attribute)
#include "simulator/runtime/device_properties.def"
#undef GMT_RT_PROPERTY
#undef GMT_RT_PROPERTY_SINCE_13
#undef GMT_RT_PROPERTY_UNTIL_12
    return gmt_rt_error(result);
}

GMT_RT_API cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = properties ? read_properties(properties, device) : cudaErrorInvalidValue;
    return gmt_rt_end(error);
}
