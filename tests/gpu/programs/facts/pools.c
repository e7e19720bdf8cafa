/* Stream-ordered pools: which is current, what their attributes say, and the pools of locations (CUDA 13). */
#include "facts.h"

static CUmemoryPool create_pool(void)
{
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemoryPool pool = NULL;
    MUST(cuMemPoolCreate, &pool, &properties);
    return pool;
}

static unsigned long long attribute(CUmemoryPool pool, CUmemPool_attribute which)
{
    cuuint64_t value = 0;
    CUresult code = drv.cuMemPoolGetAttribute(pool, which, &value);
    if (code)
        tell("cuMemPoolGetAttribute(%d)=%d", which, code);
    return value;
}

static void tell_pool(const char *label, CUmemoryPool pool)
{
    tell("%s used=%llu used_high=%llu reserved=%llu reserved_high=%llu threshold=%llu", label,
         attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH),
         attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH),
         attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD));
    memory_tell(label);
}

static CUdeviceptr take(size_t size, CUmemoryPool pool)
{
    CUdeviceptr block = 0;
    if (pool)
        SEE("take", cuMemAllocFromPoolAsync, &block, size, pool, NULL);
    else
        SEE("take", cuMemAllocAsync, &block, size, NULL);
    SEE("take", cuStreamSynchronize, NULL);
    return block;
}

static void tell_owner(CUdeviceptr block, CUmemoryPool expected)
{
    CUmemoryPool owner = NULL;
    CUresult code = drv.cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, block);
    tell("MEMPOOL_HANDLE=%d is_expected=%d", code, owner == expected);
}

static void ask_current(int unused)
{
    (void)unused;
    CUmemoryPool current = NULL, original = NULL;
    device_open();
    MUST(cuDeviceGetDefaultMemPool, &original, 0);
    CUmemoryPool first = create_pool(), second = create_pool();
    memory_mark();
    MUST(cuDeviceSetMemPool, 0, second);
    SEE("after_set", cuDeviceGetMemPool, &current, 0);
    tell("current_is_second=%d", current == second);
    CUdeviceptr block = take(2 * MIB, NULL);
    tell_owner(block, second);
    tell_pool("first", first);
    tell_pool("second", second);
    tell_pool("default", original);
    SEE("current", cuMemPoolDestroy, second);
    current = NULL;
    SEE("after_destroy_of_current", cuDeviceGetMemPool, &current, 0);
    tell("current_is_default=%d", current == original);
    SEE("of_destroyed", cuMemFreeAsync, block, NULL);
}

static void ask_attributes(int unused)
{
    (void)unused;
    CUmemoryPool pool = NULL;
    cuuint64_t threshold = 256 * MIB, zero = 0;
    device_open();
    MUST(cuDeviceGetDefaultMemPool, &pool, 0);
    tell_pool("before", pool);
    CUdeviceptr small = take(100, NULL), second = take(513, NULL), large = take(64 * MIB + 1, NULL);
    tell_pool("100_and_513_and_64_MiB", pool);
    SEE("256_MiB", cuMemPoolSetAttribute, pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
    SEE("large", cuMemFreeAsync, large, NULL);
    tell_pool("free_before_synchronise", pool);
    SEE("large", cuStreamSynchronize, NULL);
    tell_pool("free_after_synchronise", pool);
    SEE("zero", cuMemPoolSetAttribute, pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &zero);
    tell_pool("threshold_zero", pool);
    SEE("zero", cuStreamSynchronize, NULL);
    tell_pool("threshold_zero_synchronised", pool);
    SEE("1_GiB", cuMemPoolTrimTo, pool, GIB);
    tell_pool("trim_to_1_GiB", pool);
    SEE("zero", cuMemPoolTrimTo, pool, 0);
    tell_pool("trim_to_zero", pool);
    SEE("reset_high", cuMemPoolSetAttribute, pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero);
    SEE("small", cuMemFreeAsync, small, NULL);
    SEE("second", cuMemFree, second);
    SEE("end", cuStreamSynchronize, NULL);
    tell_pool("all_freed", pool);
}

/* One block of each size, each in a pool of its own: what "reserved" starts with. */
static void ask_reserved(int unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 100, MIB, 2 * MIB, 32 * MIB, 32 * MIB + 1, 40 * MIB, 512 * MIB};
    device_open();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CUmemoryPool pool = create_pool();
        memory_mark();
        CUdeviceptr block = take(sizes[i], pool);
        tell("size=%zu", sizes[i]);
        tell_pool("taken", pool);
        SEE("end", cuMemFreeAsync, block, NULL);
        SEE("end", cuStreamSynchronize, NULL);
        SEE("end", cuMemPoolDestroy, pool);
    }
}

static const struct {
    const char *name;
    CUmemLocation location;
    CUmemAllocationType type;
} places[] = {
    {"device_pinned", {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}, CU_MEM_ALLOCATION_TYPE_PINNED},
    {"host_pinned", {.type = CU_MEM_LOCATION_TYPE_HOST, .id = 0}, CU_MEM_ALLOCATION_TYPE_PINNED},
    {"host_numa_pinned", {.type = CU_MEM_LOCATION_TYPE_HOST_NUMA, .id = 0}, CU_MEM_ALLOCATION_TYPE_PINNED},
    {"device_managed", {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}, CU_MEM_ALLOCATION_TYPE_MANAGED},
    {"host_managed", {.type = CU_MEM_LOCATION_TYPE_HOST, .id = 0}, CU_MEM_ALLOCATION_TYPE_MANAGED},
    {"none_managed", {.type = CU_MEM_LOCATION_TYPE_NONE, .id = 0}, CU_MEM_ALLOCATION_TYPE_MANAGED},
    {"device_no_type", {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}, CU_MEM_ALLOCATION_TYPE_INVALID},
};

static void ask_place(int which)
{
    CUmemLocation location = places[which].location;
    CUmemoryPool standard = NULL, current = NULL, device = NULL;
    CUdeviceptr block = 0;
    device_open();
    drv.cuDeviceGetDefaultMemPool(&device, 0);
    SEE(places[which].name, cuMemGetDefaultMemPool, &standard, &location, places[which].type);
    SEE(places[which].name, cuMemGetMemPool, &current, &location, places[which].type);
    tell("default=%p current=%p devices_default=%p", (void *)standard, (void *)current, (void *)device);
    if (!current)
        return;
    SEE(places[which].name, cuMemSetMemPool, &location, places[which].type, current);
    SEE(places[which].name, cuMemAllocFromPoolAsync, &block, 2 * MIB, current, NULL);
    SEE(places[which].name, cuStreamSynchronize, NULL);
    tell("block=%#llx taken=%lld", block, memory_taken());
    tell_owner(block, current);
    SEE(places[which].name, cuMemFreeAsync, block, NULL);
    if (places[which].location.type == CU_MEM_LOCATION_TYPE_DEVICE)
        SEE("created_pool", cuMemSetMemPool, &location, places[which].type, create_pool());
    SEE("device_pool", cuMemSetMemPool, &location, places[which].type, device);
}

const struct part pool_parts[] = {
    {"15.current", ask_current, 0},
    {"15.attributes", ask_attributes, 0},
    {"15.reserved", ask_reserved, 0},
    {"17.device_pinned", ask_place, 0},
    {"17.host_pinned", ask_place, 1},
    {"17.host_numa_pinned", ask_place, 2},
    {"17.device_managed", ask_place, 3},
    {"17.host_managed", ask_place, 4},
    {"17.none_managed", ask_place, 5},
    {"17.device_no_type", ask_place, 6},
    {0},
};
