/* Stream-ordered memory and the pools it comes from. Numbers measured on an H200. */
#include "simulator/simulated.h"

static CUmemoryPool default_pool(void)
{
    CUmemoryPool pool;
    assert_ok(cuDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

static uint64_t figure(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    cuuint64_t value = 0;
    assert_ok(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

#define RESERVED(pool) figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
#define USED(pool) figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT)

static void pool_grows_by_32_mib(void **state)
{
    CUdeviceptr small, second, large;
    CUmemoryPool pool = default_pool();
    (void)state;
    assert_ok(cuMemAllocAsync(&small, 100, 0));
    assert_int_equal(RESERVED(pool), 33554432);
    assert_int_equal(USED(pool), 100);
    assert_int_equal(free_bytes(), free_at_first() - 33554432);
    assert_ok(cuMemAllocAsync(&second, 600, 0));
    assert_int_equal(second - small, 512);
    assert_ok(cuMemAllocAsync(&large, 40 * MIB, 0));
    assert_int_equal(RESERVED(pool), 67108864);
    assert_int_equal(USED(pool), 41943740);
    assert_ok(cuMemFreeAsync(large, 0));
    assert_int_equal(RESERVED(pool), 67108864);
    assert_ok(cuStreamSynchronize(0));
    assert_int_equal(RESERVED(pool), 33554432);
    assert_int_equal(USED(pool), 700);
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 67108864);
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 41943740);
    assert_int_equal(cuMemFreeAsync(large, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFreeAsync(small, 0));
    assert_ok(cuMemFreeAsync(second, 0));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(RESERVED(pool), 0);
    assert_int_equal(free_bytes(), free_at_first());
}

static void threshold_keeps_memory_until_trimmed_or_needed(void **state)
{
    CUdeviceptr block, refused;
    CUmemoryPool pool = default_pool();
    cuuint64_t most = UINT64_MAX, none = 0;
    (void)state;
    assert_ok(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
    assert_ok(cuMemAllocAsync(&block, 100 * MIB, 0));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(RESERVED(pool), 134217728);
    assert_ok(cuMemPoolTrimTo(pool, 0));
    assert_int_equal(RESERVED(pool), 0);
    uint64_t half = total_bytes() / 2;
    assert_ok(cuMemAllocAsync(&block, half, 0));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(RESERVED(pool), (half + 33554431) / 33554432 * 33554432);
    assert_ok(cuMemAlloc(&block, half / 2 * 3)); /* fits because the pool gives back what it does not use */
    assert_int_equal(RESERVED(pool), 0);
    assert_int_equal(cuMemAllocAsync(&refused, half, 0), CUDA_ERROR_OUT_OF_MEMORY);
    assert_ok(cuMemFree(block));
    assert_ok(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &none));
    assert_ok(cuCtxSynchronize());
    assert_ok(cuMemPoolTrimTo(pool, 0)); /* what a GPU keeps of the request that was refused */
}

static void both_frees_take_both_kinds(void **state)
{
    CUdeviceptr block;
    (void)state;
    assert_ok(cuMemAllocAsync(&block, MIB, 0));
    assert_ok(cuMemFree(block));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAlloc(&block, 8 * MIB));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_int_equal(free_bytes(), free_at_first() - 8388608);
    assert_ok(cuMemFree(block)); /* not noticed before the stream has come to the first free */
    assert_ok(cuCtxSynchronize());
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAllocAsync(&block, MIB, 0));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFreeAsync(block, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuCtxSynchronize());
    assert_ok(cuMemFreeAsync(0, 0));
    assert_int_equal(cuMemFreeAsync(0x1234, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemAllocAsync(&block, 0, 0));
    assert_int_equal(block, 0);
}

static void own_pool_ends_with_its_last_block(void **state)
{
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemPoolProps nonsense = {0};
    CUmemoryPool pool, of_block = NULL, current;
    CUdeviceptr block;
    (void)state;
    assert_int_equal(cuMemPoolCreate(&pool, &nonsense), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemPoolCreate(&pool, &wanted));
    assert_ok(cuDeviceSetMemPool(0, pool));
    assert_ok(cuMemAllocAsync(&block, 100, 0));
    assert_ok(cuPointerGetAttribute(&of_block, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, block));
    assert_ptr_equal(of_block, pool);
    assert_ok(cuMemPoolDestroy(pool));
    assert_int_equal(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, default_pool());
    assert_int_equal(free_bytes(), free_at_first() - 33554432);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(free_bytes(), free_at_first());
    assert_int_equal(cuMemPoolDestroy(default_pool()), CUDA_ERROR_INVALID_VALUE);
}

/* Pools, the standard one too, and what was taken from them belong to no context. */
static void blocks_outlive_a_reset(void **state)
{
    CUmemoryPool pool = default_pool();
    CUdeviceptr block, next;
    CUcontext context;
    (void)state;
    uint64_t before = figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    assert_ok(cuMemAllocAsync(&block, 64 * MIB, 0));
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0)); /* alive again, with the reference of before */
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_ptr_equal(default_pool(), pool);
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), before + 67108864);
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemAllocFromPoolAsync(&next, 2 * MIB, pool, 0));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), before + 2097152);
    assert_int_equal(free_bytes(), free_at_first() - 33554432);
    assert_ok(cuMemFreeAsync(next, 0));
    assert_ok(cuCtxSynchronize());
}

