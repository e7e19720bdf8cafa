/* What an address is: its block, and the attributes of pointers. */
#include <string.h>

#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/memory_mapping.h"
#include "simulator/memory_pool.h"

/* Blocks that an address can be asked for; a registered range counts as one. Lock held. */
static struct gmt_sim_block *block_of(uint64_t address)
{
    return gmt_sim_block_touching(address, 1);
}

GMT_SIM_BODY(cuMemGetAddressRange_v2)(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = block_of(address);
    if (!block)
        return gmt_sim_leave(CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = block->address;
    if (bytes)
        *bytes = block->bytes;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemGetAddressRange)(CUdeviceptr_v1 *base, unsigned int *bytes, CUdeviceptr_v1 address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = block_of(address);
    if (!block)
        return gmt_sim_leave(CUDA_ERROR_NOT_FOUND);
    if (base)
        *base = (CUdeviceptr_v1)block->address;
    if (bytes)
        *bytes = (unsigned int)block->bytes;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* A figure of at most 64 bits with its size; size 0: no such attribute, or not of this address. */
struct figure {
    uint64_t value;
    size_t bytes;
};

static uint64_t handle_types(const struct gmt_sim_block *block)
{
    if (block->mapping)
        return block->mapping->physical->properties.requestedHandleTypes;
    return block->pool ? block->pool->handle_types : CU_MEM_HANDLE_TYPE_NONE;
}

/* Sizes are those of the types that cuda.h documents for the attributes. */
static struct figure figure_of(const struct gmt_sim_block *block, CUpointer_attribute attribute, uint64_t address)
{
    bool managed = gmt_sim_block_is_managed(block);
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        return (struct figure){(uintptr_t)block->context, sizeof(CUcontext)};
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return (struct figure){gmt_sim_block_is_hosts(block) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
                               sizeof(unsigned int)};
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return (struct figure){address, sizeof(CUdeviceptr)};
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return (struct figure){address, managed || gmt_sim_block_is_hosts(block) ? sizeof(void *) : 0};
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return (struct figure){1, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        return (struct figure){block->id, sizeof(unsigned long long)};
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        return (struct figure){managed, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return (struct figure){block->device ? (uint64_t)block->device->ordinal : 0, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return (struct figure){block->kind == GMT_SIM_DEVICE && !block->low, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
        return (struct figure){0, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return (struct figure){block->address, sizeof(CUdeviceptr)};
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        return (struct figure){block->bytes, sizeof(size_t)};
    case CU_POINTER_ATTRIBUTE_MAPPED:
        return (struct figure){1, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return (struct figure){handle_types(block), sizeof(uint64_t)};
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        return (struct figure){0, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return (struct figure){CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE, sizeof(int)};
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return (struct figure){(uintptr_t)block->pool, sizeof(CUmemoryPool)};
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
        return (struct figure){block->arena ? block->arena->bytes : block->bytes, sizeof(size_t)};
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
        return (struct figure){block->arena ? block->arena->address : block->address, sizeof(CUdeviceptr)};
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
        return (struct figure){block->id, sizeof(unsigned long long)};
    default:
        return (struct figure){0, 0};
    }
}

/* Writes the attribute, or zeros where the address has none. Little-endian: the low bytes come first. */
static bool write_figure(void *target, CUpointer_attribute attribute, uint64_t address)
{
    const struct gmt_sim_block *block = block_of(address);
    if (block && attribute == CU_POINTER_ATTRIBUTE_P2P_TOKENS) {
        memset(target, 0, sizeof(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS));
        return true;
    }
    struct figure figure = block ? figure_of(block, attribute, address) : (struct figure){0, 0};
    if (figure.bytes > 0)
        memcpy(target, &figure.value, figure.bytes);
    return figure.bytes > 0;
}

GMT_SIM_BODY(cuPointerGetAttribute)(void *target, CUpointer_attribute attribute, CUdeviceptr address)
{
    gmt_sim_lock();
    bool known = target && write_figure(target, attribute, address);
    return gmt_sim_leave(known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* Unknown addresses are no error here: their attributes read as zero (-2 for the device). */
static void write_absent(void *target, CUpointer_attribute attribute)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)target = -2;
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        memset(target, 0, sizeof(int));
        break;
    default:
        memset(target, 0, sizeof(uint64_t));
        break;
    }
}

GMT_SIM_BODY(cuPointerGetAttributes)
(unsigned int count, CUpointer_attribute *wanted, void **targets, CUdeviceptr address)
{
    if (count == 0 || !wanted || !targets)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    for (unsigned int i = 0; i < count; i++) {
        if (!write_figure(targets[i], wanted[i], address))
            write_absent(targets[i], wanted[i]);
    }
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuPointerSetAttribute)(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    gmt_sim_lock();
    bool known = value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && block_of(address);
    return gmt_sim_leave(known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
