/* Contexts: references, what ends with them, what they cost, and the 32-bit entries. */
/* cuCtxAttach and cuCtxDetach are deprecated, and tested all the same. */
#define CUDA_ENABLE_DEPRECATED
#include "simulator/simulated.h"

#include <sys/wait.h>
#include <unistd.h>

/* The entries of CUDA 3.1, which cuda.h declares under their exact names only when asked to. */
CUresult create_old(CUcontext *context, unsigned int flags, CUdevice device) __asm__("cuCtxCreate");
CUresult alloc_old(unsigned int *address, unsigned int bytes) __asm__("cuMemAlloc");
CUresult free_old(unsigned int address) __asm__("cuMemFree");
CUresult info_old(unsigned int *free_now, unsigned int *total) __asm__("cuMemGetInfo");
CUresult to_device_old(unsigned int to, const void *from, unsigned int bytes) __asm__("cuMemcpyHtoD");
CUresult create_v2(CUcontext *context, unsigned int flags, CUdevice device) __asm__("cuCtxCreate_v2");
CUresult create_v3(CUcontext *context, void *params, int count, unsigned int flags,
                   CUdevice device) __asm__("cuCtxCreate_v3");

static void nothing_works_before_init(void **state)
{
    CUdeviceptr block;
    CUcontext context;
    int version = 0;
    const char *name;
    (void)state;
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_NOT_INITIALIZED);
    assert_int_equal(cuMemFree(0), CUDA_ERROR_NOT_INITIALIZED);
    assert_int_equal(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
    assert_int_equal(cuStreamSynchronize(0), CUDA_ERROR_NOT_INITIALIZED);
    assert_ok(cuDriverGetVersion(&version));
    assert_int_equal(version, 13000);
    assert_ok(cuGetErrorName(2, &name));
    assert_string_equal(name, "CUDA_ERROR_OUT_OF_MEMORY");
    assert_int_equal(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuInit(0));
}

static void without_a_context_only_frees_work(void **state)
{
    CUdeviceptr block;
    CUcontext context = (CUcontext)5;
    CUdevice device;
    (void)state;
    assert_ok(cuCtxGetCurrent(&context));
    assert_null(context);
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(cuMemAllocAsync(&block, 100, 0), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
    assert_ok(cuMemFree(0));
    assert_int_equal(cuMemFree(4096), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFreeAsync(0, 0), CUDA_ERROR_INVALID_CONTEXT);
    use_primary(NULL);
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuCtxSetCurrent(NULL));
    assert_ok(cuMemFree(block));
    assert_ok(cuDevicePrimaryCtxRelease(0));
}

