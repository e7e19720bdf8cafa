/* Memory of other APIs by file descriptor: any file that can be mapped stands for it, such as what was exported here.
 * It takes nothing of the device, whose other user has paid for it. */
#include <stdlib.h>
#include <sys/stat.h>

#include "simulator/address_range.h"
#include "simulator/array.h"
#include "simulator/assumed_answers.h"
#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/live_block.h"
#include "simulator/shared_file.h"

#define PAGES 65536ull /* mappings start and end at multiples of this: whole pages on every machine */

struct external {
    struct gmt_sim_shared file;
    uint64_t bytes;
};

static struct external *external_of(CUexternalMemory handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_EXTERNAL_MEMORY) ? (struct external *)handle : NULL;
}

static bool holds(int fd, uint64_t bytes)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size >= bytes;
}

/* The descriptor is the driver's from now on, unless this fails. */
GMT_SIM_BODY(cuImportExternalMemory)(CUexternalMemory *handle, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *wanted)
{
    if (!handle || !wanted || wanted->size == 0 || (wanted->flags & ~(unsigned int)CUDA_EXTERNAL_MEMORY_DEDICATED))
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD)
        return GMT_SIM_EXTERNAL_UNKNOWN;
    if (!holds(wanted->handle.fd, wanted->size))
        return GMT_SIM_EXTERNAL_WRONG;
    gmt_sim_lock();
    struct external *external = gmt_sim_handle_new(sizeof *external, GMT_SIM_EXTERNAL_MEMORY);
    if (!external)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    external->bytes = wanted->size;
    gmt_sim_shared_adopt(wanted->handle.fd, &external->file);
    *handle = (CUexternalMemory)external;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Buffers that are mapped stay. */
GMT_SIM_BODY(cuDestroyExternalMemory)(CUexternalMemory handle)
{
    gmt_sim_lock();
    struct external *external = external_of(handle);
    if (!external)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    gmt_sim_handle_remove(external);
    gmt_sim_shared_close(&external->file);
    free(external);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Part of the external memory, mapped: from `address` on, and back to the page before it. */
static uint64_t range_bytes(uint64_t address, uint64_t bytes)
{
    return (address % PAGES + bytes + PAGES - 1) / PAGES * PAGES;
}

static void unmap(uint64_t address, uint64_t bytes)
{
    gmt_sim_range_unmap(address - address % PAGES, range_bytes(address, bytes));
}

static CUresult map(const struct external *external, uint64_t offset, uint64_t bytes, uint64_t *address_out)
{
    if (bytes == 0 || bytes > external->bytes || offset > external->bytes - bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (!gmt_sim_shared_is_open(&external->file))
        return GMT_SIM_SYSTEM_REFUSED;
    uint64_t lead = offset % PAGES;
    void *range = gmt_sim_range_of_file(range_bytes(lead, bytes), 0, external->file.fd, offset - lead);
    *address_out = (uintptr_t)range + lead;
    return range ? CUDA_SUCCESS : GMT_SIM_EXTERNAL_WRONG;
}

static void end_buffer(struct gmt_sim_block *block)
{
    unmap(block->address, block->bytes);
}

GMT_SIM_BODY(cuExternalMemoryGetMappedBuffer)
(CUdeviceptr *address, CUexternalMemory handle, const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *wanted)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct external *external = external_of(handle);
    if (!external)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!address || !wanted || wanted->flags != 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_block block = {
        .bytes = wanted->size, .kind = GMT_SIM_EXTERNAL, .context = context, .release = end_buffer};
    result = map(external, wanted->offset, wanted->size, &block.address);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    if (!gmt_sim_block_add(&block)) {
        unmap(block.address, block.bytes);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    *address = block.address;
    return gmt_sim_leave(CUDA_SUCCESS);
}

static void end_array(struct gmt_sim_array *array)
{
    unmap(array->address, array->bytes);
}

/* All that is left of the memory is mapped, and what is behind the array unmapped again. */
GMT_SIM_BODY(cuExternalMemoryGetMappedMipmappedArray)
(CUmipmappedArray *handle, CUexternalMemory memory, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *wanted)
{
    struct gmt_sim_context *context;
    struct gmt_sim_array *array;
    uint64_t address;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct external *external = external_of(memory);
    if (!external)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!handle || !wanted || wanted->numLevels == 0 || wanted->offset >= external->bytes)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    uint64_t rest = external->bytes - wanted->offset;
    result = map(external, wanted->offset, rest, &address);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    result = gmt_sim_array_over(context, &wanted->arrayDesc, wanted->numLevels, address, rest, end_array, &array);
    if (result != CUDA_SUCCESS) {
        unmap(address, rest);
        return gmt_sim_leave(result);
    }
    uint64_t used = range_bytes(address, array->bytes), mapped = range_bytes(address, rest);
    if (mapped > used)
        gmt_sim_range_unmap(address - address % PAGES + used, mapped - used);
    *handle = (CUmipmappedArray)array;
    return gmt_sim_leave(CUDA_SUCCESS);
}
