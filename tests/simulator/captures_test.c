/* Stream capture: what becomes a node, what joins, what breaks a capture. */
#include "simulator/simulated.h"

#include <pthread.h>
#include <string.h>

static CUstream new_stream(void)
{
    CUstream stream;
    assert_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return stream;
}

static void begin(CUstream stream)
{
    assert_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

static CUstreamCaptureStatus status_of(CUstream stream)
{
    CUstreamCaptureStatus status;
    assert_ok(cuStreamIsCapturing(stream, &status));
    return status;
}

static size_t count_nodes(CUgraph graph)
{
    size_t count = 0;
    assert_ok(cuGraphGetNodes(graph, NULL, &count));
    return count;
}

/* Ends an invalid capture, which has no graph. */
static void assert_broken(CUstream stream)
{
    CUgraph graph = (CUgraph)stream;
    assert_int_equal(status_of(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    assert_int_equal(cuStreamEndCapture(stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    assert_null(graph);
    assert_int_equal(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
}

static void CUDA_CB set_flag(void *flag)
{
    *(int *)flag = 1;
}

static void work_becomes_nodes(void **state)
{
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr block;
    int called = 0;
    char host[9] = "";
    (void)state;
    CUstream stream = new_stream();
    begin(stream);
    assert_int_equal(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_ok(cuMemAllocAsync(&block, 8, stream));
    assert_true(block != 0);
    assert_ok(cuMemsetD8Async(block, 'q', 8, stream));
    assert_ok(cuMemcpyDtoHAsync(host, block, 8, stream));
    assert_ok(cuLaunchHostFunc(stream, set_flag, &called));
    assert_ok(cuMemFreeAsync(block, stream));
    assert_ok(cuStreamEndCapture(stream, &graph));
    assert_int_equal(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
    assert_int_equal(host[0], 0); /* nothing has run */
    assert_int_equal(count_nodes(graph), 5);
    static const CUgraphNodeType expected[] = {CU_GRAPH_NODE_TYPE_MEM_ALLOC, CU_GRAPH_NODE_TYPE_MEMSET,
                                               CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_HOST,
                                               CU_GRAPH_NODE_TYPE_MEM_FREE};
    CUgraphNode nodes[5], before;
    size_t count = 5;
    assert_ok(cuGraphGetNodes(graph, nodes, &count));
    for (int i = 0; i < 5; i++) {
        CUgraphNodeType type;
        assert_ok(cuGraphNodeGetType(nodes[i], &type));
        assert_int_equal(type, expected[i]);
        count = 1;
        assert_ok(cuGraphNodeGetDependencies(nodes[i], &before, NULL, &count));
        assert_int_equal(count, i > 0);
    }
    assert_ok(cuGraphInstantiate(&exec, graph, 0));
    assert_ok(cuGraphLaunch(exec, stream));
    assert_ok(cuStreamSynchronize(stream));
    assert_string_equal(host, "qqqqqqqq");
    assert_int_equal(called, 1);
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuStreamDestroy(stream));
    assert_ok(cuDeviceGraphMemTrim(0));
}

static const char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry kernel(){ret;}\n";

static void launches_become_nodes(void **state)
{
    CUgraph graph, outer, child;
    CUgraphNode nodes[3];
    CUgraphNodeType type;
    CUfunction kernel;
    CUgraphExec exec, around;
    CUmodule module;
    size_t count = 3;
    (void)state;
    CUstream stream = new_stream();
    CUlaunchConfig config = {.gridDimX = 1,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = 64,
                             .blockDimY = 1,
                             .blockDimZ = 1,
                             .hStream = stream};
    assert_ok(cuModuleLoadData(&module, text));
    assert_ok(cuModuleGetFunction(&kernel, module, "kernel"));
    begin(stream);
    assert_ok(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
    assert_ok(cuLaunchKernelEx(&config, kernel, NULL, NULL));
    assert_ok(cuLaunchCooperativeKernel(kernel, 1, 1, 1, 128, 1, 1, 0, stream, NULL));
    assert_ok(cuStreamEndCapture(stream, &graph));
    assert_ok(cuGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    static const unsigned int threads[] = {32, 64, 128};
    for (int i = 0; i < 3; i++) {
        CUDA_KERNEL_NODE_PARAMS params;
        assert_ok(cuGraphKernelNodeGetParams(nodes[i], &params));
        assert_int_equal(params.blockDimX, threads[i]);
    }
    assert_ok(cuGraphInstantiate(&exec, graph, 0));
    begin(stream);
    assert_ok(cuGraphLaunch(exec, stream));
    assert_ok(cuStreamEndCapture(stream, &outer));
    count = 1;
    assert_ok(cuGraphGetNodes(outer, nodes, &count));
    assert_int_equal(count, 1);
    assert_ok(cuGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_GRAPH);
    assert_ok(cuGraphChildGraphNodeGetGraph(nodes[0], &child));
    assert_int_equal(count_nodes(child), 3);
    assert_ok(cuGraphInstantiate(&around, outer, 0));
    assert_ok(cuGraphLaunch(around, stream));
    assert_ok(cuStreamSynchronize(stream));
    assert_ok(cuGraphExecDestroy(around));
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(outer));
    assert_ok(cuGraphDestroy(graph));
    begin(stream);
    assert_int_equal(cuLaunchKernel(kernel, 0, 1, 1, 32, 1, 1, 0, stream, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_broken(stream);
    assert_ok(cuModuleUnload(module));
    assert_ok(cuStreamDestroy(stream));
}

static void events_join_other_streams(void **state)
{
    CUevent fork, join;
    CUdeviceptr block;
    CUgraph graph;
    size_t count = 0;
    (void)state;
    CUstream first = new_stream(), second = new_stream();
    assert_ok(cuMemAlloc(&block, 16));
    assert_ok(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
    assert_ok(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
    begin(first);
    assert_ok(cuMemsetD8Async(block, 1, 8, first));
    assert_ok(cuEventRecord(fork, first));
    assert_ok(cuStreamWaitEvent(second, fork, 0));
    assert_int_equal(status_of(second), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_ok(cuMemsetD8Async(block, 2, 8, second));
    assert_ok(cuMemsetD8Async(block + 8, 3, 8, first));
    assert_ok(cuEventRecord(join, second));
    assert_ok(cuStreamWaitEvent(first, join, 0));
    assert_ok(cuMemsetD8Async(block, 4, 16, first));
    assert_int_equal(cuStreamEndCapture(second, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    assert_broken(first);
    begin(first);
    assert_ok(cuMemsetD8Async(block, 1, 8, first));
    assert_ok(cuEventRecord(fork, first));
    assert_ok(cuStreamWaitEvent(second, fork, 0));
    assert_ok(cuMemsetD8Async(block, 2, 8, second));
    assert_ok(cuMemsetD8Async(block + 8, 3, 8, first));
    assert_ok(cuEventRecord(join, second));
    assert_ok(cuStreamWaitEvent(first, join, 0));
    assert_ok(cuMemsetD8Async(block, 4, 16, first));
    assert_ok(cuStreamEndCapture(first, &graph));
    assert_int_equal(count_nodes(graph), 4);
    assert_ok(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 4);
    assert_int_equal(status_of(second), CU_STREAM_CAPTURE_STATUS_NONE);
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuEventDestroy(fork));
    assert_ok(cuEventDestroy(join));
    assert_ok(cuMemFree(block));
    assert_ok(cuStreamDestroy(first));
    assert_ok(cuStreamDestroy(second));
}

static void unjoined_work_is_refused(void **state)
{
    CUevent fork;
    CUdeviceptr block;
    CUgraph graph;
    (void)state;
    CUstream first = new_stream(), second = new_stream();
    assert_ok(cuMemAlloc(&block, 16));
    assert_ok(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
    begin(first);
    assert_ok(cuEventRecord(fork, first));
    assert_ok(cuStreamWaitEvent(second, fork, 0));
    assert_ok(cuMemsetD8Async(block, 2, 8, second));
    assert_int_equal(cuStreamEndCapture(first, &graph), CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    assert_null(graph);
    assert_int_equal(status_of(second), CU_STREAM_CAPTURE_STATUS_NONE);
    assert_ok(cuEventDestroy(fork));
    assert_ok(cuMemFree(block));
    assert_ok(cuStreamDestroy(first));
    assert_ok(cuStreamDestroy(second));
}

/* Each of these in turn, while a stream is captured in global mode. */
static void unsafe_calls_break_the_capture(void **state)
{
    CUmemoryPool pool;
    CUdeviceptr block;
    cuuint64_t value;
    (void)state;
    CUstream stream = new_stream();
    begin(stream);
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_broken(stream);
    assert_ok(cuDeviceGetDefaultMemPool(&pool, 0));
    begin(stream);
    assert_int_equal(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value),
                     CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_broken(stream);
    begin(stream);
    assert_int_equal(cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_broken(stream);
    begin(stream);
    assert_int_equal(cuStreamQuery(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(cuMemsetD8Async(0x1000, 0, 1, stream), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    assert_broken(stream);
    assert_ok(cuStreamDestroy(stream));
}

/* Measured: none of these disturbs a capture, whatever its mode. */
static void harmless_calls_leave_it_alone(void **state)
{
    static const CUstreamCaptureMode modes[] = {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
                                                CU_STREAM_CAPTURE_MODE_RELAXED};
    CUdeviceptr block;
    (void)state;
    CUstream stream = new_stream();
    assert_ok(cuMemAlloc(&block, 100));
    for (int i = 0; i < 3; i++) {
        size_t free_now, total;
        CUcontext context;
        CUdevice device;
        CUgraph graph;
        cuuint64_t used;
        int value;
        assert_ok(cuStreamBeginCapture(stream, modes[i]));
        assert_ok(cuMemGetInfo(&free_now, &total));
        assert_ok(cuCtxGetCurrent(&context));
        assert_ok(cuCtxGetDevice(&device));
        assert_ok(cuCtxGetLimit(&free_now, CU_LIMIT_STACK_SIZE));
        assert_ok(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
        assert_ok(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
        assert_ok(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, block));
        assert_int_equal(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
        assert_ok(cuStreamEndCapture(stream, &graph));
        assert_ok(cuGraphDestroy(graph));
    }
    assert_ok(cuMemFree(block));
    assert_ok(cuStreamDestroy(stream));
}

static void *take_a_block(void *context)
{
    CUdeviceptr block = 0;
    CUresult result = cuCtxSetCurrent(context);
    if (result == CUDA_SUCCESS)
        result = cuMemAlloc(&block, 100);
    if (result == CUDA_SUCCESS)
        cuMemFree(block);
    return (void *)(uintptr_t)result;
}

static CUresult in_another_thread(void *(*function)(void *))
{
    CUcontext context;
    pthread_t thread;
    void *result;
    assert_ok(cuCtxGetCurrent(&context));
    assert_int_equal(pthread_create(&thread, NULL, function, context), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    return (CUresult)(uintptr_t)result;
}

static void modes_say_who_is_forbidden(void **state)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUdeviceptr block;
    CUgraph graph;
    (void)state;
    CUstream stream = new_stream();
    begin(stream);
    assert_int_equal(in_another_thread(take_a_block), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_broken(stream);
    assert_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    assert_ok(in_another_thread(take_a_block));
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_broken(stream);
    assert_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
    assert_ok(cuStreamEndCapture(stream, &graph));
    assert_ok(cuGraphDestroy(graph));
    begin(stream);
    assert_ok(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
    assert_ok(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
    assert_ok(cuStreamEndCapture(stream, &graph));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuStreamDestroy(stream));
}

static void default_stream_is_not_captured(void **state)
{
    CUstreamCaptureStatus status;
    CUstream blocking;
    CUgraph graph;
    int called = 0;
    (void)state;
    assert_int_equal(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_ok(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
    begin(blocking);
    assert_int_equal(cuStreamIsCapturing(NULL, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    assert_int_equal(status_of(blocking), CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_int_equal(cuLaunchHostFunc(NULL, set_flag, &called), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    assert_broken(blocking);
    assert_int_equal(called, 0);
    begin(blocking);
    assert_int_equal(cuStreamBeginCapture(blocking, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
    assert_ok(cuStreamEndCapture(blocking, &graph));
    assert_int_equal(count_nodes(graph), 0);
    assert_ok(cuGraphDestroy(graph));
    assert_int_equal(cuStreamEndCapture(blocking, &graph), CUDA_ERROR_ILLEGAL_STATE);
    assert_ok(cuStreamDestroy(blocking));
}

static void captures_tell_and_take_dependencies(void **state)
{
    CUstreamCaptureStatus status;
    const CUgraphNode *tail;
    CUgraphNode empty;
    CUgraph graph, given;
    CUdeviceptr block;
    cuuint64_t id = 0;
    size_t count = 9;
    (void)state;
    CUstream stream = new_stream();
    assert_ok(cuMemAlloc(&block, 8));
    assert_ok(cuStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL, NULL));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_NONE);
    assert_ok(cuGraphCreate(&given, 0));
    assert_ok(cuStreamBeginCaptureToGraph(stream, given, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_ok(cuMemsetD8Async(block, 1, 8, stream));
    assert_ok(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &tail, NULL, &count));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_ptr_equal(graph, given);
    assert_true(id != 0);
    assert_int_equal(count, 1);
    assert_ok(cuGraphAddEmptyNode(&empty, graph, tail, 1));
    assert_ok(cuStreamUpdateCaptureDependencies(stream, &empty, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    assert_ok(cuMemsetD8Async(block, 2, 8, stream));
    assert_ok(cuStreamEndCapture(stream, &graph));
    assert_ptr_equal(graph, given);
    assert_ok(cuGraphNodeGetDependentNodes(empty, NULL, NULL, &count));
    assert_int_equal(count, 1);
    assert_ok(cuGraphDestroy(given));
    assert_ok(cuMemFree(block));
    assert_ok(cuStreamDestroy(stream));
}

static void captured_events_answer_no_question(void **state)
{
    CUevent event;
    (void)state;
    CUstream stream = new_stream();
    assert_ok(cuEventCreate(&event, 0));
    assert_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_ok(cuEventRecord(event, stream));
    assert_int_equal(cuEventQuery(event), CUDA_ERROR_CAPTURED_EVENT);
    assert_broken(stream);
    assert_ok(cuEventRecord(event, stream));
    assert_ok(cuEventSynchronize(event));
    assert_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    assert_int_equal(cuStreamWaitEvent(stream, event, 0), CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    assert_broken(stream);
    assert_ok(cuEventDestroy(event));
    assert_ok(cuStreamDestroy(stream));
}

/* A capture that nobody can end any more forbids nothing. */
static void captures_end_with_their_context(void **state)
{
    CUcontext context;
    CUdeviceptr block;
    (void)state;
    if (!simulated()) /* not tried there yet */
        return;
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    begin(new_stream());
    assert_int_equal(cuMemAlloc(&block, 100), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_ok(cuCtxDestroy(context));
    assert_ok(cuMemAlloc(&block, 100));
    assert_ok(cuMemFree(block));
}

#define captured(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        captured(work_becomes_nodes),
        captured(launches_become_nodes),
        captured(events_join_other_streams),
        captured(unjoined_work_is_refused),
        captured(unsafe_calls_break_the_capture),
        captured(harmless_calls_leave_it_alone),
        captured(modes_say_who_is_forbidden),
        captured(default_stream_is_not_captured),
        captured(captures_tell_and_take_dependencies),
        captured(captured_events_answer_no_question),
        captured(captures_end_with_their_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
