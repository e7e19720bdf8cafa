/* Memory pools. Properties, locations, attributes and what is exported are laid out alike in driver and runtime. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return gmt_rt_end(gmt_rt_start() ?: gmt_rt_error(gmt_rt_legacy.cuDeviceGetDefaultMemPool(pool, device)));
}

GMT_RT_API cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return gmt_rt_end(gmt_rt_start() ?: gmt_rt_error(gmt_rt_legacy.cuDeviceGetMemPool(pool, device)));
}

GMT_RT_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return gmt_rt_end(gmt_rt_start() ?: gmt_rt_error(gmt_rt_legacy.cuDeviceSetMemPool(device, pool)));
}

GMT_RT_API cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *wanted)
{
    const void *same = wanted;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolCreate(pool, same)));
}

GMT_RT_API cudaMemPoolDestroy(cudaMemPool_t pool)
{
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolDestroy(pool)));
}

GMT_RT_API cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    CUmemPool_attribute wanted = (CUmemPool_attribute)attribute;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolGetAttribute(pool, wanted, value)));
}

GMT_RT_API cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    CUmemPool_attribute wanted = (CUmemPool_attribute)attribute;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolSetAttribute(pool, wanted, value)));
}

GMT_RT_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolTrimTo(pool, keep)));
}

GMT_RT_API cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *map, size_t count)
{
    return gmt_rt_end(gmt_rt_begin()
                          ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)map, count)));
}

GMT_RT_API cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    CUmemAccess_flags *access = (CUmemAccess_flags *)flags;
    CUmemLocation *where = (CUmemLocation *)location;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolGetAccess(access, pool, where)));
}

GMT_RT_API cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                    enum cudaMemAllocationType type)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    return gmt_rt_end(
        gmt_rt_start() ?: gmt_rt_error(gmt_rt_legacy.cuMemGetDefaultMemPool(pool, (CUmemLocation *)location, wanted)));
}

GMT_RT_API cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    return gmt_rt_end(gmt_rt_start()
                          ?: gmt_rt_error(gmt_rt_legacy.cuMemGetMemPool(pool, (CUmemLocation *)location, wanted)));
}

GMT_RT_API cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t pool)
{
    CUmemAllocationType wanted = (CUmemAllocationType)type;
    return gmt_rt_end(gmt_rt_start()
                          ?: gmt_rt_error(gmt_rt_legacy.cuMemSetMemPool((CUmemLocation *)location, wanted, pool)));
}

GMT_RT_API cudaMemPoolExportToShareableHandle(void *shareable, cudaMemPool_t pool,
                                              enum cudaMemAllocationHandleType type, unsigned int flags)
{
    CUmemAllocationHandleType wanted = (CUmemAllocationHandleType)type;
    return gmt_rt_end(
        gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolExportToShareableHandle(shareable, pool, wanted, flags)));
}

GMT_RT_API cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *shareable,
                                                enum cudaMemAllocationHandleType type, unsigned int flags)
{
    CUmemAllocationHandleType wanted = (CUmemAllocationHandleType)type;
    return gmt_rt_end(
        gmt_rt_begin()
            ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolImportFromShareableHandle(pool, shareable, wanted, flags)));
}

GMT_RT_API cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *address)
{
    CUmemPoolPtrExportData *exported = (CUmemPoolPtrExportData *)data;
    CUdeviceptr block = gmt_rt_address(address);
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolExportPointer(exported, block)));
}

GMT_RT_API cudaMemPoolImportPointer(void **address, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *data)
{
    CUmemPoolPtrExportData *exported = (CUmemPoolPtrExportData *)data;
    CUdeviceptr *block = (CUdeviceptr *)address;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuMemPoolImportPointer(block, pool, exported)));
}
