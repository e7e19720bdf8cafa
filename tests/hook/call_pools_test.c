/* Pools and limits by calls, and when pools are asked what they hold. */
#include "hooked_case.h"

static const struct gmt_pool_record *pool_with(uint64_t handle)
{
    static const struct gmt_pool_record none;
    for (uint64_t i = trace_reader_used(trace, GMT_SECTION_POOLS); i-- > 0;) {
        if (trace_reader_POOLS(trace)[i].handle == handle)
            return &trace_reader_POOLS(trace)[i];
    }
    return &none;
}

static CUmemoryPool create_pool(uint64_t handle, int device)
{
    CUmemPoolProps properties = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device}};
    CUmemoryPool pool = NULL;
    table_driver_set_address(handle);
    EXPECT(cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
    return pool;
}

static void fail_for_memory(void)
{
    CUdeviceptr block;
    table_driver_set_address(0x6001); /* the default pool */
    table_driver_plan("cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAlloc_v2(&block, 10) == CUDA_ERROR_OUT_OF_MEMORY);
}

static void thresholds_and_trims_know_their_callers(void)
{
    open_trace();
    CUmemoryPool pool = create_pool(0x6000, 0);
    cuuint64_t bytes = 1 << 20;
    EXPECT(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &bytes) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6000)->threshold_stack == GMT_NONE);
    EXPECT(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6000)->threshold_bytes == 1 << 20 && pool_with(0x6000)->threshold_stack != GMT_NONE);
    EXPECT(cuMemPoolTrimTo(pool, 0) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6000)->trim_count == 1);
    table_driver_plan("cuMemPoolSetAttribute", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, NULL) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(pool_with(0x6000)->threshold_bytes == 1 << 20 && failures() == 1);
    EXPECT(cuDeviceGraphMemTrim(0) == CUDA_SUCCESS);
    EXPECT(pool_with(0)->type == GMT_POOL_GRAPHS && pool_with(0)->trim_count == 1);
    EXPECT(cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6000)->state == GMT_POOL_DESTROYED);
}

/* The tests' driver answers 100 times the attribute, and the last digit of the pool. */
static void pools_are_asked_when_memory_is_out(void)
{
    open_trace();
    create_pool(0x6002, 0);
    create_pool(0x6003, 1);
    fail_for_memory();
    EXPECT(pool_with(0x6001)->type == GMT_POOL_DEFAULT && pool_with(0x6001)->sample_ns > 0);
    EXPECT(pool_with(0x6001)->reserved_bytes == 507 && pool_with(0x6001)->used_bytes == 707);
    EXPECT(pool_with(0x6002)->reserved_bytes == 508 && pool_with(0x6002)->reserved_high_bytes == 608);
    EXPECT(pool_with(0x6003)->sample_ns == 0); /* of another device */
    EXPECT(pool_with(0)->type == GMT_POOL_GRAPHS && pool_with(0)->reserved_bytes == 7002);
}

/* A question to a pool would spoil the recording. */
static void pools_are_not_asked_while_a_stream_is_recorded(void)
{
    open_trace();
    CUgraph graph = NULL;
    EXPECT(cuStreamBeginCapture_v2((CUstream)0x51, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    fail_for_memory();
    EXPECT(trace_reader_used(trace, GMT_SECTION_POOLS) == 0);
    EXPECT(trace_reader_used(trace, GMT_SECTION_OOMS) == 1);
    EXPECT(cuStreamEndCapture((CUstream)0x51, &graph) == CUDA_SUCCESS);
    fail_for_memory();
    EXPECT(trace_reader_used(trace, GMT_SECTION_POOLS) > 0);
}

static void pools_are_asked_before_their_context_ends(void)
{
    open_trace();
    table_driver_set_address(0x6001);
    EXPECT(cuDevicePrimaryCtxReset_v2(0) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6001)->sample_ns > 0 && pool_with(0x6001)->device == 0);
}

static void the_device_of_an_imported_pool_is_told_later(void)
{
    open_trace();
    CUmemoryPool pool = NULL;
    table_driver_set_address(0x6004);
    EXPECT(cuMemPoolImportFromShareableHandle(&pool, NULL, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
           CUDA_SUCCESS);
    EXPECT(pool_with(0x6004)->type == GMT_POOL_IMPORTED && pool_with(0x6004)->device == GMT_NONE);
    EXPECT(cuDeviceGetMemPool(&pool, 1) == CUDA_SUCCESS);
    EXPECT(pool_with(0x6004)->device == 1);
}

/* The tests' driver says that a limit is 1000 and its number, whatever was asked for: as one that rounds. */
static void a_limit_is_kept_as_the_driver_set_it(void)
{
    open_trace();
    EXPECT(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 64) == CUDA_SUCCESS);
    const struct gmt_limit_record *limit = &trace_reader_LIMITS(trace)[0];
    EXPECT(trace_reader_used(trace, GMT_SECTION_LIMITS) == 1);
    EXPECT(limit->limit == 0 && limit->old_value == 1000 && limit->new_value == 1000);
    EXPECT(limit->device == 0 && limit->stack != GMT_NONE && limit->count == 1);
    table_driver_plan("cuCtxSetLimit", CUDA_ERROR_UNSUPPORTED_LIMIT);
    EXPECT(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 64) == CUDA_ERROR_UNSUPPORTED_LIMIT);
    EXPECT(limit->count == 1 && failures() == 1);
}

static const struct hooked_case cases[] = {
    {"thresholds and trims know their callers", thresholds_and_trims_know_their_callers, {0}, 1},
    {"pools are asked when memory is out", pools_are_asked_when_memory_is_out, {0}, 1},
    {"pools are not asked while a stream is recorded", pools_are_not_asked_while_a_stream_is_recorded, {0}, 1},
    {"pools are asked before their context ends", pools_are_asked_before_their_context_ends, {0}, 1},
    {"the device of an imported pool is told later", the_device_of_an_imported_pool_is_told_later, {0}, 1},
    {"a limit is kept as the driver set it", a_limit_is_kept_as_the_driver_set_it, {0}, 1},
};

int main(int argc, char **argv)
{
    return hooked_main(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
