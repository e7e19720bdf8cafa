/* Multicast objects. No kernel runs that could write to all members at once, so an object has memory of the host's own,
 * which its mappings show, and nothing passes from there to the members.
 */
#include "simulator/multicast.h"

#include <stdlib.h>
#include <time.h>

#include "simulator/assumed_answers.h"
#include "simulator/live_block.h"
#include "simulator/measured_answers.h"
#include "simulator/memory_mapping.h"

/* Memory of one member at a place of the object. */
struct binding {
    struct binding *next;
    struct gmt_sim_device *device;
    uint64_t offset, bytes;
    struct gmt_sim_physical *physical; /* kept alive; NULL: a block of a pool */
};

struct gmt_sim_team {
    struct gmt_sim_shared_label *label; /* shared with the other processes of the team */
    uint64_t devices;                   /* that joined from here, bit by ordinal */
    struct binding *bindings;
};

struct gmt_sim_team *gmt_sim_team_new(const struct gmt_sim_shared *file, uint64_t bytes)
{
    struct gmt_sim_team *team = calloc(1, sizeof *team);
    if (team)
        team->label = gmt_sim_shared_label_map(file, bytes);
    if (team && team->label)
        return team;
    free(team);
    return NULL;
}

static void unbind(struct binding **link)
{
    struct binding *binding = *link;
    *link = binding->next;
    if (binding->physical) {
        binding->physical->mappings--;
        gmt_sim_physical_settle(binding->physical);
    }
    free(binding);
}

void gmt_sim_team_end(struct gmt_sim_team *team)
{
    while (team->bindings)
        unbind(&team->bindings);
    gmt_sim_shared_label_unmap(team->label);
    free(team);
}

static struct gmt_sim_physical *multicast_of(CUmemGenericAllocationHandle handle)
{
    struct gmt_sim_physical *object = gmt_sim_physical_of(handle);
    return object && object->team ? object : NULL;
}

CUresult gmt_sim_team_wait(CUmemGenericAllocationHandle handle)
{
    static const struct timespec a_while = {.tv_nsec = 1000000};
    for (;;) {
        struct gmt_sim_physical *object = multicast_of(handle);
        if (!object)
            return GMT_SIM_NO_SUCH_PHYSICAL;
        struct gmt_sim_shared_label *label = object->team->label;
        if (atomic_load(&label->joined) >= label->multicast.numDevices)
            return CUDA_SUCCESS;
        gmt_sim_unlock();
        nanosleep(&a_while, NULL); /* the last device may join in another process, which cannot wake this one */
        gmt_sim_lock();
    }
}

