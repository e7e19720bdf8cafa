/* Taking and giving back device and managed memory, in every ABI variant. */
#include <limits.h>

#include "simulator/context.h"
#include "simulator/live_block.h"

#define PITCH_UNIT 512ull

/* A call that fails leaves 0 as the address, whatever the reason (measured). */
static void clear(CUdeviceptr *address)
{
    if (address)
        *address = 0;
}

static CUresult take(struct gmt_sim_context *context, bool low, uint64_t bytes, uint64_t *address_out)
{
    struct gmt_sim_block *block;
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct gmt_sim_heap *heap = low ? &context->low_heap : &context->device_heap;
    CUresult result = gmt_sim_block_take(context, heap, GMT_SIM_DEVICE, bytes, &block);
    if (result == CUDA_SUCCESS)
        *address_out = block->address;
    return result;
}

/* The pitch and the bytes of a pitched block; false when they are no size. */
static bool pitched_size(uint64_t width, uint64_t height, unsigned int element, uint64_t *pitch_out,
                         uint64_t *bytes_out)
{
    if (width == 0 || height == 0 || (element != 4 && element != 8 && element != 16) || width > UINT64_MAX - PITCH_UNIT)
        return false;
    *pitch_out = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
    *bytes_out = *pitch_out * height;
    return *bytes_out / height == *pitch_out;
}

GMT_SIM_BODY(cuMemAlloc_v2)(CUdeviceptr *address, size_t bytes)
{
    struct gmt_sim_context *context;
    uint64_t taken;
    clear(address);
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    result = address ? take(context, false, bytes, &taken) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = taken;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemAlloc)(CUdeviceptr_v1 *address, unsigned int bytes)
{
    struct gmt_sim_context *context;
    uint64_t taken;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    result = address ? take(context, true, bytes, &taken) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *address = (CUdeviceptr_v1)taken;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemAllocPitch_v2)
(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned int element)
{
    struct gmt_sim_context *context;
    uint64_t taken, row, bytes;
    clear(address);
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!address || !pitch || !pitched_size(width, height, element, &row, &bytes))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = take(context, false, bytes, &taken);
    if (result == CUDA_SUCCESS) {
        *address = taken;
        *pitch = row;
    }
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemAllocPitch)
(CUdeviceptr_v1 *address, unsigned int *pitch, unsigned int width, unsigned int height, unsigned int element)
{
    struct gmt_sim_context *context;
    uint64_t taken, row, bytes;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!address || !pitch || !pitched_size(width, height, element, &row, &bytes) || row > UINT_MAX)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = take(context, true, bytes, &taken);
    if (result == CUDA_SUCCESS) {
        *address = (CUdeviceptr_v1)taken;
        *pitch = (unsigned int)row;
    }
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemAllocManaged)(CUdeviceptr *address, size_t bytes, unsigned int flags)
{
    struct gmt_sim_context *context;
    struct gmt_sim_block *block;
    clear(address);
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!address || bytes == 0 || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = gmt_sim_block_take(context, &context->managed_heap, GMT_SIM_MANAGED, bytes, &block);
    if (result == CUDA_SUCCESS)
        *address = block->address;
    return gmt_sim_leave(result);
}

static bool is_freed_here(const struct gmt_sim_block *block)
{
    return block->kind == GMT_SIM_DEVICE || block->kind == GMT_SIM_MANAGED || block->kind == GMT_SIM_POOLED ||
           block->kind == GMT_SIM_EXTERNAL || block->kind == GMT_SIM_GRAPH_BLOCK;
}

/* A block of cuMemAlloc that cuMemFreeAsync was given can be given once more, until the program has waited (measured).
 * Lock held. */
static bool was_freed_in_stream(uint64_t address)
{
    for (int i = 0; i < gmt_sim_device_count(); i++) {
        if (!gmt_sim_block_is_deferred(gmt_sim_device(i), address))
            continue;
        gmt_sim_device_settle(gmt_sim_device(i));
        return true;
    }
    return false;
}

/* Works without a current context, as a real driver does. Waits for the device, so pools shrink. Lock held. */
static CUresult give(uint64_t address)
{
    if (address == 0)
        return CUDA_SUCCESS;
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    if (!block && was_freed_in_stream(address))
        return CUDA_SUCCESS;
    if (!block || !is_freed_here(block))
        return CUDA_ERROR_INVALID_VALUE;
    struct gmt_sim_device *device = block->device;
    /* A real driver leaves a pool's "used" as it was here (measured); so does this. */
    gmt_sim_block_give(block);
    gmt_sim_device_settle(device);
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemFree_v2)(CUdeviceptr address)
{
    struct gmt_sim_context *context = gmt_sim_current();
    gmt_sim_lock();
    if (context && !context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    return gmt_sim_leave(give(address));
}

GMT_SIM_BODY(cuMemFree)(CUdeviceptr_v1 address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    return result == CUDA_SUCCESS ? gmt_sim_leave(give(address)) : result;
}
