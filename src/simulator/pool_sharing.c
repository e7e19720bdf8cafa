/* Pools between processes: a pool travels as a file descriptor, a block of it as its place in the pool. */
#include <string.h>

#include "simulator/assumed_answers.h"
#include "simulator/live_block.h"
#include "simulator/memory_pool.h"

/* What travels as CUmemPoolPtrExportData. */
struct exported_block {
    char magic[16];
    uint64_t pool; /* the file's number */
    uint64_t offset, bytes;
};
_Static_assert(sizeof(struct exported_block) <= sizeof(CUmemPoolPtrExportData), "fits where it travels");

static const char magic[16] = "simulated block";

GMT_SIM_BODY(cuMemPoolExportToShareableHandle)
(void *shareable, CUmemoryPool handle, CUmemAllocationHandleType type, unsigned long long flags)
{
    if (!shareable || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (pool->handle_types != type)
        return gmt_sim_leave(GMT_SIM_HANDLE_TYPE_NOT_ASKED);
    int fd = gmt_sim_pool_map(pool) ? gmt_sim_shared_lend(&pool->arena->shared) : -1;
    if (fd >= 0)
        *(int *)shareable = fd;
    return gmt_sim_leave(fd >= 0 ? CUDA_SUCCESS : GMT_SIM_SYSTEM_REFUSED);
}

/* The program's descriptor stays its own. */
GMT_SIM_BODY(cuMemPoolImportFromShareableHandle)
(CUmemoryPool *handle, void *shareable, CUmemAllocationHandleType type, unsigned long long flags)
{
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label;
    if (!handle || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    gmt_sim_lock();
    if (!gmt_sim_shared_accept((int)(intptr_t)shareable, GMT_SIM_SHARED_POOL, &file, &label))
        return gmt_sim_leave(GMT_SIM_POOL_DESCRIPTOR_WRONG);
    struct gmt_sim_device *device = gmt_sim_device(label.device);
    struct gmt_sim_pool *pool = device ? gmt_sim_pool_import(device, &file, label.bytes) : NULL;
    if (pool)
        *handle = (CUmemoryPool)pool;
    else
        gmt_sim_shared_close(&file);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    return gmt_sim_leave(pool ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

GMT_SIM_BODY(cuMemPoolExportPointer)(CUmemPoolPtrExportData *data, CUdeviceptr address)
{
    gmt_sim_lock();
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    if (!data || !block || !block->pool || block->pool->handle_types == CU_MEM_HANDLE_TYPE_NONE)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct exported_block exported = {.pool = block->pool->arena->shared.inode,
                                      .offset = block->address - block->pool->arena->address,
                                      .bytes = block->bytes};
    memcpy(exported.magic, magic, sizeof magic);
    memset(data, 0, sizeof *data);
    memcpy(data, &exported, sizeof exported);
    return gmt_sim_leave(CUDA_SUCCESS);
}

static void return_to_owner(struct gmt_sim_block *block)
{
    block->pool->live_blocks--;
}

/* The block stays the other process's; freeing it here forgets it only, however often it was imported (measured). */
GMT_SIM_BODY(cuMemPoolImportPointer)(CUdeviceptr *address, CUmemoryPool handle, CUmemPoolPtrExportData *data)
{
    struct exported_block exported;
    gmt_sim_lock();
    struct gmt_sim_pool *pool = gmt_sim_pool_of(handle);
    if (!address || !data || !pool || !pool->imported)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    memcpy(&exported, data, sizeof exported);
    const struct gmt_sim_arena *arena = pool->arena;
    if (memcmp(exported.magic, magic, sizeof magic) != 0 || exported.pool != arena->shared.inode ||
        exported.bytes > arena->bytes || exported.offset > arena->bytes - exported.bytes)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_block block = {.address = arena->address + exported.offset,
                                  .bytes = exported.bytes,
                                  .kind = GMT_SIM_POOLED,
                                  .device = pool->device,
                                  .pool = pool,
                                  .release = return_to_owner};
    const struct gmt_sim_block *known = gmt_sim_block_at(block.address);
    if (!known || known->bytes != block.bytes) {
        if (!gmt_sim_block_add(&block))
            return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
        gmt_sim_pool_count(pool, block.bytes);
    }
    *address = block.address;
    return gmt_sim_leave(CUDA_SUCCESS);
}
