/* Primary contexts: one per device, one handle for ever, counted references. A reset ends the context and leaves the
 * references: they still have to be released, and the next retain revives it (measured).
 */
#include "simulator/context.h"

GMT_SIM_BODY(cuDevicePrimaryCtxRetain)(CUcontext *handle, CUdevice ordinal)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    CUresult result = device->primary->alive ? CUDA_SUCCESS : gmt_sim_context_start(device->primary);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    device->primary->references++;
    *handle = (CUcontext)device->primary;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDevicePrimaryCtxRelease_v2)(CUdevice ordinal)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (device->primary->references == 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    if (--device->primary->references == 0 && device->primary->alive)
        gmt_sim_context_end(device->primary);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2)

GMT_SIM_BODY(cuDevicePrimaryCtxReset_v2)(CUdevice ordinal)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (device->primary->alive)
        gmt_sim_context_end(device->primary);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2)

GMT_SIM_BODY(cuDevicePrimaryCtxSetFlags_v2)(CUdevice ordinal, unsigned int flags)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (flags & ~(unsigned int)CU_CTX_FLAGS_MASK)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    device->primary->flags = flags;
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2)

GMT_SIM_BODY(cuDevicePrimaryCtxGetState)(CUdevice ordinal, unsigned int *flags, int *active)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (flags)
        *flags = device->primary->flags;
    if (active)
        *active = device->primary->alive;
    return gmt_sim_leave(CUDA_SUCCESS);
}
