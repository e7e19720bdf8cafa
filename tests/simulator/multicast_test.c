/* Multicast objects of two devices: who joins, what is bound, what is kept alive. Needs two devices. */
#include "simulator/simulated.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static CUmemGenericAllocationHandle create(int device, size_t bytes)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    assert_ok(cuMemCreate(&handle, bytes, &wanted, 0));
    return handle;
}

static CUmemGenericAllocationHandle create_multicast(size_t bytes, unsigned int devices)
{
    CUmemGenericAllocationHandle handle;
    CUmulticastObjectProp wanted = {.numDevices = devices, .size = bytes};
    assert_ok(cuMulticastCreate(&handle, &wanted));
    return handle;
}

static int use_two(void **state)
{
    int devices = 0, supported = 0;
    use_primary(state);
    assert_ok(cuDeviceGetCount(&devices));
    assert_ok(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
    if (devices < 2 || !supported) {
        printf("skipped: %d devices, multicast %s\n", devices, supported ? "supported" : "not supported");
        exit(77);
    }
    return 0;
}

static void granularities_are_told(void **state)
{
    CUmulticastObjectProp wanted = {.numDevices = 2, .size = 2 * MIB};
    CUmemGenericAllocationHandle handle;
    size_t minimum = 0, recommended = 0;
    (void)state;
    assert_ok(cuMulticastGetGranularity(&minimum, &wanted, CU_MULTICAST_GRANULARITY_MINIMUM));
    assert_ok(cuMulticastGetGranularity(&recommended, &wanted, CU_MULTICAST_GRANULARITY_RECOMMENDED));
    assert_int_equal(minimum, 2097152);
    assert_int_equal(recommended, 536870912);
    wanted.size = 2 * MIB + 1;
    assert_int_equal(cuMulticastCreate(&handle, &wanted), CUDA_ERROR_INVALID_VALUE);
    wanted.size = 0;
    assert_int_equal(cuMulticastCreate(&handle, &wanted), CUDA_ERROR_INVALID_VALUE);
    wanted = (CUmulticastObjectProp){.numDevices = 0, .size = 2 * MIB};
    assert_int_equal(cuMulticastCreate(&handle, &wanted), CUDA_ERROR_INVALID_VALUE);
}

static void devices_join_once(void **state)
{
    CUmemGenericAllocationHandle object = create_multicast(2 * MIB, 2), memory = create(0, 2 * MIB);
    (void)state;
    assert_ok(cuMulticastAddDevice(object, 0));
    assert_int_equal(cuMulticastAddDevice(object, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMulticastAddDevice(object, 99), CUDA_ERROR_INVALID_DEVICE);
    assert_int_equal(cuMulticastAddDevice(memory, 1), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMulticastAddDevice(object, 1));
    assert_ok(cuMemRelease(memory));
    assert_ok(cuMemRelease(object));
}

static void bound_memory_lives_until_it_is_unbound(void **state)
{
    CUmemGenericAllocationHandle object = create_multicast(8 * MIB, 2), memory = create(0, 4 * MIB);
    uint64_t before = free_bytes();
    (void)state;
    assert_ok(cuMulticastAddDevice(object, 0));
    assert_ok(cuMulticastAddDevice(object, 1));
    assert_int_equal(cuMulticastBindMem(object, 0, memory, 0, 8 * MIB, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMulticastBindMem(object, 6 * MIB, memory, 0, 4 * MIB, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMulticastBindMem(object, 2 * MIB, memory, 0, 4 * MIB, 0));
    assert_int_equal(cuMulticastBindMem(object, 4 * MIB, memory, 0, 2 * MIB, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemRelease(memory));
    if (simulated())
        assert_int_equal(free_bytes(), before);
    assert_int_equal(cuMulticastUnbind(object, 0, 0, 4 * MIB), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMulticastUnbind(object, 0, 2 * MIB, 4 * MIB));
    if (simulated())
        assert_int_equal(free_bytes(), before + 4194304);
    memory = create(0, 2 * MIB);
    assert_ok(cuMulticastBindMem(object, 0, memory, 0, 2 * MIB, 0));
    assert_ok(cuMemRelease(memory));
    assert_ok(cuMemRelease(object)); /* unbinds */
    assert_int_equal(free_bytes(), free_at_first());
}

static void an_address_is_bound_and_the_object_mapped(void **state)
{
    CUmemGenericAllocationHandle object = create_multicast(2 * MIB, 2), memory = create(0, 2 * MIB);
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUdeviceptr own, all, plain;
    (void)state;
    assert_ok(cuMulticastAddDevice(object, 0));
    assert_ok(cuMulticastAddDevice(object, 1));
    assert_ok(cuMemAddressReserve(&own, 2 * MIB, 0, 0, 0));
    assert_ok(cuMemAddressReserve(&all, 2 * MIB, 0, 0, 0));
    assert_ok(cuMemMap(own, 2 * MIB, 0, memory, 0));
    assert_ok(cuMemSetAccess(own, 2 * MIB, &access, 1));
    assert_ok(cuMulticastBindAddr(object, 0, own, 2 * MIB, 0));
    assert_ok(cuMemAlloc(&plain, 2 * MIB));
    if (simulated())
        assert_int_equal(cuMulticastBindAddr(object, 0, plain, 2 * MIB, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(plain));
    assert_ok(cuMemMap(all, 2 * MIB, 0, object, 0));
    assert_ok(cuMemSetAccess(all, 2 * MIB, &access, 1));
    assert_ok(cuMemRelease(object));
    assert_ok(cuMemRelease(memory));
    assert_ok(cuMemUnmap(own, 2 * MIB));
    if (simulated())
        assert_int_equal(free_bytes(), free_at_first() - 2097152); /* the mapped object keeps what is bound */
    assert_ok(cuMemUnmap(all, 2 * MIB));
    assert_ok(cuMemAddressFree(own, 2 * MIB));
    assert_ok(cuMemAddressFree(all, 2 * MIB));
    assert_int_equal(free_bytes(), free_at_first());
}

static _Atomic bool joined;

static void *join_late(void *object)
{
    usleep(50000);
    joined = true;
    return cuMulticastAddDevice(*(CUmemGenericAllocationHandle *)object, 1) == CUDA_SUCCESS ? object : NULL;
}

static void binding_waits_for_the_last_device(void **state)
{
    CUmemGenericAllocationHandle object = create_multicast(2 * MIB, 2), memory = create(0, 2 * MIB);
    pthread_t thread;
    void *result = NULL;
    (void)state;
    assert_ok(cuMulticastAddDevice(object, 0));
    assert_int_equal(pthread_create(&thread, NULL, join_late, &object), 0);
    assert_ok(cuMulticastBindMem(object, 0, memory, 0, 2 * MIB, 0));
    assert_true(joined);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &object);
    assert_ok(cuMemRelease(object));
    assert_ok(cuMemRelease(memory));
}

#define team(test) cmocka_unit_test_setup_teardown(test, use_two, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        team(granularities_are_told),
        team(devices_join_once),
        team(bound_memory_lives_until_it_is_unbound),
        team(an_address_is_bound_and_the_object_mapped),
        team(binding_waits_for_the_last_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
