/* Memory pools as the program sees them: made, destroyed, asked, set, trimmed. */
#include <stdlib.h>
#include <string.h>

#include "simulator/assumed_answers.h"
#include "simulator/context.h"
#include "simulator/pool_places.h"

/* Memory of the host at large, and managed memory, does not leave the process. */
static CUresult check_handle_types(const CUmemPoolProps *wanted)
{
    if (wanted->handleTypes & ~(unsigned int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    bool stays =
        wanted->location.type == CU_MEM_LOCATION_TYPE_HOST || wanted->allocType != CU_MEM_ALLOCATION_TYPE_PINNED;
    return stays && wanted->handleTypes != CU_MEM_HANDLE_TYPE_NONE ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemPoolCreate)(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    struct gmt_sim_pool_place place;
    if (!handle || !wanted)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    if (gmt_sim_pool_place(&wanted->location, wanted->allocType, &place) != CUDA_SUCCESS)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = check_handle_types(wanted);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    struct gmt_sim_pool *pool = gmt_sim_pool_at(&wanted->location, wanted->allocType);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    pool->handle_types = wanted->handleTypes;
    pool->max_bytes = (wanted->maxSize + GMT_SIM_POOL_GRANULE - 1) / GMT_SIM_POOL_GRANULE * GMT_SIM_POOL_GRANULE;
    *handle = (CUmemoryPool)pool;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* A standard pool cannot be destroyed; a pool that is the current one makes way for the standard one. */
GMT_SIM_BODY(cuMemPoolDestroy)(CUmemoryPool handle)
{
    struct gmt_sim_pool_place place;
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || gmt_sim_pool_place(&pool->location, pool->type, &place) != CUDA_SUCCESS || pool == *place.standard)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (*place.current == pool)
        *place.current = *place.standard;
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

/* A device keeps its access to its own memory, and the host reaches none of that. */
static bool can_be_set(const struct gmt_sim_pool *pool, const CUmemAccessDesc *wanted)
{
    bool charged = gmt_sim_pool_is_charged(pool);
    if (!gmt_sim_access_known(wanted->flags))
        return false;
    if (gmt_sim_location_is_host(wanted->location.type))
        return !charged;
    if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE || !gmt_sim_device(wanted->location.id))
        return false;
    bool own = charged && wanted->location.id == pool->device->ordinal;
    return !own || wanted->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

/* All of the list is looked at before any of it is done. */
GMT_SIM_BODY(cuMemPoolSetAccess)(CUmemoryPool handle, const CUmemAccessDesc *map, size_t count)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || (count > 0 && !map))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        if (!can_be_set(pool, &map[i]))
            return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    }
    for (size_t i = 0; i < count; i++) {
        if (gmt_sim_location_is_host(map[i].location.type))
            pool->host_access = map[i].flags;
        else
            gmt_sim_access_set(&pool->access, map[i].location.id, map[i].flags);
    }
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemPoolGetAccess)(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location)
{
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool || !flags || !location)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    bool host = gmt_sim_location_is_host(location->type);
    if (!host && (location->type != CU_MEM_LOCATION_TYPE_DEVICE || !gmt_sim_device(location->id)))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = host ? pool->host_access : gmt_sim_access_of(&pool->access, location->id);
    return gmt_sim_leave(CUDA_SUCCESS);
}
