/* Graphs and captures through the runtime. */
#include "support/unit_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <string.h>

#define assert_ok(call) assert_int_equal(call, cudaSuccess)

static void CUDART_CB set_flag(void *flag)
{
    *(int *)flag = 1;
}

static void captured_work_runs_at_the_launch(void **state)
{
    enum cudaStreamCaptureStatus status;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraph_t graph;
    char host[9] = "";
    int called = 0;
    size_t count = 0;
    void *block;
    (void)state;
    assert_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    assert_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    assert_ok(cudaMallocAsync(&block, 8, stream));
    assert_ok(cudaMemsetAsync(block, 'r', 8, stream));
    assert_ok(cudaMemcpyAsync(host, block, 8, cudaMemcpyDeviceToHost, stream));
    assert_ok(cudaLaunchHostFunc(stream, set_flag, &called));
    assert_ok(cudaFreeAsync(block, stream));
    assert_ok(cudaStreamIsCapturing(stream, &status));
    assert_int_equal(status, cudaStreamCaptureStatusActive);
    assert_ok(cudaStreamEndCapture(stream, &graph));
    assert_ok(cudaGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 5);
    assert_ok(cudaGraphInstantiate(&exec, graph, 0));
    assert_ok(cudaGraphLaunch(exec, stream));
    assert_ok(cudaStreamSynchronize(stream));
    assert_string_equal(host, "rrrrrrrr");
    assert_int_equal(called, 1);
    assert_ok(cudaGraphExecDestroy(exec));
    assert_ok(cudaGraphDestroy(graph));
    assert_ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    assert_int_equal(cudaMalloc(&block, 8), cudaErrorStreamCaptureUnsupported);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    assert_null(graph);
    assert_ok(cudaStreamDestroy(stream));
    assert_ok(cudaDeviceGraphMemTrim(0));
    cudaGetLastError();
}

static void nodes_are_added_and_read(void **state)
{
    struct cudaMemsetParams fill = {.elementSize = 1, .width = 8, .height = 1, .value = 's'}, found_fill;
    struct cudaMemcpy3DParms copy;
    cudaGraphNode_t filled, copied, ended, generic;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExec_t exec;
    cudaGraph_t graph;
    char host[9] = "", other[9] = "";
    void *block;
    (void)state;
    assert_ok(cudaMalloc(&block, 8));
    fill.dst = block;
    assert_ok(cudaGraphCreate(&graph, 0));
    assert_ok(cudaGraphAddMemsetNode(&filled, graph, NULL, 0, &fill));
    assert_ok(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, block, 8, cudaMemcpyDeviceToHost));
    assert_ok(cudaGraphAddEmptyNode(&ended, graph, NULL, 0));
    assert_ok(cudaGraphAddDependencies(graph, &copied, &ended, NULL, 1));
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemset};
    params.memset.dst = (char *)block + 4;
    params.memset.elementSize = 1;
    params.memset.width = 4;
    params.memset.height = 1;
    params.memset.value = 't';
    assert_ok(cudaGraphAddNode(&generic, graph, &filled, NULL, 1, &params));
    assert_ok(cudaGraphAddDependencies(graph, &generic, &copied, NULL, 1));
    assert_ok(cudaGraphMemsetNodeGetParams(filled, &found_fill));
    assert_ptr_equal(found_fill.dst, block);
    assert_int_equal(found_fill.width, 8);
    assert_ok(cudaGraphMemcpyNodeGetParams(copied, &copy));
    assert_ptr_equal(copy.dstPtr.ptr, host);
    assert_int_equal(copy.extent.width, 8);
    assert_int_equal(copy.kind, cudaMemcpyDeviceToHost);
    assert_ok(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    assert_ok(cudaGraphLaunch(exec, 0));
    assert_ok(cudaDeviceSynchronize());
    assert_string_equal(host, "sssstttt");
    assert_ok(cudaGraphExecMemcpyNodeSetParams1D(exec, copied, other, block, 8, cudaMemcpyDeviceToHost));
    assert_ok(cudaGraphLaunch(exec, 0));
    assert_ok(cudaDeviceSynchronize());
    assert_string_equal(other, "sssstttt");
    assert_ok(cudaGraphExecUpdate(exec, graph, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateSuccess);
    assert_ok(cudaGraphExecDestroy(exec));
    assert_ok(cudaGraphDestroy(graph));
    assert_ok(cudaFree(block));
}

static size_t free_now(void)
{
    size_t free_bytes, total;
    assert_ok(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

static void memory_nodes_take_memory_when_launched(void **state)
{
    struct cudaMemAllocNodeParams params = {.bytesize = 64u << 20};
    cudaGraphNode_t taken, given;
    cudaGraphExec_t exec;
    cudaGraph_t graph;
    unsigned long long reserved = 0;
    (void)state;
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    assert_ok(cudaFree(0));
    size_t before = free_now();
    assert_ok(cudaGraphCreate(&graph, 0));
    assert_ok(cudaGraphAddMemAllocNode(&taken, graph, NULL, 0, &params));
    assert_non_null(params.dptr);
    assert_ok(cudaGraphAddMemFreeNode(&given, graph, &taken, 1, params.dptr));
    assert_ok(cudaGraphInstantiate(&exec, graph, 0));
    assert_int_equal(free_now(), before);
    assert_ok(cudaGraphLaunch(exec, 0));
    assert_ok(cudaDeviceSynchronize());
    assert_int_equal(free_now(), before - 67108864);
    assert_ok(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    assert_int_equal(reserved, 67108864);
    assert_ok(cudaGraphExecDestroy(exec));
    assert_ok(cudaGraphDestroy(graph));
    assert_ok(cudaDeviceGraphMemTrim(0));
    assert_int_equal(free_now(), before);
}

/* What a graph costs beside its memory nodes, as a script says it. */
static void instantiation_can_cost_memory(void **state)
{
    int (*set_script)(const char *) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    cudaGraphExec_t execs[3], refused;
    cudaGraph_t graph;
    void *filler;
    (void)state;
    *(void **)&set_script = dlsym(driver, "gpumemtrace_simulator_set_script");
    assert_non_null(set_script);
    assert_ok(cudaGraphCreate(&graph, 0));
    size_t before = free_now();
    assert_int_equal(set_script("cost cuGraphInstantiateWithFlags 8MiB; refund cuGraphExecDestroy 8MiB"), 0);
    for (int i = 0; i < 3; i++) {
        assert_ok(cudaGraphInstantiate(&execs[i], graph, 0));
        assert_int_equal(free_now(), before - (size_t)(i + 1) * 8388608);
    }
    assert_int_equal(cudaGraphInstantiate(&refused, NULL, 0), cudaErrorInvalidValue); /* costs nothing */
    assert_int_equal(free_now(), before - 25165824);
    assert_ok(cudaMalloc(&filler, free_now() - 4194304));
    assert_int_equal(cudaGraphInstantiate(&refused, graph, 0), cudaErrorMemoryAllocation);
    assert_ok(cudaFree(filler));
    for (int i = 0; i < 3; i++)
        assert_ok(cudaGraphExecDestroy(execs[i]));
    assert_int_equal(free_now(), before);
    assert_int_equal(set_script(NULL), 0);
    assert_int_equal(set_script("cost cuGraphLaunch much"), -1);
    assert_int_equal(set_script(NULL), 0);
    assert_ok(cudaGraphDestroy(graph));
    cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_work_runs_at_the_launch),
        cmocka_unit_test(nodes_are_added_and_read),
        cmocka_unit_test(memory_nodes_take_memory_when_launched),
        cmocka_unit_test(instantiation_can_cost_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
