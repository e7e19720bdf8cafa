/* Blocks that are in use, in a balanced tree by address: two blocks that overlap compare equal. */
#include "simulator/live_block.h"

#include <search.h>
#include <stdlib.h>

#include "simulator/memory_mapping.h"
#include "simulator/memory_pool.h"

static void *tree;
static unsigned long long last_id;

static int compare(const void *left, const void *right)
{
    const struct gmt_sim_block *a = left, *b = right;
    if (a->address + a->bytes <= b->address)
        return -1;
    return b->address + b->bytes <= a->address ? 1 : 0;
}

struct gmt_sim_block *gmt_sim_block_add(const struct gmt_sim_block *block)
{
    struct gmt_sim_block *added = malloc(sizeof *added);
    if (!added)
        return NULL;
    *added = *block;
    added->id = ++last_id;
    if (!added->device && added->context)
        added->device = added->context->device;
    added->before = NULL;
    added->next = added->context ? added->context->blocks : NULL;
    void *slot = tsearch(added, &tree, compare);
    if (!slot || *(struct gmt_sim_block **)slot != added) {
        free(added);
        return NULL;
    }
    if (added->next)
        added->next->before = added;
    if (added->context)
        added->context->blocks = added;
    return added;
}

static void unlink_block(struct gmt_sim_block *block)
{
    tdelete(block, &tree, compare);
    if (block->before)
        block->before->next = block->next;
    else if (block->context)
        block->context->blocks = block->next;
    if (block->next)
        block->next->before = block->before;
}

void gmt_sim_block_remove(struct gmt_sim_block *block)
{
    unlink_block(block);
    free(block);
}

struct gmt_sim_block *gmt_sim_block_touching(uint64_t address, uint64_t bytes)
{
    struct gmt_sim_block key = {.address = address, .bytes = bytes};
    if (bytes == 0 || address + bytes < address)
        return NULL;
    void *slot = tfind(&key, &tree, compare);
    return slot ? *(struct gmt_sim_block **)slot : NULL;
}

struct gmt_sim_block *gmt_sim_block_at(uint64_t address)
{
    struct gmt_sim_block *block = gmt_sim_block_touching(address, 1);
    return block && block->address == address ? block : NULL;
}

struct gmt_sim_block *gmt_sim_block_holding(uint64_t address, uint64_t bytes)
{
    struct gmt_sim_block *block = gmt_sim_block_touching(address, 1);
    return block && bytes <= block->bytes - (address - block->address) ? block : NULL;
}

bool gmt_sim_blocks_cover(uint64_t address, uint64_t bytes)
{
    while (!gmt_sim_block_holding(address, bytes)) {
        struct gmt_sim_block *block = gmt_sim_block_touching(address, 1);
        if (!block || !block->mapping || !gmt_sim_mapping_accessible(block->mapping))
            return false;
        bytes -= block->address + block->bytes - address;
        address = block->address + block->bytes;
    }
    struct gmt_sim_mapping *last = gmt_sim_block_holding(address, bytes)->mapping;
    return !last || gmt_sim_mapping_accessible(last);
}

bool gmt_sim_block_is_managed(const struct gmt_sim_block *block)
{
    return block->kind == GMT_SIM_MANAGED || block->kind == GMT_SIM_MANAGED_VARIABLE ||
           (block->pool && block->pool->type == CU_MEM_ALLOCATION_TYPE_MANAGED);
}

bool gmt_sim_block_is_hosts(const struct gmt_sim_block *block)
{
    if (block->mapping)
        return gmt_sim_location_is_host(block->mapping->physical->properties.location.type);
    if (block->pool)
        return gmt_sim_location_is_host(block->pool->location.type) && !gmt_sim_block_is_managed(block);
    return block->kind == GMT_SIM_HOST || block->kind == GMT_SIM_REGISTERED;
}

static void return_to_heap(struct gmt_sim_block *block)
{
    gmt_sim_heap_return(block->arena, block->span);
}

CUresult gmt_sim_block_take(struct gmt_sim_context *context, struct gmt_sim_heap *heap, enum gmt_sim_block_kind kind,
                            uint64_t bytes, struct gmt_sim_block **block_out)
{
    struct gmt_sim_block block = {
        .bytes = bytes, .kind = kind, .low = heap->low, .context = context, .release = return_to_heap};
    if (!gmt_sim_heap_cut(heap, bytes, &block.arena, &block.span))
        return CUDA_ERROR_OUT_OF_MEMORY;
    block.address = block.arena->address + block.span->offset;
    *block_out = gmt_sim_block_add(&block);
    if (*block_out)
        return CUDA_SUCCESS;
    gmt_sim_heap_return(block.arena, block.span);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

void gmt_sim_block_give(struct gmt_sim_block *block)
{
    if (block->release)
        block->release(block);
    gmt_sim_block_remove(block);
}

void gmt_sim_block_give_later(struct gmt_sim_block *block)
{
    struct gmt_sim_device *device = block->device;
    unlink_block(block);
    block->next = device->deferred;
    device->deferred = block;
}

bool gmt_sim_block_is_deferred(const struct gmt_sim_device *device, uint64_t address)
{
    const struct gmt_sim_block *block = device->deferred;
    while (block && block->address != address)
        block = block->next;
    return block != NULL;
}

void gmt_sim_device_settle(struct gmt_sim_device *device)
{
    while (device->deferred) {
        struct gmt_sim_block *block = device->deferred;
        device->deferred = block->next;
        block->release(block);
        free(block);
    }
    gmt_sim_pools_settle(device);
}

void gmt_sim_blocks_end(struct gmt_sim_context *context)
{
    gmt_sim_device_settle(context->device);
    while (context->blocks)
        gmt_sim_block_give(context->blocks);
}