static void a_pool_has_its_limit(void **state)
{
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                             .maxSize = 40 * MIB};
    CUmemoryPool pool;
    CUdeviceptr first, second;
    (void)state;
    assert_ok(cuMemPoolCreate(&pool, &wanted));
    assert_ok(cuMemAllocFromPoolAsync(&first, 30 * MIB, pool, 0));
    assert_int_equal(cuMemAllocFromPoolAsync(&second, 60 * MIB, pool, 0), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(second, 0);
    assert_ok(cuMemFreeAsync(first, 0));
    assert_ok(cuCtxSynchronize());
    assert_ok(cuMemPoolDestroy(pool));
}

static void the_current_pool_is_told_by_location_too(void **state)
{
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CUmemoryPool pool, told;
    (void)state;
    assert_ok(cuMemGetDefaultMemPool(&told, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_equal(told, default_pool());
    assert_ok(cuMemPoolCreate(&pool, &wanted));
    assert_ok(cuMemPoolGetAccess(&flags, pool, &here));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_ok(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    assert_ok(cuMemGetMemPool(&told, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_equal(told, pool);
    assert_ok(cuDeviceGetMemPool(&told, 0));
    assert_ptr_equal(told, pool);
    assert_ok(cuMemPoolDestroy(pool));
    assert_ok(cuMemGetMemPool(&told, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_equal(told, default_pool());
}

static void high_water_marks_start_again(void **state)
{
    CUmemoryPool pool = default_pool();
    CUdeviceptr block;
    cuuint64_t zero = 0, one = 1;
    (void)state;
    assert_ok(cuMemAllocAsync(&block, 40 * MIB, 0));
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
    assert_true(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH) >= 41943040);
    assert_int_equal(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
    assert_ok(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &zero));
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), USED(pool)); /* not 0: see both_frees */
    assert_int_equal(figure(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0);
    assert_int_equal(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &zero), CUDA_ERROR_INVALID_VALUE);
}

static void a_pool_of_the_hosts_memory_takes_none_of_the_devices(void **state)
{
    CUmemLocation host = {.type = CU_MEM_LOCATION_TYPE_HOST}, here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = host};
    CUmemAccessDesc device = {.location = here, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemoryPool pool, told;
    CUdeviceptr block;
    unsigned int type = 0;
    int supported = 0;
    (void)state;
    assert_ok(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, 0));
    if (!supported)
        skip();
    uint64_t before = free_bytes();
    assert_ok(cuMemPoolCreate(&pool, &wanted));
    assert_ok(cuMemPoolSetAccess(pool, &device, 1));
    assert_int_equal(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, pool), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemSetMemPool(&host, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
    assert_ok(cuMemGetMemPool(&told, &host, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_equal(told, pool);
    assert_ok(cuMemAllocFromPoolAsync(&block, MIB, pool, 0));
    assert_ok(cuStreamSynchronize(0));
    assert_int_equal(free_bytes(), before);
    *(char *)(uintptr_t)block = 1;
    assert_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, block));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuStreamSynchronize(0));
    assert_ok(cuMemPoolDestroy(pool));
    assert_ok(cuMemGetMemPool(&told, &host, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_ptr_not_equal(told, pool);
    assert_int_equal(cuMemPoolDestroy(told), CUDA_ERROR_INVALID_VALUE);
}

static void a_pool_of_managed_memory_takes_none_of_the_devices(void **state)
{
    CUmemLocation nowhere = {.type = CU_MEM_LOCATION_TYPE_NONE};
    CUmemoryPool pool;
    CUdeviceptr block;
    unsigned int managed = 0;
    (void)state;
    if (!simulated()) /* not tried on a GPU */
        skip();
    uint64_t before = free_bytes();
    assert_int_equal(cuMemGetMemPool(&pool, &nowhere, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemGetMemPool(&pool, &nowhere, CU_MEM_ALLOCATION_TYPE_MANAGED));
    assert_ok(cuMemAllocFromPoolAsync(&block, MIB, pool, 0));
    assert_ok(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, block));
    assert_int_equal(managed, 1);
    assert_int_equal(free_bytes(), before);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuStreamSynchronize(0));
}

#define pooled(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled(pool_grows_by_32_mib),
        pooled(threshold_keeps_memory_until_trimmed_or_needed),
        pooled(both_frees_take_both_kinds),
        pooled(own_pool_ends_with_its_last_block),
        pooled(blocks_outlive_a_reset),
        pooled(a_pool_has_its_limit),
        pooled(the_current_pool_is_told_by_location_too),
        pooled(high_water_marks_start_again),
        pooled(a_pool_of_the_hosts_memory_takes_none_of_the_devices),
        pooled(a_pool_of_managed_memory_takes_none_of_the_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
