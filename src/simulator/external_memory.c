/* Memory of other APIs by file descriptor: any file that can be mapped stands for it, such as what was exported here.
 * It takes nothing of the device, whose other user has paid for it. */
#include <stdlib.h>
#include <sys/stat.h>

#include "simulator/address_range.h"
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
    struct external *external = calloc(1, sizeof *external);
    if (!external || !gmt_sim_handle_add(external, GMT_SIM_EXTERNAL_MEMORY)) {
        free(external);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
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

static uint64_t range_bytes(uint64_t lead, uint64_t bytes)
{
    return (lead + bytes + PAGES - 1) / PAGES * PAGES;
}

static void unmap(struct gmt_sim_block *block)
{
    uint64_t lead = block->address % PAGES;
    gmt_sim_range_unmap(block->address - lead, range_bytes(lead, block->bytes));
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
    if (!address || !wanted || wanted->flags != 0 || wanted->size == 0 || wanted->size > external->bytes ||
        wanted->offset > external->bytes - wanted->size)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!gmt_sim_shared_is_open(&external->file))
        return gmt_sim_leave(GMT_SIM_SYSTEM_REFUSED);
    uint64_t lead = wanted->offset % PAGES, bytes = range_bytes(lead, wanted->size);
    void *range = gmt_sim_range_of_file(bytes, 0, external->file.fd, wanted->offset - lead);
    if (!range)
        return gmt_sim_leave(GMT_SIM_EXTERNAL_WRONG);
    struct gmt_sim_block block = {.address = (uintptr_t)range + lead,
                                  .bytes = wanted->size,
                                  .kind = GMT_SIM_EXTERNAL,
                                  .context = context,
                                  .release = unmap};
    if (!gmt_sim_block_add(&block)) {
        gmt_sim_range_unmap((uintptr_t)range, bytes);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    *address = block.address;
    return gmt_sim_leave(CUDA_SUCCESS);
}
