/* Memory pools: address space for the whole device, of which granules are committed as blocks touch them. */
#include "simulator/memory_pool.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "simulator/address_range.h"

/* Where a real driver puts its first pool; a hint only. */
#define POOL_HINT 0x302000000ull

struct gmt_sim_pool *gmt_sim_pool_new(struct gmt_sim_device *device)
{
    struct gmt_sim_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pool->device = device;
    pool->location = (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device->ordinal};
    pool->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    pool->granules = device->capacity / GMT_SIM_POOL_GRANULE + 1;
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    gmt_sim_access_set(&pool->access, device->ordinal, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    pool->next = device->pools;
    device->pools = pool;
    return pool;
}

bool gmt_sim_pool_is_charged(const struct gmt_sim_pool *pool)
{
    return pool->type == CU_MEM_ALLOCATION_TYPE_PINNED && pool->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
}

struct gmt_sim_pool *gmt_sim_pool_import(struct gmt_sim_device *device, const struct gmt_sim_shared *file,
                                         uint64_t bytes)
{
    struct gmt_sim_arena *arena = gmt_sim_arena_over(gmt_sim_range_of_file(bytes, 0, file->fd, 0), bytes);
    struct gmt_sim_pool *pool = arena ? gmt_sim_pool_new(device) : NULL;
    if (!pool) {
        if (arena)
            gmt_sim_arena_unmap(arena);
        return NULL;
    }
    arena->shared = *file;
    arena->pool = pool;
    pool->arena = arena;
    pool->imported = true;
    return pool;
}

/* Address space that other processes can map; NULL when the system refuses. */
static struct gmt_sim_arena *map_shared(const struct gmt_sim_pool *pool, uint64_t bytes)
{
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label = {.kind = GMT_SIM_SHARED_POOL, .device = pool->device->ordinal, .bytes = bytes};
    if (!gmt_sim_shared_make(&label, &file))
        return NULL;
    struct gmt_sim_arena *arena = gmt_sim_arena_over(gmt_sim_range_of_file(bytes, POOL_HINT, file.fd, 0), bytes);
    if (arena)
        arena->shared = file;
    else
        gmt_sim_shared_close(&file);
    return arena;
}

bool gmt_sim_pool_map(struct gmt_sim_pool *pool)
{
    uint64_t bytes = pool->granules * GMT_SIM_POOL_GRANULE;
    if (pool->arena)
        return true;
    pool->committed = calloc(pool->granules, 1);
    if (!pool->committed)
        return false;
    pool->arena = pool->handle_types == CU_MEM_HANDLE_TYPE_NONE ? gmt_sim_arena_map(bytes, POOL_HINT, false)
                                                                : map_shared(pool, bytes);
    if (!pool->arena) {
        free(pool->committed);
        pool->committed = NULL;
        return false;
    }
    pool->arena->pool = pool;
    return true;
}

void gmt_sim_pool_count(struct gmt_sim_pool *pool, uint64_t bytes)
{
    pool->live_blocks++;
    pool->used += bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
}

/* Pays for the granules that the span touches; false, and nothing paid, when the device cannot. */
static bool commit(struct gmt_sim_pool *pool, const struct gmt_sim_span *span)
{
    uint64_t first = span->offset / GMT_SIM_POOL_GRANULE,
             last = (span->offset + span->bytes - 1) / GMT_SIM_POOL_GRANULE;
    uint64_t missing = 0;
    for (uint64_t i = first; i <= last; i++)
        missing += !pool->committed[i];
    if (pool->max_bytes > 0 && missing * GMT_SIM_POOL_GRANULE > pool->max_bytes - pool->reserved)
        return false;
    if (gmt_sim_pool_is_charged(pool) && !gmt_sim_device_take(pool->device, missing * GMT_SIM_POOL_GRANULE))
        return false;
    for (uint64_t i = first; i <= last; i++)
        pool->committed[i] = 1;
    pool->reserved += missing * GMT_SIM_POOL_GRANULE;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
    return true;
}

bool gmt_sim_pool_cut(struct gmt_sim_pool *pool, uint64_t bytes, struct gmt_sim_span **span_out)
{
    if (bytes > pool->device->capacity || !gmt_sim_pool_map(pool))
        return false;
    struct gmt_sim_span *span = gmt_sim_arena_cut(pool->arena, bytes);
    if (!span)
        return false;
    if (!commit(pool, span)) {
        gmt_sim_arena_return(pool->arena, span);
        return false;
    }
    *span_out = span;
    return true;
}

/* Only granules that lie in one free span as a whole can go: neighbouring free spans are always joined. */
void gmt_sim_pool_shrink(struct gmt_sim_pool *pool, uint64_t keep)
{
    /* Pages of a file stay in it until a hole is made there. */
    int advice = pool->handle_types == CU_MEM_HANDLE_TYPE_NONE ? MADV_DONTNEED : MADV_REMOVE;
    if (pool->reserved <= keep || !pool->arena)
        return;
    for (struct gmt_sim_span *span = pool->arena->first; span && pool->reserved > keep; span = span->after) {
        if (span->used)
            continue;
        uint64_t first = (span->offset + GMT_SIM_POOL_GRANULE - 1) / GMT_SIM_POOL_GRANULE;
        uint64_t end = (span->offset + span->bytes) / GMT_SIM_POOL_GRANULE;
        for (uint64_t i = first; i < end && pool->reserved > keep; i++) {
            if (!pool->committed[i])
                continue;
            pool->committed[i] = 0;
            pool->reserved -= GMT_SIM_POOL_GRANULE;
            if (gmt_sim_pool_is_charged(pool))
                gmt_sim_device_give(pool->device, GMT_SIM_POOL_GRANULE);
            char *granule = (char *)(uintptr_t)pool->arena->address + i * GMT_SIM_POOL_GRANULE;
            madvise(granule, GMT_SIM_POOL_GRANULE, advice);
        }
    }
}

static void end(struct gmt_sim_pool *pool)
{
    gmt_sim_pool_shrink(pool, 0);
    struct gmt_sim_pool **link = &pool->device->pools;
    while (*link != pool)
        link = &(*link)->next;
    *link = pool->next;
    if (pool->arena)
        gmt_sim_arena_unmap(pool->arena);
    free(pool->committed);
    free(pool);
}

void gmt_sim_pool_return(struct gmt_sim_pool *pool, struct gmt_sim_span *span)
{
    gmt_sim_arena_return(pool->arena, span);
    pool->live_blocks--;
    pool->changed = true;
}

void gmt_sim_pools_settle(struct gmt_sim_device *device)
{
    struct gmt_sim_pool *next;
    for (struct gmt_sim_pool *pool = device->pools; pool; pool = next) {
        next = pool->next;
        if (pool->destroyed && pool->live_blocks == 0) {
            end(pool);
        } else if (pool->changed) {
            pool->changed = false;
            gmt_sim_pool_shrink(pool, pool->threshold);
        }
    }
}

void gmt_sim_pools_reclaim(struct gmt_sim_device *device)
{
    for (struct gmt_sim_pool *pool = device->pools; pool; pool = pool->next)
        gmt_sim_pool_shrink(pool, 0);
}

struct gmt_sim_pool *gmt_sim_pool_of(CUmemoryPool handle)
{
    for (int i = 0; i < gmt_sim_device_count(); i++) {
        for (struct gmt_sim_pool *pool = gmt_sim_device(i)->pools; pool; pool = pool->next) {
            if ((CUmemoryPool)pool == handle && !pool->destroyed)
                return pool;
        }
    }
    return NULL;
}
