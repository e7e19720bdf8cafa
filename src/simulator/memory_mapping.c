/* Address ranges that the program reserves, and what it maps there. */
#include "simulator/memory_mapping.h"

#include <search.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "simulator/address_range.h"
#include "simulator/assumed_answers.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/multicast.h"

#define PAGE 4096ull /* of the host, as cuMemAddressReserve wants its sizes */

struct reservation {
    uint64_t address, bytes;
};

static void *reservations; /* a tree by address: two that overlap compare equal */

static int compare(const void *left, const void *right)
{
    const struct reservation *a = left, *b = right;
    if (a->address + a->bytes <= b->address)
        return -1;
    return b->address + b->bytes <= a->address ? 1 : 0;
}

static struct reservation *reservation_touching(uint64_t address, uint64_t bytes)
{
    struct reservation key = {address, bytes};
    void *slot = tfind(&key, &reservations, compare);
    return slot ? *(struct reservation **)slot : NULL;
}

bool gmt_sim_is_reserved(uint64_t address, uint64_t bytes)
{
    return reservation_touching(address, bytes) != NULL;
}

static bool overflows(uint64_t address, uint64_t bytes)
{
    return bytes == 0 || address + bytes < address;
}

GMT_SIM_BODY(cuMemAddressReserve)
(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr hint, unsigned long long flags)
{
    if (alignment < GMT_SIM_CHUNK && (alignment & (alignment - 1)) == 0)
        alignment = GMT_SIM_CHUNK;
    bool aligned = (alignment & (alignment - 1)) == 0 && bytes % PAGE == 0 && hint % PAGE == 0;
    if (!address || flags != 0 || !aligned || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct reservation *reservation = malloc(sizeof *reservation);
    void *range = reservation ? gmt_sim_range_map(bytes, alignment, hint, PROT_NONE, 0) : NULL;
    if (!range) {
        free(reservation);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    *reservation = (struct reservation){(uintptr_t)range, bytes};
    if (!tsearch(reservation, &reservations, compare)) {
        gmt_sim_range_unmap((uintptr_t)range, bytes);
        free(reservation);
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    }
    *address = (uintptr_t)range;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemAddressFree)(CUdeviceptr address, size_t bytes)
{
    gmt_sim_lock();
    struct reservation *reservation = reservation_touching(address, 1);
    if (!reservation || reservation->address != address || reservation->bytes != bytes)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (gmt_sim_block_touching(address, bytes))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE); /* measured */
    tdelete(reservation, &reservations, compare);
    gmt_sim_range_unmap(address, bytes);
    free(reservation);
    return gmt_sim_leave(CUDA_SUCCESS);
}

bool gmt_sim_mapping_accessible(const struct gmt_sim_mapping *mapping)
{
    return mapping->devices.readers != 0 || mapping->host != CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

static void release(struct gmt_sim_block *block)
{
    struct gmt_sim_physical *physical = block->mapping->physical;
    gmt_sim_range_hide(block->address, block->bytes);
    free(block->mapping);
    physical->mappings--;
    gmt_sim_physical_settle(physical);
}

/* A new mapping is out of everybody's reach. Lock held. */
static CUresult map(uint64_t address, uint64_t bytes, struct gmt_sim_physical *physical)
{
    if (!gmt_sim_shared_is_open(&physical->file))
        return GMT_SIM_SYSTEM_REFUSED;
    struct gmt_sim_mapping *mapping = calloc(1, sizeof *mapping);
    struct gmt_sim_block block = {.address = address,
                                  .bytes = bytes,
                                  .kind = GMT_SIM_MAPPED,
                                  .device = physical->device,
                                  .mapping = mapping,
                                  .release = release};
    struct gmt_sim_block *added = mapping ? gmt_sim_block_add(&block) : NULL;
    if (!added) {
        free(mapping);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!gmt_sim_range_show(address, bytes, physical->file.fd, physical->offset, PROT_NONE)) {
        gmt_sim_block_remove(added);
        free(mapping);
        return GMT_SIM_SYSTEM_REFUSED;
    }
    mapping->physical = physical;
    physical->mappings++;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemMap)
(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    bool aligned = address % GMT_SIM_GRANULARITY == 0 && bytes % GMT_SIM_GRANULARITY == 0;
    if (flags != 0 || !aligned || overflows(address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_physical *physical = gmt_sim_physical_of(handle);
    if (!physical)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    CUresult ready = physical->team ? gmt_sim_team_wait(handle) : CUDA_SUCCESS;
    if (ready != CUDA_SUCCESS)
        return gmt_sim_leave(ready);
    /* Memory is mapped as a whole (measured); of a multicast object the beginning may be mapped alone. */
    if (offset != 0 || bytes > physical->bytes || (bytes < physical->bytes && !physical->team))
        return gmt_sim_leave(CUDA_ERROR_NOT_SUPPORTED);
    struct reservation *reservation = reservation_touching(address, 1);
    if (!reservation || bytes > reservation->bytes - (address - reservation->address))
        return gmt_sim_leave(GMT_SIM_MAPPED_OUTSIDE);
    if (gmt_sim_block_touching(address, bytes))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE); /* measured */
    return gmt_sim_leave(map(address, bytes, physical));
}

/* The mapping that starts here and ends before `end`; NULL for none. Lock held. */
static struct gmt_sim_block *mapping_at(uint64_t address, uint64_t end)
{
    struct gmt_sim_block *block = gmt_sim_block_at(address);
    return block && block->mapping && block->bytes <= end - address ? block : NULL;
}

/* Whether the range consists of whole mappings without a gap. Lock held. */
static bool is_whole(uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    if (overflows(address, bytes))
        return false;
    while (address < end) {
        struct gmt_sim_block *block = mapping_at(address, end);
        if (!block)
            return false;
        address += block->bytes;
    }
    return true;
}

/* Where the next mapping or hole of a range that can be unmapped begins: all of it is reserved, and no mapping is cut.
 * The address itself where it is not so. Lock held. */
static uint64_t next_to_unmap(uint64_t address, uint64_t end)
{
    struct gmt_sim_block *block = mapping_at(address, end);
    if (block)
        return address + block->bytes;
    bool hole = gmt_sim_is_reserved(address, 1) && !gmt_sim_block_touching(address, 1);
    return hole ? address + GMT_SIM_GRANULARITY : address;
}

/* Holes are unmapped as well as mappings, also a whole range of them (measured). */
GMT_SIM_BODY(cuMemUnmap)(CUdeviceptr address, size_t bytes)
{
    uint64_t end = address + bytes;
    if (overflows(address, bytes) || address % GMT_SIM_GRANULARITY != 0 || bytes % GMT_SIM_GRANULARITY != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    for (uint64_t at = address, next; at < end; at = next) {
        next = next_to_unmap(at, end);
        if (next == at)
            return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    }
    for (uint64_t next; address < end; address = next) {
        struct gmt_sim_block *block = mapping_at(address, end);
        next = next_to_unmap(address, end);
        if (block)
            gmt_sim_block_give(block);
    }
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The host reaches its own memory only. Lock held. */
static CUresult check_access(const struct gmt_sim_block *block, const CUmemAccessDesc *wanted)
{
    CUmemLocation where = wanted->location;
    if (!gmt_sim_access_known(wanted->flags) ||
        (where.type != CU_MEM_LOCATION_TYPE_DEVICE && !gmt_sim_location_is_host(where.type)))
        return CUDA_ERROR_INVALID_VALUE;
    if (gmt_sim_location_is_host(where.type))
        return gmt_sim_location_is_host(block->mapping->physical->properties.location.type) ? CUDA_SUCCESS
                                                                                            : CUDA_ERROR_INVALID_VALUE;
    return gmt_sim_device(where.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static void give_access(struct gmt_sim_mapping *mapping, const CUmemAccessDesc *wanted)
{
    if (gmt_sim_location_is_host(wanted->location.type))
        mapping->host = wanted->flags;
    else
        gmt_sim_access_set(&mapping->devices, wanted->location.id, wanted->flags);
}

GMT_SIM_BODY(cuMemSetAccess)(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *wanted, size_t count)
{
    struct gmt_sim_block *block;
    gmt_sim_lock();
    if (!wanted || count == 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!is_whole(address, bytes))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE); /* measured */
    CUresult result = CUDA_SUCCESS;
    uint64_t end = address + bytes;
    for (uint64_t at = address; at < end; at += block->bytes) {
        block = mapping_at(at, end);
        for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
            result = check_access(block, &wanted[i]);
    }
    for (uint64_t at = address; at < end && result == CUDA_SUCCESS; at += block->bytes) {
        block = mapping_at(at, end);
        for (size_t i = 0; i < count; i++)
            give_access(block->mapping, &wanted[i]);
        bool reachable = gmt_sim_mapping_accessible(block->mapping);
        mprotect((void *)(uintptr_t)at, block->bytes, reachable ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemGetAccess)(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    gmt_sim_lock();
    struct gmt_sim_block *block = gmt_sim_block_touching(address, 1);
    if (!flags || !location || !block || !block->mapping)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (gmt_sim_location_is_host(location->type)) {
        *flags = block->mapping->host;
        return gmt_sim_leave(CUDA_SUCCESS);
    }
    if (location->type != CU_MEM_LOCATION_TYPE_DEVICE)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!gmt_sim_device(location->id))
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    *flags = gmt_sim_access_of(&block->mapping->devices, location->id);
    return gmt_sim_leave(CUDA_SUCCESS);
}
