/* Taking physical memory, references to it, and its end. */
#include "simulator/physical_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "simulator/assumed_answers.h"
#include "simulator/handle.h"
#include "simulator/held_memory.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/memory_mapping.h"
#include "simulator/multicast.h"

static struct gmt_sim_physical *first;

struct gmt_sim_physical *gmt_sim_physical_add(const struct gmt_sim_physical *wanted)
{
    struct gmt_sim_physical *physical = gmt_sim_handle_new(sizeof *physical, GMT_SIM_PHYSICAL);
    if (!physical)
        return NULL;
    *physical = *wanted;
    physical->references = 1;
    physical->next = first;
    first = physical;
    return physical;
}

struct gmt_sim_physical *gmt_sim_physical_of(CUmemGenericAllocationHandle handle)
{
    struct gmt_sim_physical *physical = (struct gmt_sim_physical *)(uintptr_t)handle;
    return gmt_sim_handle_is(physical, GMT_SIM_PHYSICAL) && physical->references > 0 ? physical : NULL;
}

struct gmt_sim_physical *gmt_sim_multicast_in(const struct gmt_sim_shared *file)
{
    struct gmt_sim_physical *physical = first;
    while (physical && !(physical->team && gmt_sim_shared_same(&physical->file, file)))
        physical = physical->next;
    return physical;
}

/* The file of all memory that will not leave the process. It is sparse and only grows; ends give the host's memory
 * back. */
static struct gmt_sim_shared store = {.fd = -1};
static uint64_t store_bytes;

/* A place in the store. One that the program has closed is replaced; what is mapped of it stays. */
static bool store_take(struct gmt_sim_physical *physical)
{
    static const struct gmt_sim_shared_label empty;
    if (!gmt_sim_shared_is_open(&store)) {
        store_bytes = 0;
        if (!gmt_sim_shared_make(&empty, &store))
            return false;
    }
    if (ftruncate(store.fd, (off_t)(store_bytes + physical->bytes)) != 0)
        return false;
    physical->file = store;
    physical->offset = store_bytes;
    store_bytes += physical->bytes;
    return true;
}

/* Memory that may leave the process has a file of its own. */
static bool back(struct gmt_sim_physical *physical)
{
    if (physical->properties.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE)
        return store_take(physical);
    struct gmt_sim_shared_label label = {.kind = GMT_SIM_SHARED_PHYSICAL,
                                         .device = physical->device ? physical->device->ordinal : -1,
                                         .bytes = physical->bytes,
                                         .properties = physical->properties};
    physical->own_file = gmt_sim_shared_make(&label, &physical->file);
    return physical->own_file;
}

static void unback(struct gmt_sim_physical *physical)
{
    if (physical->own_file)
        gmt_sim_shared_close(&physical->file);
    else if (gmt_sim_shared_is_open(&physical->file))
        fallocate(physical->file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)physical->offset,
                  (off_t)physical->bytes);
}

void gmt_sim_physical_settle(struct gmt_sim_physical *physical)
{
    if (physical->references > 0 || physical->mappings > 0)
        return;
    struct gmt_sim_physical **link = &first;
    while (*link != physical)
        link = &(*link)->next;
    *link = physical->next;
    if (physical->team)
        gmt_sim_team_end(physical->team);
    if (physical->charged && physical->own_file)
        gmt_sim_held_give(physical->device, physical->bytes, &physical->file);
    else if (physical->charged)
        gmt_sim_device_give(physical->device, physical->bytes);
    unback(physical);
    gmt_sim_handle_remove(physical);
    free(physical);
}

CUresult gmt_sim_physical_check(const CUmemAllocationProp *properties)
{
    CUmemLocationType where = properties->location.type;
    bool on_device = where == CU_MEM_LOCATION_TYPE_DEVICE, on_node = where == CU_MEM_LOCATION_TYPE_HOST_NUMA;
    unsigned int types = properties->requestedHandleTypes;
    if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        (!on_device && !on_node && where != CU_MEM_LOCATION_TYPE_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    if (on_device && !gmt_sim_device(properties->location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    if (on_node && properties->location.id != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (types & ~(unsigned int)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return GMT_SIM_HANDLE_TYPE_UNKNOWN;
    return where == CU_MEM_LOCATION_TYPE_HOST && types != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

GMT_SIM_BODY(cuMemGetAllocationGranularity)
(size_t *granularity, const CUmemAllocationProp *properties, CUmemAllocationGranularity_flags option)
{
    if (!granularity || !properties || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = gmt_sim_physical_check(properties);
    if (result == CUDA_SUCCESS)
        *granularity = GMT_SIM_GRANULARITY;
    return gmt_sim_leave(result);
}

/* Lock held. */
static CUresult create(uint64_t bytes, const CUmemAllocationProp *properties, struct gmt_sim_physical **created_out)
{
    CUresult result = gmt_sim_physical_check(properties);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_physical wanted = {.properties = *properties, .bytes = bytes, .file = {.fd = -1}};
    if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        wanted.device = gmt_sim_device(properties->location.id);
    wanted.charged = wanted.device != NULL;
    if (wanted.charged && !gmt_sim_device_take(wanted.device, bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    bool backed = back(&wanted);
    *created_out = backed ? gmt_sim_physical_add(&wanted) : NULL;
    if (*created_out)
        return CUDA_SUCCESS;
    if (backed)
        unback(&wanted);
    if (wanted.charged)
        gmt_sim_device_give(wanted.device, bytes);
    return backed ? CUDA_ERROR_OUT_OF_MEMORY : GMT_SIM_SYSTEM_REFUSED;
}

GMT_SIM_BODY(cuMemCreate)
(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties, unsigned long long flags)
{
    struct gmt_sim_physical *created;
    if (!handle || !properties || flags != 0 || bytes == 0 || bytes % GMT_SIM_GRANULARITY != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = create(bytes, properties, &created);
    if (result == CUDA_SUCCESS)
        *handle = (uintptr_t)created;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMemRelease)(CUmemGenericAllocationHandle handle)
{
    gmt_sim_lock();
    struct gmt_sim_physical *physical = gmt_sim_physical_of(handle);
    if (!physical)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    physical->references--;
    gmt_sim_physical_settle(physical);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The handle is the one that the address was mapped with, also when that has no reference any more. */
GMT_SIM_BODY(cuMemRetainAllocationHandle)(CUmemGenericAllocationHandle *handle, void *address)
{
    gmt_sim_lock();
    struct gmt_sim_block *block = gmt_sim_block_touching((uintptr_t)address, 1);
    if (!handle || !block || !block->mapping)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    block->mapping->physical->references++;
    *handle = (uintptr_t)block->mapping->physical;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemGetAllocationPropertiesFromHandle)
(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    gmt_sim_lock();
    struct gmt_sim_physical *physical = gmt_sim_physical_of(handle);
    if (!physical)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    if (properties)
        *properties = physical->properties;
    return gmt_sim_leave(properties ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
