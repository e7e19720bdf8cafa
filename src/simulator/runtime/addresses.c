/* What an address is; registration of the program's own memory. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaHostRegister(void *address, size_t bytes, unsigned int flags)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostRegister(address, bytes, flags));
    return gmt_rt_end(error);
}

GMT_RT_API cudaHostUnregister(void *address)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostUnregister(address));
    return gmt_rt_end(error);
}

GMT_RT_API cudaHostGetDevicePointer(void **device_address, void *address, unsigned int flags)
{
    CUdeviceptr found = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !device_address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostGetDevicePointer(&found, address, flags));
    if (error == cudaSuccess)
        *device_address = (void *)found;
    return gmt_rt_end(error);
}

GMT_RT_API cudaHostGetFlags(unsigned int *flags, void *address)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemHostGetFlags(flags, address));
    return gmt_rt_end(error);
}

/* Memory that CUDA does not know is no error: it is "unregistered", on no device (-2), at its own host address. */
static CUresult read_attributes(struct cudaPointerAttributes *attributes, const void *address)
{
    unsigned int type = 0, managed = 0;
    int device = -2;
    CUdeviceptr on_device = 0;
    void *on_host = NULL;
    CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                    CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void *targets[] = {&type, &managed, &device, &on_device, &on_host};
    CUresult result = gmt_rt_legacy.cuPointerGetAttributes(5, wanted, targets, gmt_rt_address(address));
    attributes->type = cudaMemoryTypeUnregistered;
    if (managed)
        attributes->type = cudaMemoryTypeManaged;
    else if (type == CU_MEMORYTYPE_HOST)
        attributes->type = cudaMemoryTypeHost;
    else if (type == CU_MEMORYTYPE_DEVICE)
        attributes->type = cudaMemoryTypeDevice;
    attributes->device = device;
    attributes->devicePointer = (void *)on_device;
    attributes->hostPointer = attributes->type == cudaMemoryTypeUnregistered ? (void *)(uintptr_t)address : on_host;
    return result;
}

GMT_RT_API cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *address)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !attributes)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_error(read_attributes(attributes, address));
    return gmt_rt_end(error);
}
