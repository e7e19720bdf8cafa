/* Devices: which one is in use, its limits and preferences. */
#include "simulator/runtime/runtime.h"

/* From cuda_profiler_api.h, which comes in a package of its own where no toolkit is installed. */
GMT_RT_API cudaProfilerStart(void);
GMT_RT_API cudaProfilerStop(void);

GMT_RT_API cudaGetDeviceCount(int *count)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess && !count)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *count = gmt_rt_device_count();
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetDevice(int *device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess && !device)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_device(device);
    return gmt_rt_end(error);
}

GMT_RT_API cudaSetDevice(int device)
{
    return gmt_rt_end(gmt_rt_device_set(device));
}

GMT_RT_API cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess && (flags & cudaInitDeviceFlagsAreValid))
        error = gmt_rt_error(gmt_rt_legacy.cuDevicePrimaryCtxSetFlags(device, device_flags));
    if (error == cudaSuccess)
        error = gmt_rt_device_set(device);
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceReset(void)
{
    return gmt_rt_end(gmt_rt_device_reset());
}

GMT_RT_API cudaDeviceSynchronize(void)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxSynchronize());
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxGetLimit(value, (CUlimit)limit));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxSetLimit((CUlimit)limit, value));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxGetStreamPriorityRange(least, greatest));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxGetCacheConfig((CUfunc_cache *)config));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxSetCacheConfig((CUfunc_cache)config));
    return gmt_rt_end(error);
}

GMT_RT_API cudaCtxResetPersistingL2Cache(void)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuCtxResetPersistingL2Cache());
    return gmt_rt_end(error);
}

GMT_RT_API cudaSetDeviceFlags(unsigned int flags)
{
    int device;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_device(&device);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDevicePrimaryCtxSetFlags(device, flags & cudaDeviceMask));
    return gmt_rt_end(error);
}

/* Mapped host memory is always on, and says so (measured). */
GMT_RT_API cudaGetDeviceFlags(unsigned int *flags)
{
    int active, device;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess && !flags)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_device(&device);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDevicePrimaryCtxGetState(device, flags, &active));
    if (error == cudaSuccess)
        *flags |= cudaDeviceMapHost;
    return gmt_rt_end(error);
}

/* Every simulated device reaches every other one; enabling says only whether there is such a device. */
static cudaError_t check_peer(int peer)
{
    int can, device;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_device(&device);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceCanAccessPeer(&can, device, peer));
    return error == cudaSuccess && !can ? cudaErrorInvalidDevice : error;
}

GMT_RT_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    return gmt_rt_end(flags == 0 ? check_peer(peer) : cudaErrorInvalidValue);
}

GMT_RT_API cudaDeviceDisablePeerAccess(int peer)
{
    return gmt_rt_end(check_peer(peer));
}

GMT_RT_API cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemGetInfo(free_bytes, total_bytes));
    return gmt_rt_end(error);
}

GMT_RT_API cudaProfilerStart(void)
{
    return gmt_rt_end(gmt_rt_begin());
}

GMT_RT_API cudaProfilerStop(void)
{
    return gmt_rt_end(gmt_rt_begin());
}
