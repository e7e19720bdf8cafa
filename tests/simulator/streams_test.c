/* Streams, events and host functions; modules and launches; threads. */
#include "simulator/simulated.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int order;

static void CUDA_CB note_first(void *seen)
{
    usleep(20000);
    *(int *)seen = atomic_fetch_add(&order, 1);
}

static void CUDA_CB note_second(void *seen)
{
    *(int *)seen = atomic_fetch_add(&order, 1);
}

static void CUDA_CB call_the_driver(void *result)
{
    *(CUresult *)result = cuMemFree(0);
}

static void host_functions_run_in_order(void **state)
{
    CUstream stream;
    CUdeviceptr block;
    int first = -1, second = -1;
    char host[8] = "";
    (void)state;
    assert_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_ok(cuMemAlloc(&block, 8));
    assert_ok(cuLaunchHostFunc(stream, note_first, &first));
    assert_int_equal(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
    assert_ok(cuLaunchHostFunc(stream, note_second, &second));
    assert_ok(cuMemcpyDtoHAsync(host, block, 8, stream)); /* waits for what comes before it */
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    assert_ok(cuStreamQuery(stream));
    assert_ok(cuStreamDestroy(stream));
}

static void host_functions_may_not_call(void **state)
{
    CUresult result = CUDA_SUCCESS;
    (void)state;
    assert_ok(cuLaunchHostFunc(0, call_the_driver, &result));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(result, CUDA_ERROR_NOT_PERMITTED);
}

static void streams_tell_what_they_are(void **state)
{
    CUstream stream;
    CUcontext context, current;
    unsigned int flags;
    int priority;
    unsigned long long id, default_id;
    CUstreamCaptureStatus capture;
    (void)state;
    assert_int_equal(cuStreamCreate(&stream, 9), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -99));
    assert_ok(cuStreamGetPriority(stream, &priority));
    assert_int_equal(priority, -5);
    assert_ok(cuStreamGetFlags(stream, &flags));
    assert_int_equal(flags, 1);
    assert_ok(cuStreamGetCtx(stream, &context));
    assert_ok(cuCtxGetCurrent(&current));
    assert_ptr_equal(context, current);
    assert_ok(cuStreamGetId(stream, &id));
    assert_ok(cuStreamGetId(NULL, &default_id));
    assert_true(id != default_id);
    assert_ok(cuStreamIsCapturing(stream, &capture));
    assert_int_equal(capture, CU_STREAM_CAPTURE_STATUS_NONE);
    assert_ok(cuStreamDestroy(stream));
    if (simulated())
        assert_int_equal(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuStreamDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void events_measure_time(void **state)
{
    CUevent start, end;
    float milliseconds = -1;
    (void)state;
    assert_ok(cuEventCreate(&start, 0));
    assert_ok(cuEventCreate(&end, 0));
    assert_int_equal(cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_INVALID_HANDLE);
    assert_ok(cuEventQuery(start));
    assert_ok(cuEventRecord(start, 0));
    usleep(2000);
    assert_ok(cuEventRecord(end, 0));
    assert_ok(cuStreamWaitEvent(NULL, end, 0));
    assert_ok(cuEventSynchronize(end));
    assert_ok(cuEventElapsedTime(&milliseconds, start, end));
    assert_true(milliseconds >= 2 && milliseconds < 10000);
    assert_ok(cuEventDestroy(start));
    if (simulated())
        assert_int_equal(cuEventDestroy(start), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuEventRecord(NULL, 0), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuEventCreate(&start, 99), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuEventDestroy(end));
}

static const char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry kernel(){ret;}\n";

static void launches_are_checked(void **state)
{
    CUmodule module;
    CUfunction kernel;
    const char *name;
    int value, grid, block;
    (void)state;
    assert_int_equal(cuModuleLoadData(&module, "garbage beyond recognition"), CUDA_ERROR_INVALID_IMAGE);
    assert_int_equal(cuModuleLoad(&module, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
    assert_int_equal(cuModuleUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
    assert_ok(cuModuleLoadData(&module, text));
    assert_int_equal(cuModuleGetFunction(&kernel, module, "nope"), CUDA_ERROR_NOT_FOUND);
    assert_ok(cuModuleGetFunction(&kernel, module, "kernel"));
    assert_ok(cuFuncGetName(&name, kernel));
    assert_string_equal(name, "kernel");
    assert_ok(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    assert_int_equal(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuLaunchKernel(kernel, 0, 1, 1, 1, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(kernel, 1, 1, 1, 2000, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 49153, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
    assert_ok(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 100000, 0, NULL, NULL));
    assert_ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, 256, 0));
    assert_int_equal(value, 8);
    assert_ok(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, NULL, 0, 0));
    assert_int_equal(grid, 264);
    assert_int_equal(block, 1024);
    assert_ok(cuModuleUnload(module));
    if (simulated())
        assert_int_equal(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
}

enum { STREAMS = 1001 };

/* What destroyed streams leave is for the next ones. */
static void streams_take_memory(void **state)
{
    static CUstream streams[STREAMS];
    (void)state;
    assert_ok(cuStreamCreate(&streams[0], 0));
    assert_int_equal(free_bytes(), free_at_first());
    for (int i = 1; i < STREAMS; i++)
        assert_ok(cuStreamCreate(&streams[i], 0));
    assert_int_equal(free_bytes(), free_at_first() - 572522496);
    for (int i = 0; i < STREAMS; i++)
        assert_ok(cuStreamDestroy(streams[i]));
    for (int i = 0; i < STREAMS; i++)
        assert_ok(cuStreamCreate(&streams[i], 0));
    if (simulated())
        assert_int_equal(free_bytes(), free_at_first() - 572522496);
    for (int i = 0; i < STREAMS; i++)
        assert_ok(cuStreamDestroy(streams[i]));
}

/* The context has the same handle afterwards, and none of these. */
static void a_reset_ends_streams_events_and_modules(void **state)
{
    CUstream stream;
    CUevent event;
    CUmodule module;
    CUcontext context;
    (void)state;
    assert_ok(cuStreamCreate(&stream, 0));
    assert_ok(cuEventCreate(&event, 0));
    assert_ok(cuModuleLoadData(&module, text));
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0)); /* alive again, with the reference of before */
    assert_ok(cuDevicePrimaryCtxRelease(0));
    if (simulated()) /* a GPU answered 400 in one program and 709 in another */
        assert_int_equal(cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    if (simulated()) /* a driver crashes */
        assert_int_equal(cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
}

enum { THREADS = 8, ROUNDS = 400 };

static void *take_and_give(void *argument)
{
    CUcontext context = argument;
    uintptr_t failures = cuCtxSetCurrent(context) != CUDA_SUCCESS;
    CUstream stream;
    failures += cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS;
    for (int i = 0; i < ROUNDS; i++) {
        CUdeviceptr block, pooled;
        failures += cuMemAlloc(&block, (size_t)(i % 5 + 1) * 700000) != CUDA_SUCCESS;
        failures += cuMemAllocAsync(&pooled, (size_t)(i + 1) * 1000, stream) != CUDA_SUCCESS;
        failures += cuMemsetD8Async(pooled, 1, (size_t)(i + 1) * 1000, stream) != CUDA_SUCCESS;
        failures += cuMemFreeAsync(pooled, stream) != CUDA_SUCCESS;
        failures += cuStreamSynchronize(stream) != CUDA_SUCCESS;
        failures += cuMemFree(block) != CUDA_SUCCESS;
    }
    failures += cuStreamDestroy(stream) != CUDA_SUCCESS;
    return (void *)failures;
}

static void threads_share_a_context(void **state)
{
    pthread_t threads[THREADS];
    CUcontext context;
    (void)state;
    assert_ok(cuCtxGetCurrent(&context));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_give, context), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failures;
        assert_int_equal(pthread_join(threads[i], &failures), 0);
        assert_null(failures);
    }
    assert_ok(cuCtxSynchronize());
    if (simulated()) /* what up to eight streams at once took */
        assert_in_range(free_bytes(), free_at_first() - 4194304, free_at_first());
}

#define streamed(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        streamed(host_functions_run_in_order),
        streamed(host_functions_may_not_call),
        streamed(streams_tell_what_they_are),
        streamed(events_measure_time),
        streamed(launches_are_checked),
        streamed(streams_take_memory),
        streamed(a_reset_ends_streams_events_and_modules),
        streamed(threads_share_a_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
