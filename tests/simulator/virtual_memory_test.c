/* Physical memory apart from addresses: when it counts, what a mapping shows, who has access, and what outlives what.
 */
#include "simulator/simulated.h"

#include <string.h>

static CUmemAllocationProp on_device(void)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp wanted = on_device();
    assert_ok(cuMemCreate(&handle, bytes, &wanted, 0));
    return handle;
}

static CUdeviceptr reserve(size_t bytes)
{
    CUdeviceptr address;
    assert_ok(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    return address;
}

static void give_access(CUdeviceptr address, size_t bytes)
{
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    assert_ok(cuMemSetAccess(address, bytes, &access, 1));
}

/* Maps a new block of this size with access, and keeps no reference to the handle. */
static void map_new(CUdeviceptr address, size_t bytes)
{
    CUmemGenericAllocationHandle handle = create(bytes);
    assert_ok(cuMemMap(address, bytes, 0, handle, 0));
    assert_ok(cuMemRelease(handle));
    give_access(address, bytes);
}

static void granularity_is_2_mib(void **state)
{
    size_t granularity = 0;
    CUmemAllocationProp wanted = on_device();
    CUmemGenericAllocationHandle handle;
    (void)state;
    assert_ok(cuMemGetAllocationGranularity(&granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    assert_int_equal(granularity, 2097152);
    assert_ok(cuMemGetAllocationGranularity(&granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    assert_int_equal(granularity, 2097152);
    assert_int_equal(cuMemCreate(&handle, 2097153, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemCreate(&handle, 0, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemCreate(&handle, 2097152, &wanted, 1), CUDA_ERROR_INVALID_VALUE);
    wanted.location.id = 99;
    assert_int_equal(cuMemCreate(&handle, 2097152, &wanted, 0), CUDA_ERROR_INVALID_DEVICE);
}

static void memory_counts_from_its_creation_to_its_last_use(void **state)
{
    CUmemGenericAllocationHandle handle = create(64 * MIB), retained;
    CUdeviceptr address = reserve(64 * MIB);
    (void)state;
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemMap(address, 64 * MIB, 0, handle, 0));
    assert_ok(cuMemRelease(handle));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemRetainAllocationHandle(&retained, (void *)(uintptr_t)(address + 5)));
    assert_int_equal(retained, handle);
    assert_ok(cuMemUnmap(address, 64 * MIB));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemAddressFree(address, 64 * MIB));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemRelease(retained));
    assert_int_equal(free_bytes(), free_at_first());
    if (simulated()) /* undefined on a GPU */
        assert_int_equal(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
}

static void more_than_there_is_cannot_be_created(void **state)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp wanted = on_device();
    (void)state;
    assert_int_equal(cuMemCreate(&handle, total_bytes() / 2097152 * 2097152, &wanted, 0), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(free_bytes(), free_at_first());
}

static void two_mappings_of_a_handle_show_the_same_bytes(void **state)
{
    CUmemGenericAllocationHandle handle = create(4 * MIB);
    CUdeviceptr first = reserve(4 * MIB), second = reserve(4 * MIB);
    char written[] = "through the first", read[sizeof written] = "";
    (void)state;
    assert_ok(cuMemMap(first, 4 * MIB, 0, handle, 0));
    assert_ok(cuMemMap(second, 4 * MIB, 0, handle, 0));
    give_access(first, 4 * MIB);
    give_access(second, 4 * MIB);
    assert_ok(cuMemcpyHtoD(first + 3 * MIB, written, sizeof written));
    assert_ok(cuMemcpyDtoH(read, second + 3 * MIB, sizeof read));
    assert_string_equal(read, "through the first");
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    assert_ok(cuMemUnmap(first, 4 * MIB));
    memset(read, 0, sizeof read);
    assert_ok(cuMemcpyDtoH(read, second + 3 * MIB, sizeof read));
    assert_string_equal(read, "through the first");
    assert_ok(cuMemUnmap(second, 4 * MIB));
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemAddressFree(first, 4 * MIB));
    assert_ok(cuMemAddressFree(second, 4 * MIB));
}

static void mappings_side_by_side_are_one_range(void **state)
{
    CUdeviceptr address = reserve(8 * MIB), base = 0;
    static unsigned char written[4096], read[4096];
    size_t bytes = 0;
    (void)state;
    memset(written, 0x5a, sizeof written);
    map_new(address, 2 * MIB);
    map_new(address + 2 * MIB, 4 * MIB);
    assert_ok(cuMemcpyHtoD(address + 2 * MIB - 2048, written, sizeof written));
    assert_ok(cuMemcpyDtoH(read, address + 2 * MIB - 2048, sizeof read));
    assert_memory_equal(read, written, sizeof read);
    assert_ok(cuMemsetD8(address, 7, 6 * MIB));
    assert_int_equal(cuMemsetD8(address + 4 * MIB, 7, 2 * MIB + 1), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemGetAddressRange(&base, &bytes, address + 3 * MIB));
    assert_int_equal(base, address + 2 * MIB);
    assert_int_equal(bytes, 4194304);
    assert_ok(cuMemUnmap(address, 6 * MIB));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAddressFree(address, 8 * MIB));
}

static void nothing_reaches_a_mapping_without_access(void **state)
{
    (void)state;
    if (!simulated())
        skip(); /* on a GPU it did not end */
    CUmemGenericAllocationHandle handle = create(2 * MIB);
    CUdeviceptr address = reserve(2 * MIB);
    CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    CUmemAccessDesc none = {.location = here, .flags = CU_MEM_ACCESS_FLAGS_PROT_NONE};
    unsigned long long flags = 99;
    assert_int_equal(cuMemcpy(address, (uintptr_t)&flags, sizeof flags), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemMap(address, 2 * MIB, 0, handle, 0));
    assert_ok(cuMemGetAccess(&flags, &here, address));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    assert_int_equal(cuMemsetD8(address, 1, 100), CUDA_ERROR_INVALID_VALUE);
    give_access(address, 2 * MIB);
    assert_ok(cuMemGetAccess(&flags, &here, address + 2 * MIB - 1));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    assert_ok(cuMemsetD8(address, 1, 100));
    assert_ok(cuMemSetAccess(address, 2 * MIB, &none, 1));
    assert_int_equal(cuMemsetD8(address, 1, 100), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemUnmap(address, 2 * MIB));
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemAddressFree(address, 2 * MIB));
}

static void what_does_not_fit_is_refused(void **state)
{
    CUmemGenericAllocationHandle handle = create(4 * MIB);
    CUdeviceptr address = reserve(8 * MIB), other;
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    (void)state;
    assert_int_equal(cuMemAddressReserve(&other, 0, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemAddressReserve(&other, 2 * MIB, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemMap(address, 8 * MIB, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuMemMap(address, 2 * MIB, 0, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuMemMap(address, 2 * MIB, 2 * MIB, handle, 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuMemMap(address + 6 * MIB, 4 * MIB, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemMap(address + 4096, 2 * MIB, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemMap(address + 2 * MIB, 4 * MIB, 0, handle, 0));
    assert_int_equal(cuMemMap(address + 4 * MIB, 4 * MIB, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemUnmap(address + 2 * MIB, 2 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemSetAccess(address, 8 * MIB, &access, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemAddressFree(address, 8 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFree(address + 2 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemUnmap(address + 2 * MIB, 4 * MIB));
    assert_int_equal(cuMemAddressFree(address, 4 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemAddressFree(address, 8 * MIB));
    assert_ok(cuMemRelease(handle));
}

/* Two mappings of 4 MiB, with nothing behind them. */
static void holes_are_unmapped_as_well(void **state)
{
    CUdeviceptr address = reserve(16 * MIB);
    (void)state;
    map_new(address, 4 * MIB);
    map_new(address + 4 * MIB, 4 * MIB);
    assert_ok(cuMemUnmap(address + 8 * MIB, 2 * MIB));
    assert_int_equal(cuMemUnmap(2 * MIB, 2 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemUnmap(address, 6 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemUnmap(address + 2 * MIB, 2 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(free_bytes(), free_at_first() - 8388608);
    assert_ok(cuMemUnmap(address, 12 * MIB));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemUnmap(address, 8 * MIB));
    assert_ok(cuMemAddressFree(address, 16 * MIB));
    assert_int_equal(cuMemAddressFree(address, 16 * MIB), CUDA_ERROR_INVALID_VALUE);
}

static void a_reset_leaves_handles_and_mappings(void **state)
{
    CUmemGenericAllocationHandle handle = create(64 * MIB), retained;
    CUdeviceptr address = reserve(64 * MIB);
    CUcontext context;
    (void)state;
    assert_ok(cuMemMap(address, 64 * MIB, 0, handle, 0));
    give_access(address, 64 * MIB);
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0)); /* alive again, with the reference of before */
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemRetainAllocationHandle(&retained, (void *)(uintptr_t)address));
    assert_int_equal(retained, handle);
    assert_ok(cuMemUnmap(address, 64 * MIB));
    assert_ok(cuMemAddressFree(address, 64 * MIB));
    assert_ok(cuMemRelease(handle));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    assert_ok(cuMemRelease(retained));
    assert_int_equal(free_bytes(), free_at_first());
}

static void an_address_is_told_about(void **state)
{
    CUdeviceptr address = reserve(2 * MIB);
    CUmemAllocationProp told;
    CUmemGenericAllocationHandle handle;
    int ordinal = 99, managed = 99;
    unsigned int type = 99;
    (void)state;
    map_new(address, 2 * MIB);
    assert_ok(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address + 100));
    assert_int_equal(ordinal, 0);
    assert_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    assert_ok(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    assert_int_equal(managed, 0);
    assert_ok(cuMemRetainAllocationHandle(&handle, (void *)(uintptr_t)address));
    assert_ok(cuMemGetAllocationPropertiesFromHandle(&told, handle));
    assert_int_equal(told.type, CU_MEM_ALLOCATION_TYPE_PINNED);
    assert_int_equal(told.location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemUnmap(address, 2 * MIB));
    assert_ok(cuMemAddressFree(address, 2 * MIB));
}

/* No context is needed, and none takes the memory along. */
static void memory_outlives_contexts(void **state)
{
    CUcontext context, primary;
    CUdeviceptr address;
    char read = 0;
    (void)state;
    assert_ok(cuCtxGetCurrent(&primary));
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    address = reserve(32 * MIB);
    map_new(address, 32 * MIB);
    assert_ok(cuMemsetD8(address, 42, 1));
    assert_ok(cuCtxDestroy(context));
    assert_ok(cuCtxSetCurrent(primary));
    assert_int_equal(free_bytes(), free_at_first() - 33554432);
    assert_ok(cuMemcpyDtoH(&read, address, 1));
    assert_int_equal(read, 42);
    assert_ok(cuMemUnmap(address, 32 * MIB));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAddressFree(address, 32 * MIB));
}

static void host_memory_is_not_the_devices(void **state)
{
    CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_HOST_NUMA, .id = 0}};
    CUmemAccessDesc access[] = {{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                                {{CU_MEM_LOCATION_TYPE_HOST_NUMA, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr address;
    int supported = 0;
    size_t granularity = 0;
    (void)state;
    assert_ok(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    if (!supported)
        skip();
    assert_ok(cuMemGetAllocationGranularity(&granularity, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    address = reserve(granularity);
    assert_ok(cuMemCreate(&handle, granularity, &wanted, 0));
    assert_ok(cuMemMap(address, granularity, 0, handle, 0));
    assert_ok(cuMemSetAccess(address, granularity, access, 2));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemsetD8(address, 9, granularity));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(*(unsigned char *)(uintptr_t)(address + granularity - 1), 9);
    assert_ok(cuMemUnmap(address, granularity));
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemAddressFree(address, granularity));
}

#define virtual(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        virtual(granularity_is_2_mib),
        virtual(memory_counts_from_its_creation_to_its_last_use),
        virtual(more_than_there_is_cannot_be_created),
        virtual(two_mappings_of_a_handle_show_the_same_bytes),
        virtual(mappings_side_by_side_are_one_range),
        virtual(nothing_reaches_a_mapping_without_access),
        virtual(what_does_not_fit_is_refused),
        virtual(holes_are_unmapped_as_well),
        virtual(a_reset_leaves_handles_and_mappings),
        virtual(an_address_is_told_about),
        virtual(memory_outlives_contexts),
        virtual(host_memory_is_not_the_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
