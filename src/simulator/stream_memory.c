/* Stream-ordered blocks: taken from a pool and given back to it in the order of a stream. */
#include "simulator/capture.h"
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/memory_pool.h"
#include "simulator/stream.h"

static void return_to_pool(struct gmt_sim_block *block)
{
    gmt_sim_pool_return(block->pool, block->span);
}

/* A call that fails leaves 0 as the address, and nothing asked for is nothing taken: success and NULL. Blocks of pools
 * are the device's and outlive contexts (all measured). Lock held. */
static CUresult take(struct gmt_sim_pool *pool, size_t bytes, CUdeviceptr *address)
{
    struct gmt_sim_block block = {
        .bytes = bytes, .kind = GMT_SIM_POOLED, .device = pool->device, .pool = pool, .release = return_to_pool};
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    *address = 0;
    if (bytes == 0)
        return CUDA_SUCCESS;
    if (!gmt_sim_pool_cut(pool, bytes, &block.span))
        return CUDA_ERROR_OUT_OF_MEMORY;
    block.arena = pool->arena;
    block.address = pool->arena->address + block.span->offset;
    if (!gmt_sim_block_add(&block)) {
        gmt_sim_arena_return(pool->arena, block.span);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    gmt_sim_pool_count(pool, bytes);
    *address = block.address;
    return CUDA_SUCCESS;
}

/* A captured call makes a node, whose address is known at once; its memory comes from the graphs' pool. */
static CUresult take_later(struct gmt_sim_stream *stream, int device, size_t bytes, CUdeviceptr *address)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                                .alloc = {.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                        .location = {CU_MEM_LOCATION_TYPE_DEVICE, device}},
                                          .bytesize = bytes}};
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = bytes ? gmt_sim_capture_add(stream, &params) : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS)
        *address = params.alloc.dptr;
    return result;
}

static CUresult take_in_stream(struct gmt_sim_stream *stream, struct gmt_sim_pool *pool, size_t bytes,
                               CUdeviceptr *address)
{
    return stream->capture ? take_later(stream, pool->device->ordinal, bytes, address) : take(pool, bytes, address);
}

GMT_SIM_BODY(cuMemAllocAsync)(CUdeviceptr *address, size_t bytes, CUstream handle)
{
    struct gmt_sim_stream *stream;
    if (address)
        *address = 0;
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    return gmt_sim_leave(take_in_stream(stream, stream->context->device->current_pool, bytes, address));
}
GMT_SIM_TWIN(cuMemAllocAsync_ptsz, cuMemAllocAsync)

GMT_SIM_BODY(cuMemAllocFromPoolAsync)(CUdeviceptr *address, size_t bytes, CUmemoryPool pool_handle, CUstream handle)
{
    struct gmt_sim_stream *stream;
    if (address)
        *address = 0;
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_pool *pool = gmt_sim_pool_of(pool_handle);
    if (!pool)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return gmt_sim_leave(pool->imported ? GMT_SIM_POOL_IS_IMPORTED : take_in_stream(stream, pool, bytes, address));
}
GMT_SIM_TWIN(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync)

static CUresult give(uint64_t address)
{
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    if (block && block->kind == GMT_SIM_DEVICE) {
        gmt_sim_block_give_later(block);
        return CUDA_SUCCESS;
    }
    if (!block || (block->kind != GMT_SIM_POOLED && block->kind != GMT_SIM_GRAPH_BLOCK))
        return CUDA_ERROR_INVALID_VALUE;
    if (block->pool)
        block->pool->used -= block->bytes;
    gmt_sim_block_give(block);
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemFreeAsync)(CUdeviceptr address, CUstream handle)
{
    struct gmt_sim_stream *stream;
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};
    CUresult result = gmt_sim_enter_work(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (address == 0)
        return gmt_sim_leave(CUDA_SUCCESS);
    return gmt_sim_leave(stream->capture ? gmt_sim_capture_add(stream, &params) : give(address));
}
GMT_SIM_TWIN(cuMemFreeAsync_ptsz, cuMemFreeAsync)
