/* Registration of the program's own memory: flags, errors, and what a registration outlives. */
#include "simulator/simulated.h"

#include <string.h>
#include <sys/mman.h>

static char *pages(void *at, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0);
    char *address = mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    assert_ptr_not_equal(address, MAP_FAILED);
    memset(address, 0, bytes);
    return address;
}

static void registered_memory_is_known(void **state)
{
    char *memory = pages(NULL, 1 << 20);
    CUdeviceptr on_device = 0;
    unsigned int flags = 0;
    (void)state;
    assert_ok(cuMemHostRegister(memory, 1 << 20, CU_MEMHOSTREGISTER_PORTABLE));
    assert_ok(cuMemHostGetDevicePointer(&on_device, memory + 100, 0));
    assert_ok(cuMemHostGetFlags(&flags, memory));
    assert_int_equal(flags & CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemHostUnregister(memory));
    assert_int_equal(cuMemHostGetFlags(&flags, memory), CUDA_ERROR_INVALID_VALUE);
    munmap(memory, 1 << 20);
}

static void what_makes_no_sense_is_refused(void **state)
{
    char *memory = pages(NULL, 65536);
    (void)state;
    assert_int_equal(cuMemHostRegister(NULL, 65536, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemHostRegister(memory, 0, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemHostRegister(memory, 65536, 0x100), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemHostUnregister(NULL), CUDA_ERROR_INVALID_VALUE);
    munmap(memory + 32768, 32768);
    assert_int_equal(cuMemHostRegister(memory, 65536, 0), CUDA_ERROR_INVALID_VALUE); /* half of it is not there */
    assert_int_equal(cuMemHostUnregister(memory), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    munmap(memory, 32768);
}

static void a_range_is_registered_once(void **state)
{
    char *memory = pages(NULL, 65536);
    void *pinned;
    (void)state;
    assert_ok(cuMemHostRegister(memory, 65536, 0));
    assert_int_equal(cuMemHostRegister(memory, 65536, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    assert_int_equal(cuMemHostRegister(memory + 32768, 32768, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    if (simulated()) /* not tried on a GPU */
        assert_int_equal(cuMemHostUnregister(memory + 4096), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemHostUnregister(memory));
    assert_int_equal(cuMemHostUnregister(memory), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    assert_ok(cuMemHostAlloc(&pinned, 65536, 0));
    assert_int_equal(cuMemHostRegister(pinned, 65536, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFreeHost(pinned));
    munmap(memory, 65536);
}

static void an_unmapped_range_stays_registered(void **state)
{
    char *memory = pages(NULL, 1 << 20);
    (void)state;
    assert_ok(cuMemHostRegister(memory, 1 << 20, 0));
    munmap(memory, 1 << 20);
    assert_ptr_equal(pages(memory, 1 << 20), memory);
    assert_int_equal(cuMemHostRegister(memory, 1 << 20, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    assert_ok(cuMemHostUnregister(memory));
    assert_ok(cuMemHostRegister(memory, 1 << 20, 0));
    assert_ok(cuMemHostUnregister(memory));
    munmap(memory, 1 << 20);
}

static void memory_taken_later_lies_elsewhere(void **state)
{
    enum { BLOCKS = 8, BYTES = 16 << 20 };
    CUdeviceptr blocks[BLOCKS];
    (void)state;
    if (!simulated())
        skip(); /* a GPU may answer 208 to cuMemAlloc then */
    char *memory = pages(NULL, BLOCKS * BYTES);
    assert_ok(cuMemHostRegister(memory, BLOCKS * BYTES, 0));
    munmap(memory, BLOCKS * BYTES);
    for (int i = 0; i < BLOCKS; i++) {
        assert_ok(cuMemAlloc(&blocks[i], BYTES));
        assert_true(blocks[i] + BYTES <= (uintptr_t)memory || blocks[i] >= (uintptr_t)memory + BLOCKS * BYTES);
    }
    for (int i = 0; i < BLOCKS; i++)
        assert_ok(cuMemFree(blocks[i]));
    assert_ok(cuMemHostUnregister(memory));
}

static void a_registration_ends_with_its_context(void **state)
{
    char *memory = pages(NULL, 65536);
    CUcontext context, primary;
    (void)state;
    assert_ok(cuCtxGetCurrent(&primary));
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    assert_ok(cuMemHostRegister(memory, 65536, 0));
    assert_ok(cuCtxDestroy(context));
    assert_ok(cuCtxSetCurrent(primary));
    assert_ok(cuMemHostRegister(memory, 65536, 0));
    assert_ok(cuMemHostUnregister(memory));
    munmap(memory, 65536);
}

#define registered(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        registered(registered_memory_is_known),        registered(what_makes_no_sense_is_refused),
        registered(a_range_is_registered_once),        registered(an_unmapped_range_stays_registered),
        registered(memory_taken_later_lies_elsewhere), registered(a_registration_ends_with_its_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
