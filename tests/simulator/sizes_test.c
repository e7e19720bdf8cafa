/* What blocks take of the device: chunks, rounding, the end of memory. Numbers measured on an H200. */
#include "simulator/simulated.h"

static uint64_t taken(size_t bytes, CUdeviceptr *address)
{
    uint64_t before = free_bytes();
    assert_ok(cuMemAlloc(address, bytes));
    return before - free_bytes();
}

static void first_context_takes_527_mib(void **state)
{
    (void)state;
    assert_int_equal(free_bytes(), free_at_first());
}

static void small_blocks_share_a_chunk(void **state)
{
    CUdeviceptr block[3];
    (void)state;
    assert_int_equal(taken(513, &block[0]), 2097152);
    assert_int_equal(taken(1, &block[1]), 0);
    assert_int_equal(taken(1, &block[2]), 0);
    assert_int_equal(block[1] - block[0], 1024);
    assert_int_equal(block[2] - block[1], 512);
    assert_int_equal(block[0] % 2097152, 0);
    assert_ok(cuMemFree(block[0]));
    assert_ok(cuMemFree(block[2]));
    assert_int_equal(free_bytes(), free_at_first() - 2097152);
    assert_ok(cuMemFree(block[1]));
    assert_int_equal(free_bytes(), free_at_first());
}

static void large_blocks_round_up_to_chunks(void **state)
{
    static const struct {
        size_t bytes, taken;
    } rows[] = {
        {1048576, 2097152}, {1048577, 2097152},   {2097152, 2097152},   {2097153, 4194304},
        {3145728, 4194304}, {34603009, 35651584}, {33554433, 35651584},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUdeviceptr block;
        assert_int_equal(taken(rows[i].bytes, &block), rows[i].taken);
        assert_ok(cuMemFree(block));
    }
}

static void two_blocks_of_a_mebibyte_share_a_chunk(void **state)
{
    CUdeviceptr block[4];
    (void)state;
    assert_int_equal(taken(1048576, &block[0]), 2097152);
    assert_int_equal(taken(1048576, &block[1]), 0);
    assert_int_equal(taken(1048577, &block[2]), 2097152);
    assert_int_equal(taken(1048577, &block[3]), 2097152);
    for (int i = 0; i < 4; i++)
        assert_ok(cuMemFree(block[i]));
}

/* 489 chunks for a million blocks of 1 KiB on a GPU; here 20,000 take 10 chunks. */
static void one_block_keeps_its_chunk(void **state)
{
    static CUdeviceptr blocks[20000];
    (void)state;
    for (int i = 0; i < 20000; i++)
        assert_ok(cuMemAlloc(&blocks[i], 1024));
    assert_int_equal(free_bytes(), free_at_first() - 10 * 2097152);
    for (int i = 0; i < 20000; i++) {
        if (i % 2048 != 0)
            assert_ok(cuMemFree(blocks[i]));
    }
    assert_int_equal(free_bytes(), free_at_first() - 10 * 2097152);
    for (int i = 0; i < 20000; i += 2048)
        assert_ok(cuMemFree(blocks[i]));
    assert_int_equal(free_bytes(), free_at_first());
}

static void holes_do_not_fragment_the_device(void **state)
{
    CUdeviceptr blocks[50], large;
    (void)state;
    for (int i = 0; i < 50; i++)
        assert_ok(cuMemAlloc(&blocks[i], 128 * MIB));
    for (int i = 0; i < 50; i += 2)
        assert_ok(cuMemFree(blocks[i]));
    assert_ok(cuMemAlloc(&large, 3 * GIB));
    assert_ok(cuMemFree(large));
    for (int i = 1; i < 50; i += 2)
        assert_ok(cuMemFree(blocks[i]));
}

static void more_than_there_is_does_not_fit(void **state)
{
    CUdeviceptr most, more = 77;
    (void)state;
    assert_int_equal(cuMemAlloc(&more, total_bytes()), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(cuMemAlloc(&more, (size_t)-1), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(cuMemAlloc(&more, 1ull << 50), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(more, 0);
    if (!simulated())
        return;                                      /* a full GPU keeps a little for itself */
    assert_ok(cuMemAlloc(&most, 3831 * 2097152ull)); /* of 3832 chunks and a half */
    assert_int_equal(free_bytes(), 3342336);
    assert_int_equal(cuMemAlloc(&more, 2097153), CUDA_ERROR_OUT_OF_MEMORY);
    assert_ok(cuMemAlloc(&more, 2097152));
    assert_int_equal(free_bytes(), 1245184);
    assert_int_equal(cuMemAlloc(&most, 1), CUDA_ERROR_OUT_OF_MEMORY);
    assert_ok(cuMemFree(more));
}

static void pitch_is_a_multiple_of_512(void **state)
{
    CUdeviceptr block;
    size_t pitch;
    (void)state;
    assert_ok(cuMemAllocPitch(&block, &pitch, 1, 10, 4));
    assert_int_equal(pitch, 512);
    assert_ok(cuMemFree(block));
    assert_ok(cuMemAllocPitch(&block, &pitch, 1093, 10, 16));
    assert_int_equal(pitch, 1536);
    assert_ok(cuMemFree(block));
    assert_int_equal(cuMemAllocPitch(&block, &pitch, 100, 10, 3), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemAllocPitch(&block, &pitch, 0, 10, 4), CUDA_ERROR_INVALID_VALUE);
    if (simulated()) /* a real driver's sizes wrap around */
        assert_int_equal(cuMemAllocPitch(&block, &pitch, (size_t)-600, (size_t)-600, 4), CUDA_ERROR_INVALID_VALUE);
}

static void frees_that_make_no_sense_fail(void **state)
{
    CUdeviceptr block;
    int here;
    (void)state;
    assert_ok(cuMemAlloc(&block, 100));
    assert_int_equal(cuMemFree(block + 4), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(block));
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFree((CUdeviceptr)(uintptr_t)&here), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(0));
    assert_ok(cuMemFreeHost(NULL));
    assert_int_equal(cuMemFreeHost(&here), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemAlloc(&block, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemAlloc(NULL, 1), CUDA_ERROR_INVALID_VALUE);
}

static void host_and_managed_memory_is_not_the_devices(void **state)
{
    void *pinned;
    CUdeviceptr managed;
    (void)state;
    assert_ok(cuMemHostAlloc(&pinned, 64 * MIB, 0));
    assert_ok(cuMemAllocManaged(&managed, 64 * MIB, CU_MEM_ATTACH_GLOBAL));
    assert_int_equal(free_bytes(), free_at_first());
    ((char *)pinned)[64 * MIB - 1] = 1;
    ((char *)(uintptr_t)managed)[64 * MIB - 1] = 1;
    assert_int_equal(cuMemFree((CUdeviceptr)(uintptr_t)pinned), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFreeHost((char *)pinned + 4), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFreeHost(pinned));
    assert_int_equal(cuMemFreeHost(pinned), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(managed));
    assert_int_equal(cuMemAllocManaged(&managed, 100, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemHostAlloc(&pinned, 0, 0));
    assert_null(pinned);
}

#define sized(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        sized(first_context_takes_527_mib),     sized(small_blocks_share_a_chunk),
        sized(large_blocks_round_up_to_chunks), sized(two_blocks_of_a_mebibyte_share_a_chunk),
        sized(one_block_keeps_its_chunk),       sized(holes_do_not_fragment_the_device),
        sized(more_than_there_is_does_not_fit), sized(pitch_is_a_multiple_of_512),
        sized(frees_that_make_no_sense_fail),   sized(host_and_managed_memory_is_not_the_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
