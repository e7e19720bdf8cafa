/* The standard and the current pools. Those of the devices' own memory are made by cuInit, the others when asked for.
 */
#include "simulator/pool_places.h"

#include "simulator/measured_answers.h"

/* Beside the pinned memory of devices, which a device knows itself. */
struct pools {
    struct gmt_sim_pool *standard, *current;
};
static struct pools managed_on_device[GMT_SIM_DEVICES_MAX], managed_anywhere;
static struct pools on_host[2], on_node[2]; /* pinned, managed */

CUresult gmt_sim_pool_place(const CUmemLocation *location, CUmemAllocationType type,
                            struct gmt_sim_pool_place *place_out)
{
    bool managed = type == CU_MEM_ALLOCATION_TYPE_MANAGED;
    struct gmt_sim_device *device = gmt_sim_device(location->id);
    struct pools *pools = NULL;
    if (!managed && type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE && !device)
        return CUDA_ERROR_INVALID_DEVICE;
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE && !managed) {
        *place_out = (struct gmt_sim_pool_place){&device->default_pool, &device->current_pool};
        return CUDA_SUCCESS;
    }
    if (location->type == CU_MEM_LOCATION_TYPE_DEVICE)
        pools = &managed_on_device[device->ordinal];
    else if (location->type == CU_MEM_LOCATION_TYPE_HOST)
        pools = &on_host[managed];
    else if (location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA && location->id == 0)
        pools = &on_node[managed];
    else if (location->type == CU_MEM_LOCATION_TYPE_NONE && managed)
        pools = &managed_anywhere;
    if (!pools)
        return CUDA_ERROR_INVALID_VALUE;
    *place_out = (struct gmt_sim_pool_place){&pools->standard, &pools->current};
    return CUDA_SUCCESS;
}

/* Pools of no device's memory are kept with the first device. */
struct gmt_sim_pool *gmt_sim_pool_at(const CUmemLocation *location, CUmemAllocationType type)
{
    bool of_device = location->type == CU_MEM_LOCATION_TYPE_DEVICE;
    struct gmt_sim_pool *pool = gmt_sim_pool_new(gmt_sim_device(of_device ? location->id : 0));
    if (!pool)
        return NULL;
    pool->location = *location;
    pool->type = type;
    if (!gmt_sim_pool_is_charged(pool))
        pool->host_access = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (!of_device)
        pool->access = (struct gmt_sim_access){0, 0};
    return pool;
}

static CUresult tell(CUmemoryPool *handle, const CUmemLocation *location, CUmemAllocationType type, bool current)
{
    struct gmt_sim_pool_place place;
    if (!handle || !location)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = gmt_sim_pool_place(location, type, &place);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    if (!*place.standard)
        *place.standard = gmt_sim_pool_at(location, type);
    if (!*place.current)
        *place.current = *place.standard;
    *handle = (CUmemoryPool)(current ? *place.current : *place.standard);
    return gmt_sim_leave(*handle ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

static CUresult set(const CUmemLocation *location, CUmemAllocationType type, CUmemoryPool handle)
{
    struct gmt_sim_pool_place place, of_pool;
    if (!location)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = gmt_sim_pool_place(location, type, &place);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    gmt_sim_pool_place(&pool->location, pool->type, &of_pool);
    if (of_pool.current != place.current)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (pool->imported)
        return gmt_sim_leave(GMT_SIM_POOL_IS_IMPORTED);
    *place.current = pool;
    return gmt_sim_leave(CUDA_SUCCESS);
}

static CUmemLocation on_device(CUdevice device)
{
    return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
}

GMT_SIM_BODY(cuDeviceGetDefaultMemPool)(CUmemoryPool *handle, CUdevice device)
{
    CUmemLocation location = on_device(device);
    return tell(handle, &location, CU_MEM_ALLOCATION_TYPE_PINNED, false);
}

GMT_SIM_BODY(cuDeviceGetMemPool)(CUmemoryPool *handle, CUdevice device)
{
    CUmemLocation location = on_device(device);
    return tell(handle, &location, CU_MEM_ALLOCATION_TYPE_PINNED, true);
}

GMT_SIM_BODY(cuDeviceSetMemPool)(CUdevice device, CUmemoryPool handle)
{
    CUmemLocation location = on_device(device);
    return set(&location, CU_MEM_ALLOCATION_TYPE_PINNED, handle);
}

GMT_SIM_BODY(cuMemGetDefaultMemPool)(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    return tell(handle, location, type, false);
}

GMT_SIM_BODY(cuMemGetMemPool)(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type)
{
    return tell(handle, location, type, true);
}

GMT_SIM_BODY(cuMemSetMemPool)(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool handle)
{
    return set(location, type, handle);
}