static void primary_context_counts_references(void **state)
{
    CUcontext first, second;
    CUdeviceptr block, none = 77;
    unsigned int flags;
    int active;
    (void)state;
    assert_int_equal(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_ok(cuDevicePrimaryCtxRetain(&first, 0));
    assert_ok(cuDevicePrimaryCtxRetain(&second, 0));
    assert_ptr_equal(first, second);
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 1);
    assert_ok(cuCtxSetCurrent(first));
    assert_ok(cuMemAlloc(&block, MIB));
    assert_int_equal(cuCtxDestroy(first), CUDA_ERROR_INVALID_CONTEXT);
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_ok(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 0);
    assert_int_equal(cuMemAlloc(&none, MIB), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_ok(cuDevicePrimaryCtxRetain(&second, 0));
    assert_ptr_equal(first, second);
    assert_int_equal(free_bytes(), free_at_first());
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_ok(cuCtxSetCurrent(NULL));
}

static void reset_leaves_the_references(void **state)
{
    CUcontext context;
    CUdeviceptr block;
    (void)state;
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0));
    assert_ok(cuCtxSetCurrent(context));
    assert_ok(cuMemAlloc(&block, 100 * MIB));
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(block, 0);
    assert_int_equal(cuMemFree(0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(free_bytes(), free_at_first() - 2097152);
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    assert_ok(cuCtxSetCurrent(NULL));
}

static void second_context_costs_less_and_takes_its_blocks_along(void **state)
{
    CUcontext second, popped;
    CUdeviceptr block;
    (void)state;
    use_primary(NULL);
    assert_ok(create_v2(&second, 0, 0));
    assert_int_equal(free_bytes(), free_at_first() - 548995072);
    assert_ok(cuMemAlloc(&block, GIB));
    assert_ok(cuCtxDestroy(second));
    assert_int_equal(free_bytes(), free_at_first());
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    if (simulated())
        assert_int_equal(cuCtxDestroy(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    assert_ok(create_v3(&second, NULL, 0, 0, 0));
    assert_ok(cuCtxPopCurrent(&popped));
    assert_ptr_equal(popped, second);
    assert_ok(cuCtxPushCurrent(second));
    assert_ok(cuCtxAttach(&popped, 0));
    assert_ok(cuCtxDetach(second));
    assert_ok(cuCtxGetCurrent(&popped));
    assert_ptr_equal(popped, second);
    assert_ok(cuCtxDetach(second));
    assert_int_equal(free_bytes(), free_at_first());
    release_primary(NULL);
}

static void stack_limit_costs_memory(void **state)
{
    size_t limit;
    (void)state;
    use_primary(NULL);
    assert_ok(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    assert_int_equal(limit, 1024);
    assert_ok(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    assert_int_equal(free_bytes(), free_at_first() - 276824064);
    assert_ok(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4000));
    assert_int_equal(free_bytes(), free_at_first() - 803209216);
    if (simulated())
        assert_int_equal(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 65536), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1048576), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
    assert_int_equal(free_bytes(), free_at_first());
    assert_int_equal(cuCtxSetLimit((CUlimit)77, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuCtxGetLimit(&limit, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH), CUDA_ERROR_UNSUPPORTED_LIMIT);
    release_primary(NULL);
}

static void old_entries_want_an_old_context(void **state)
{
    CUcontext context;
    unsigned int block = 0, free_now, total, version;
    (void)state;
    use_primary(NULL);
    assert_int_equal(alloc_old(&block, 100), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(free_old(0), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(info_old(&free_now, &total), CUDA_ERROR_INVALID_CONTEXT);
    if (!simulated())
        return; /* works there only where no other context was before */
    assert_ok(create_old(&context, 0, 0));
    assert_ok(cuCtxGetApiVersion(context, &version));
    assert_int_equal(version, 3010);
    assert_ok(alloc_old(&block, 100));
    assert_true(block != 0 && block % 512 == 0);
    assert_ok(to_device_old(block, "hello", 6));
    assert_string_equal((char *)(uintptr_t)block, "hello");
    assert_ok(info_old(&free_now, &total));
    assert_int_equal(total, 4294967295u);
    assert_ok(free_old(block));
    assert_int_equal(free_old(block), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuCtxDestroy(context));
    release_primary(NULL);
}

static void fork_child_is_not_initialised(void **state)
{
    int status;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        CUdeviceptr block;
        int version, good = cuInit(0) == CUDA_ERROR_NOT_INITIALIZED;
        good &= cuMemAlloc(&block, 1) == CUDA_ERROR_NOT_INITIALIZED;
        good &= cuMemFree(0) == CUDA_ERROR_NOT_INITIALIZED;
        good &= cuDriverGetVersion(&version) == CUDA_SUCCESS;
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_works_before_init), /* first: initialises for the others */
        cmocka_unit_test(without_a_context_only_frees_work),
        cmocka_unit_test(primary_context_counts_references),
        cmocka_unit_test(reset_leaves_the_references),
        cmocka_unit_test(second_context_costs_less_and_takes_its_blocks_along),
        cmocka_unit_test(stack_limit_costs_memory),
        cmocka_unit_test(old_entries_want_an_old_context),
        cmocka_unit_test(fork_child_is_not_initialised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