static CUresult check(const CUmulticastObjectProp *properties)
{
    if (properties->flags != 0 || properties->numDevices == 0 || properties->size == 0 ||
        properties->size % GMT_SIM_MULTICAST_MINIMUM != 0)
        return CUDA_ERROR_INVALID_VALUE;
    bool known = (properties->handleTypes & ~(unsigned long long)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0;
    return known ? CUDA_SUCCESS : GMT_SIM_HANDLE_TYPE_UNKNOWN;
}

GMT_SIM_BODY(cuMulticastGetGranularity)
(size_t *granularity, const CUmulticastObjectProp *properties, CUmulticastGranularity_flags option)
{
    if (!granularity || !properties || option > CU_MULTICAST_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *granularity =
        option == CU_MULTICAST_GRANULARITY_MINIMUM ? GMT_SIM_MULTICAST_MINIMUM : GMT_SIM_MULTICAST_RECOMMENDED;
    return CUDA_SUCCESS;
}

/* Lock held. */
static CUresult create(const CUmulticastObjectProp *properties, struct gmt_sim_physical **created_out)
{
    struct gmt_sim_shared_label label = {
        .kind = GMT_SIM_SHARED_MULTICAST, .device = -1, .bytes = properties->size, .multicast = *properties};
    label.properties.requestedHandleTypes = (CUmemAllocationHandleType)properties->handleTypes;
    struct gmt_sim_physical wanted = {.properties = label.properties, .bytes = label.bytes, .own_file = true};
    if (!gmt_sim_shared_make(&label, &wanted.file))
        return GMT_SIM_SYSTEM_REFUSED;
    wanted.team = gmt_sim_team_new(&wanted.file, wanted.bytes);
    *created_out = wanted.team ? gmt_sim_physical_add(&wanted) : NULL;
    if (*created_out)
        return CUDA_SUCCESS;
    if (wanted.team)
        gmt_sim_team_end(wanted.team);
    gmt_sim_shared_close(&wanted.file);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

GMT_SIM_BODY(cuMulticastCreate)(CUmemGenericAllocationHandle *handle, const CUmulticastObjectProp *properties)
{
    struct gmt_sim_physical *created;
    if (!handle || !properties)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check(properties);
    if (result != CUDA_SUCCESS)
        return result;
    gmt_sim_lock();
    result = create(properties, &created);
    if (result == CUDA_SUCCESS)
        *handle = (uintptr_t)created;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuMulticastAddDevice)(CUmemGenericAllocationHandle handle, CUdevice ordinal)
{
    gmt_sim_lock();
    struct gmt_sim_physical *object = multicast_of(handle);
    if (!object)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    if (!gmt_sim_device(ordinal))
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    struct gmt_sim_team *team = object->team;
    uint32_t joined = atomic_load(&team->label->joined);
    if (team->devices >> ordinal & 1)
        return gmt_sim_leave(GMT_SIM_MULTICAST_REFUSED);
    do {
        if (joined >= team->label->multicast.numDevices)
            return gmt_sim_leave(GMT_SIM_MULTICAST_REFUSED);
    } while (!atomic_compare_exchange_weak(&team->label->joined, &joined, joined + 1));
    team->devices |= 1ull << ordinal;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* Whether [offset, offset + bytes) is a range of an object of `whole` bytes that can be bound. */
static bool fits(uint64_t offset, uint64_t bytes, uint64_t whole)
{
    bool aligned = offset % GMT_SIM_MULTICAST_MINIMUM == 0 && bytes % GMT_SIM_MULTICAST_MINIMUM == 0;
    return aligned && bytes > 0 && bytes <= whole && offset <= whole - bytes;
}

/* Binds memory of a member where it has nothing yet. Lock held. */
static CUresult bind(struct gmt_sim_physical *object, const struct binding *wanted)
{
    struct gmt_sim_team *team = object->team;
    if (!wanted->device || !(team->devices >> wanted->device->ordinal & 1) ||
        !fits(wanted->offset, wanted->bytes, object->bytes))
        return GMT_SIM_MULTICAST_REFUSED;
    for (struct binding *other = team->bindings; other; other = other->next) {
        if (other->device == wanted->device && other->offset < wanted->offset + wanted->bytes &&
            wanted->offset < other->offset + other->bytes)
            return GMT_SIM_MULTICAST_REFUSED;
    }
    struct binding *added = malloc(sizeof *added);
    if (!added)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *added = *wanted;
    added->next = team->bindings;
    team->bindings = added;
    if (added->physical)
        added->physical->mappings++;
    return CUDA_SUCCESS;
}

/* What leaves the process is bound to what can. */
static bool may_bind(const struct gmt_sim_physical *object, const struct gmt_sim_physical *memory)
{
    return !memory->team && (object->properties.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE ||
                             memory->properties.requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE);
}

GMT_SIM_BODY(cuMulticastBindMem)
(CUmemGenericAllocationHandle handle, size_t offset, CUmemGenericAllocationHandle memory_handle, size_t memory_offset,
 size_t bytes, unsigned long long flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult ready = gmt_sim_team_wait(handle);
    if (ready != CUDA_SUCCESS)
        return gmt_sim_leave(ready);
    struct gmt_sim_physical *memory = gmt_sim_physical_of(memory_handle), *object = multicast_of(handle);
    if (!memory || !may_bind(object, memory) || !fits(memory_offset, bytes, memory->bytes))
        return gmt_sim_leave(GMT_SIM_MULTICAST_REFUSED);
    struct binding wanted = {.device = memory->device, .offset = offset, .bytes = bytes, .physical = memory};
    return gmt_sim_leave(bind(object, &wanted));
}

GMT_SIM_BODY(cuMulticastBindAddr)
(CUmemGenericAllocationHandle handle, size_t offset, CUdeviceptr address, size_t bytes, unsigned long long flags)
{
    if (flags != 0 || address % GMT_SIM_MULTICAST_MINIMUM != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult ready = gmt_sim_team_wait(handle);
    if (ready != CUDA_SUCCESS)
        return gmt_sim_leave(ready);
    struct gmt_sim_physical *object = multicast_of(handle);
    struct gmt_sim_block *block = gmt_sim_block_holding(address, bytes);
    bool known =
        block && (block->kind == GMT_SIM_POOLED || (block->mapping && may_bind(object, block->mapping->physical)));
    if (!known)
        return gmt_sim_leave(GMT_SIM_MULTICAST_REFUSED);
    struct binding wanted = {.device = block->device,
                             .offset = offset,
                             .bytes = bytes,
                             .physical = block->mapping ? block->mapping->physical : NULL};
    return gmt_sim_leave(bind(object, &wanted));
}

GMT_SIM_BODY(cuMulticastUnbind)(CUmemGenericAllocationHandle handle, CUdevice ordinal, size_t offset, size_t bytes)
{
    gmt_sim_lock();
    struct gmt_sim_physical *object = multicast_of(handle);
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    if (!object)
        return gmt_sim_leave(GMT_SIM_NO_SUCH_PHYSICAL);
    if (!device)
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    for (struct binding **link = &object->team->bindings; *link; link = &(*link)->next) {
        if ((*link)->device == device && (*link)->offset == offset && (*link)->bytes == bytes) {
            unbind(link);
            return gmt_sim_leave(CUDA_SUCCESS);
        }
    }
    return gmt_sim_leave(GMT_SIM_MULTICAST_REFUSED);
}
