/* Memory pools. Properties, locations and attributes are laid out alike in driver and runtime. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetDefaultMemPool(pool, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetMemPool(pool, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceSetMemPool(device, pool));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *wanted)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolCreate(pool, (const CUmemPoolProps *)wanted));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolDestroy(cudaMemPool_t pool)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolDestroy(pool));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolTrimTo(pool, keep));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *map, size_t count)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)map, count));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess) {
        CUmemAccess_flags *access = (CUmemAccess_flags *)flags;
        error = gmt_rt_error(gmt_rt_legacy.cuMemPoolGetAccess(access, pool, (CUmemLocation *)location));
    }
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                    enum cudaMemAllocationType type)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemGetDefaultMemPool(pool, (CUmemLocation *)location, wanted));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemGetMemPool(pool, (CUmemLocation *)location, wanted));
    return gmt_rt_end(error);
}

GMT_RT_API cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t pool)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuMemSetMemPool((CUmemLocation *)location, wanted, pool));
    return gmt_rt_end(error);
}
