/* Blocks of cuMemAlloc in other processes: exported with the chunk that they were cut from, and opened by mapping that.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simulator/address_range.h"
#include "simulator/assumed_answers.h"
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"

/* What travels as CUipcMemHandle. */
struct exported_block {
    struct gmt_sim_shared_place chunk;
    uint64_t offset, bytes;
    uint64_t id; /* tells a block from the one that was there before */
};
_Static_assert(sizeof(struct exported_block) <= CU_IPC_HANDLE_SIZE, "fits where it travels");

/* A block of another process, mapped here. */
struct gmt_sim_opened {
    struct gmt_sim_opened *next;
    struct gmt_sim_block *block;
    struct exported_block source;
    uint64_t range, range_bytes; /* the whole chunk */
    uint64_t references;
};

static struct gmt_sim_opened *first;

/* Untouched memory stays out of the file, so that a large block costs what is in it. */
static bool copy_contents(const struct gmt_sim_arena *arena, int fd)
{
    enum { PIECE = 65536 };
    static const char zeros[PIECE];
    for (uint64_t offset = 0; offset < arena->bytes; offset += PIECE) {
        const char *piece = (const char *)(uintptr_t)(arena->address + offset);
        if (memcmp(piece, zeros, PIECE) != 0 && pwrite(fd, piece, PIECE, (off_t)offset) != PIECE)
            return false;
    }
    return true;
}

/* Moves a chunk into a file that other processes can open; addresses and contents stay. Lock held. */
static bool share(struct gmt_sim_arena *arena, int ordinal)
{
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label = {.kind = GMT_SIM_SHARED_ARENA, .device = ordinal, .bytes = arena->bytes};
    if (gmt_sim_shared_is_open(&arena->shared))
        return true;
    if (!gmt_sim_shared_make(&label, &file))
        return false;
    if (!copy_contents(arena, file.fd) ||
        !gmt_sim_range_show(arena->address, arena->bytes, file.fd, 0, PROT_READ | PROT_WRITE)) {
        gmt_sim_shared_close(&file);
        return false;
    }
    arena->shared = file;
    return true;
}

GMT_SIM_BODY(cuIpcGetMemHandle)(CUipcMemHandle *handle, CUdeviceptr address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = gmt_sim_block_touching(address, 1);
    if (!handle || !block || block->kind != GMT_SIM_DEVICE)
        return gmt_sim_leave(GMT_SIM_NOT_SHAREABLE);
    if (!share(block->arena, block->device->ordinal))
        return gmt_sim_leave(GMT_SIM_SYSTEM_REFUSED);
    struct exported_block exported = {.chunk = gmt_sim_shared_place(&block->arena->shared),
                                      .offset = block->address - block->arena->address,
                                      .bytes = block->bytes,
                                      .id = block->id};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &exported, sizeof exported);
    return gmt_sim_leave(CUDA_SUCCESS);
}

static void close_block(struct gmt_sim_block *block)
{
    struct gmt_sim_opened *opened = block->opened, **link = &first;
    while (*link != opened)
        link = &(*link)->next;
    *link = opened->next;
    gmt_sim_range_unmap(opened->range, opened->range_bytes);
    free(opened);
}

/* Maps the chunk in `file`; the mapping keeps it when its owner closes it. Lock held. */
static CUresult map(const struct exported_block *source, const struct gmt_sim_shared *file,
                    const struct gmt_sim_shared_label *label, struct gmt_sim_context *context,
                    struct gmt_sim_opened **opened_out)
{
    struct gmt_sim_device *device = gmt_sim_device(label->device);
    if (!device)
        return CUDA_ERROR_INVALID_DEVICE;
    if (source->bytes == 0 || source->bytes > label->bytes || source->offset > label->bytes - source->bytes)
        return GMT_SIM_SOURCE_GONE;
    struct gmt_sim_opened *opened = malloc(sizeof *opened);
    uint64_t range = opened ? (uintptr_t)gmt_sim_range_of_file(label->bytes, 0, file->fd, 0) : 0;
    struct gmt_sim_block block = {.address = range + source->offset,
                                  .bytes = source->bytes,
                                  .kind = GMT_SIM_OPENED,
                                  .context = context,
                                  .device = device,
                                  .opened = opened,
                                  .release = close_block};
    struct gmt_sim_block *added = range ? gmt_sim_block_add(&block) : NULL;
    if (!added) {
        if (range)
            gmt_sim_range_unmap(range, label->bytes);
        free(opened);
        return CUDA_ERROR_MAP_FAILED;
    }
    *opened = (struct gmt_sim_opened){
        .next = first, .block = added, .source = *source, .range = range, .range_bytes = label->bytes};
    *opened_out = first = opened;
    return CUDA_SUCCESS;
}

/* What this context has open already is opened once more. Lock held. */
static CUresult open_block(const struct exported_block *source, struct gmt_sim_context *context,
                           struct gmt_sim_opened **opened_out)
{
    struct gmt_sim_shared file;
    struct gmt_sim_shared_label label;
    if (gmt_sim_shared_is_here(&source->chunk))
        return GMT_SIM_OPENED_AT_HOME;
    for (*opened_out = first; *opened_out; *opened_out = (*opened_out)->next) {
        if ((*opened_out)->block->context == context && memcmp(&(*opened_out)->source, source, sizeof *source) == 0)
            return CUDA_SUCCESS;
    }
    if (!gmt_sim_shared_open(&source->chunk, GMT_SIM_SHARED_ARENA, &file, &label))
        return GMT_SIM_SOURCE_GONE;
    CUresult result = map(source, &file, &label, context, opened_out);
    gmt_sim_shared_close(&file);
    return result;
}

GMT_SIM_BODY(cuIpcOpenMemHandle_v2)(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags)
{
    struct gmt_sim_context *context;
    struct gmt_sim_opened *opened;
    struct exported_block source;
    if (address)
        *address = 0;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    memcpy(&source, &handle, sizeof source);
    if (!address || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = open_block(&source, context, &opened);
    if (result == CUDA_SUCCESS) {
        opened->references++;
        *address = opened->block->address;
    }
    return gmt_sim_leave(result);
}
GMT_SIM_TWIN(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2)

GMT_SIM_BODY(cuIpcCloseMemHandle)(CUdeviceptr address)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    if (!block || block->kind != GMT_SIM_OPENED)
        return gmt_sim_leave(GMT_SIM_NOT_OPENED);
    if (--block->opened->references == 0)
        gmt_sim_block_give(block);
    return gmt_sim_leave(CUDA_SUCCESS);
}
