/* Memory pools as the program sees them: made, destroyed, asked, set, trimmed. */
#include <stdlib.h>
#include <string.h>

#include "simulator/assumed_answers.h"
#include "simulator/context.h"
#include "simulator/memory_pool.h"

GMT_SIM_BODY(cuMemPoolCreate)(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    if (!handle || !wanted || wanted->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->handleTypes & ~(unsigned int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(wanted->location.id);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_pool *pool = gmt_sim_pool_new(device);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    pool->handle_types = wanted->handleTypes;
    pool->max_bytes = (wanted->maxSize + GMT_SIM_POOL_GRANULE - 1) / GMT_SIM_POOL_GRANULE * GMT_SIM_POOL_GRANULE;
    *handle = (CUmemoryPool)pool;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The default pool cannot be destroyed; a pool that is a device's current one makes way for the default. */
GMT_SIM_BODY(cuMemPoolDestroy)(CUmemoryPool handle)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || pool == pool->device->default_pool)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (pool->device->current_pool == pool)
        pool->device->current_pool = pool->device->default_pool;
    pool->destroyed = true;
    if (pool->live_blocks == 0)
        gmt_sim_pools_settle(pool->device);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The figure of an attribute that is one of 64 bits, NULL for the others. */
static uint64_t *figure(struct gmt_sim_pool *pool, CUmemPool_attribute attribute)
{
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        return &pool->threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        return &pool->reserved;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return &pool->reserved_high;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        return &pool->used;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return &pool->used_high;
    default:
        return NULL;
    }
}

static int *policy(struct gmt_sim_pool *pool, CUmemPool_attribute attribute)
{
    bool known = attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
                 attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
    return known ? &pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] : NULL;
}

GMT_SIM_BODY(cuMemPoolGetAttribute)(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || !value)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (figure(pool, attribute))
        *(cuuint64_t *)value = *figure(pool, attribute);
    else if (policy(pool, attribute))
        *(int *)value = *policy(pool, attribute);
    else
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* A high-water mark can be set to 0 only, and then starts again from what is there now. */
GMT_SIM_BODY(cuMemPoolSetAttribute)(CUmemoryPool handle, CUmemPool_attribute attribute, void *value)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || !value)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    bool zero = figure(pool, attribute) && *(cuuint64_t *)value == 0;
    if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
        pool->threshold = *(cuuint64_t *)value;
        pool->changed = true;
    } else if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH && zero) {
        pool->reserved_high = pool->reserved;
    } else if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH && zero) {
        pool->used_high = pool->used;
    } else if (policy(pool, attribute)) {
        *policy(pool, attribute) = *(int *)value;
    } else {
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    }
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemPoolTrimTo)(CUmemoryPool handle, size_t keep)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    gmt_sim_pool_shrink(pool, keep);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* All of the list is looked at before any of it is done. The pool's own device keeps its access. */
GMT_SIM_BODY(cuMemPoolSetAccess)(CUmemoryPool handle, const CUmemAccessDesc *map, size_t count)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || (count > 0 && !map))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        if (map[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || !gmt_sim_device(map[i].location.id) ||
            !gmt_sim_access_known(map[i].flags))
            return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
        bool own = map[i].location.id == pool->device->ordinal;
        if (own && map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    }
    for (size_t i = 0; i < count; i++)
        gmt_sim_access_set(&pool->access, map[i].location.id, map[i].flags);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemPoolGetAccess)(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || !flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE || !gmt_sim_device(location->id))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = gmt_sim_access_of(&pool->access, location->id);
    return gmt_sim_leave(CUDA_SUCCESS);
}

static CUresult tell_pool(CUmemoryPool *handle, int ordinal, bool current)
{
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    *handle = (CUmemoryPool)(current ? device->current_pool : device->default_pool);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceGetDefaultMemPool)(CUmemoryPool *handle, CUdevice device)
{
    return tell_pool(handle, device, false);
}

GMT_SIM_BODY(cuDeviceGetMemPool)(CUmemoryPool *handle, CUdevice device)
{
    return tell_pool(handle, device, true);
}

GMT_SIM_BODY(cuDeviceSetMemPool)(CUdevice ordinal, CUmemoryPool handle)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (!pool || pool->device != device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (pool->imported)
        return gmt_sim_leave(GMT_SIM_POOL_IS_IMPORTED);
    device->current_pool = pool;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The functions by location know device memory that is pinned, and nothing else. */
static bool is_device_pinned(const CUmemLocation *location, CUmemAllocationType type)
{
    return location && location->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED;
}

GMT_SIM_BODY(cuMemGetDefaultMemPool)(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    return is_device_pinned(location, type) ? tell_pool(handle, location->id, false) : CUDA_ERROR_NOT_SUPPORTED;
}

GMT_SIM_BODY(cuMemGetMemPool)(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    return is_device_pinned(location, type) ? tell_pool(handle, location->id, true) : CUDA_ERROR_NOT_SUPPORTED;
}

GMT_SIM_BODY(cuMemSetMemPool)(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool handle)
{
    return is_device_pinned(location, type) ? gmt_sim_cuDeviceSetMemPool(location->id, handle)
                                            : CUDA_ERROR_NOT_SUPPORTED;
}
