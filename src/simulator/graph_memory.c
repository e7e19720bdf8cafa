/* The graphs' pool of each device, and the ranges that are placed in it. */
#include "simulator/graph_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "simulator/live_block.h"
#include "simulator/measured_answers.h"

static struct gmt_sim_graph_range *all;

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct gmt_sim_graph_range *gmt_sim_graph_range_new(struct gmt_sim_device *device, uint64_t bytes)
{
    struct gmt_sim_graph_range *range = bytes <= UINT64_MAX / 2 ? calloc(1, sizeof *range) : NULL;
    struct gmt_sim_arena *arena = range ? gmt_sim_arena_map(round_up(bytes, GMT_SIM_CHUNK), 0, false) : NULL;
    if (!arena) {
        free(range);
        return NULL;
    }
    *range = (struct gmt_sim_graph_range){.references = 1,
                                          .device = device,
                                          .arena = arena,
                                          .address = arena->address,
                                          .bytes = bytes,
                                          .size = round_up(bytes, GMT_SIM_GRAPH_GRANULE),
                                          .next = all};
    if (all)
        all->before = range;
    all = range;
    return range;
}

struct gmt_sim_graph_range *gmt_sim_graph_range_hold(struct gmt_sim_graph_range *range)
{
    range->references++;
    return range;
}

void gmt_sim_graph_range_drop(struct gmt_sim_graph_range *range)
{
    if (--range->references > 0)
        return;
    if (range->before)
        range->before->next = range->next;
    else
        all = range->next;
    if (range->next)
        range->next->before = range->before;
    gmt_sim_arena_unmap(range->arena);
    free(range);
}

struct gmt_sim_graph_range *gmt_sim_graph_range_at(uint64_t address)
{
    struct gmt_sim_graph_range *range = all;
    while (range && range->address != address)
        range = range->next;
    return range;
}

/* The memory goes back to the pool, not to the device. */
static void release(struct gmt_sim_block *block)
{
    struct gmt_sim_graph_range *range = gmt_sim_graph_range_at(block->address);
    range->device->graph_pool.live -= range->size;
    madvise((void *)(uintptr_t)range->address, range->arena->bytes, MADV_DONTNEED);
    gmt_sim_graph_range_drop(range);
}

bool gmt_sim_graph_range_take(struct gmt_sim_graph_range *range)
{
    struct gmt_sim_block block = {.address = range->address,
                                  .bytes = range->bytes,
                                  .kind = GMT_SIM_GRAPH_BLOCK,
                                  .device = range->device,
                                  .release = release};
    if (!gmt_sim_block_add(&block))
        return false;
    gmt_sim_graph_range_hold(range);
    range->device->graph_pool.live += range->size;
    return true;
}

bool gmt_sim_graph_pool_reserve(struct gmt_sim_device *device, uint64_t bytes)
{
    struct gmt_sim_graph_pool *pool = &device->graph_pool;
    if (pool->live + bytes <= pool->reserved)
        return true;
    uint64_t missing = pool->live + bytes - pool->reserved;
    if (!gmt_sim_device_take(device, missing))
        return false;
    pool->reserved += missing;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
    if (pool->reserved > pool->used_high)
        pool->used_high = pool->reserved;
    return true;
}

void gmt_sim_graph_pool_trim(struct gmt_sim_device *device)
{
    struct gmt_sim_graph_pool *pool = &device->graph_pool;
    gmt_sim_device_give(device, pool->reserved - pool->live);
    pool->reserved = pool->live;
}

/* NULL for an attribute that there is not. */
static uint64_t *figure(struct gmt_sim_graph_pool *pool, CUgraphMem_attribute attribute)
{
    switch (attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
        return &pool->used_high;
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
        return &pool->reserved;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
        return &pool->reserved_high;
    default:
        return NULL;
    }
}

GMT_SIM_BODY(cuDeviceGetGraphMemAttribute)(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    const uint64_t *found = figure(&device->graph_pool, attribute);
    if (!found || !value)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *(cuuint64_t *)value = *found;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The high-water marks can be set to zero, which makes them start again from what is there now. */
GMT_SIM_BODY(cuDeviceSetGraphMemAttribute)(CUdevice ordinal, CUgraphMem_attribute attribute, void *value)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    bool high = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
    if (!high || !value || *(cuuint64_t *)value != 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_graph_pool *pool = &device->graph_pool;
    *figure(pool, attribute) = pool->reserved;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceGraphMemTrim)(CUdevice ordinal)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    gmt_sim_graph_pool_trim(device);
    return gmt_sim_leave(CUDA_SUCCESS);
}
