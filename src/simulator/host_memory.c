/* Pinned host memory and the registration of the program's own. */
#include "simulator/address_range.h"
#include "simulator/context.h"
#include "simulator/live_block.h"

#define HOST_ALLOC_FLAGS (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED)
#define REGISTER_FLAGS                                                                                                 \
    (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY |                        \
     CU_MEMHOSTREGISTER_READ_ONLY)

/* Nothing asked for is nothing taken: success and NULL (measured). Lock held. */
static CUresult take(struct gmt_sim_context *context, size_t bytes, unsigned int flags, void **address_out)
{
    struct gmt_sim_block *block;
    if (!address_out || (flags & ~(unsigned int)HOST_ALLOC_FLAGS))
        return CUDA_ERROR_INVALID_VALUE;
    *address_out = NULL;
    if (bytes == 0)
        return CUDA_SUCCESS;
    CUresult result = gmt_sim_block_take(context, &context->host_heap, GMT_SIM_HOST, bytes, &block);
    if (result != CUDA_SUCCESS)
        return result;
    block->flags = flags | CU_MEMHOSTALLOC_DEVICEMAP;
    *address_out = (void *)(uintptr_t)block->address;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemHostAlloc)(void **address, size_t bytes, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(take(context, bytes, flags, address)) : result;
}

GMT_SIM_BODY(cuMemAllocHost_v2)(void **address, size_t bytes)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(take(context, bytes, 0, address)) : result;
}

GMT_SIM_BODY(cuMemAllocHost)(void **address, unsigned int bytes)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(take(context, bytes, 0, address)) : result;
}

GMT_SIM_BODY(cuMemFreeHost)(void *address)
{
    struct gmt_sim_context *context = gmt_sim_current();
    if (!address)
        return CUDA_SUCCESS;
    gmt_sim_lock();
    struct gmt_sim_block *block = gmt_sim_block_at((uintptr_t)address);
    if (context && !context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (!block || block->kind != GMT_SIM_HOST)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    gmt_sim_block_give(block);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemHostRegister_v2)(void *address, size_t bytes, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!address || bytes == 0 || (flags & ~(unsigned int)REGISTER_FLAGS) || (uintptr_t)address + bytes < bytes)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    const struct gmt_sim_block *there = gmt_sim_block_touching((uintptr_t)address, bytes);
    if (there) /* 1 over what cuMemHostAlloc gave was measured */
        return gmt_sim_leave(there->kind == GMT_SIM_HOST ? CUDA_ERROR_INVALID_VALUE
                                                         : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    if (!gmt_sim_range_is_mapped((uintptr_t)address, bytes)) /* measured */
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_block block = {.address = (uintptr_t)address,
                                  .bytes = bytes,
                                  .kind = GMT_SIM_REGISTERED,
                                  .flags = flags | CU_MEMHOSTREGISTER_DEVICEMAP,
                                  .context = context};
    return gmt_sim_leave(gmt_sim_block_add(&block) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}
GMT_SIM_TWIN(cuMemHostRegister, cuMemHostRegister_v2)

GMT_SIM_BODY(cuMemHostUnregister)(void *address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = gmt_sim_block_touching((uintptr_t)address, 1);
    if (!address || (block && (block->kind != GMT_SIM_REGISTERED || block->address != (uintptr_t)address)))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!block)
        return gmt_sim_leave(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    gmt_sim_block_give(block);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The block of host memory that holds the address, NULL for none. Lock held. */
static struct gmt_sim_block *host_block(void *address)
{
    struct gmt_sim_block *block = gmt_sim_block_touching((uintptr_t)address, 1);
    return block && (block->kind == GMT_SIM_HOST || block->kind == GMT_SIM_REGISTERED) ? block : NULL;
}

GMT_SIM_BODY(cuMemHostGetDevicePointer_v2)(CUdeviceptr *device_address, void *address, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!device_address || flags != 0 || !host_block(address))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *device_address = (uintptr_t)address;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* A 32-bit device address exists for host memory below 4 GiB only. */
GMT_SIM_BODY(cuMemHostGetDevicePointer)(CUdeviceptr_v1 *device_address, void *address, unsigned int flags)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!device_address || flags != 0 || !host_block(address) || (uintptr_t)address >> 32)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *device_address = (CUdeviceptr_v1)(uintptr_t)address;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemHostGetFlags)(unsigned int *flags, void *address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = host_block(address);
    if (!flags || !block)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *flags = block->flags;
    return gmt_sim_leave(CUDA_SUCCESS);
}
