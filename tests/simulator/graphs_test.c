/* Graphs: structure, copies, launches, and the memory of allocation nodes. Figures of an H200 where one has been asked.
 */
#include "simulator/simulated.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static CUgraph new_graph(void)
{
    CUgraph graph;
    assert_ok(cuGraphCreate(&graph, 0));
    return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
    CUgraphExec exec;
    assert_ok(cuGraphInstantiate(&exec, graph, 0));
    return exec;
}

static void launch(CUgraphExec exec)
{
    assert_ok(cuGraphLaunch(exec, 0));
    assert_ok(cuStreamSynchronize(0));
}

static void nodes_and_edges_are_listed(void **state)
{
    CUgraphNode first, second, third, nodes[4], from[4], to[4];
    CUgraphNodeType type;
    size_t count;
    (void)state;
    CUgraph graph = new_graph();
    assert_ok(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    assert_ok(cuGraphAddEmptyNode(&second, graph, &first, 1));
    assert_ok(cuGraphAddEmptyNode(&third, graph, NULL, 0));
    assert_ok(cuGraphAddDependencies(graph, &second, &third, NULL, 1));
    assert_ok(cuGraphNodeGetType(third, &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_EMPTY);
    assert_ok(cuGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 3);
    count = 4;
    assert_ok(cuGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 3);
    assert_null(nodes[3]);
    assert_ok(cuGraphGetRootNodes(graph, NULL, &count));
    assert_int_equal(count, 1);
    count = 4;
    assert_ok(cuGraphGetEdges(graph, from, to, NULL, &count));
    assert_int_equal(count, 2);
    assert_ok(cuGraphNodeGetDependencies(third, NULL, NULL, &count));
    assert_int_equal(count, 1);
    assert_ok(cuGraphNodeGetDependentNodes(first, nodes, NULL, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(nodes[0], second);
    assert_int_equal(cuGraphAddDependencies(graph, &second, &third, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuGraphAddDependencies(graph, &third, &third, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuGraphRemoveDependencies(graph, &second, &third, NULL, 1));
    assert_int_equal(cuGraphRemoveDependencies(graph, &second, &third, NULL, 1), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuGraphDestroyNode(second));
    assert_ok(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    assert_ok(cuGraphDestroy(graph));
    if (simulated())
        assert_int_equal(cuGraphGetNodes(graph, NULL, &count), CUDA_ERROR_INVALID_VALUE);
}

static void circles_are_refused(void **state)
{
    CUgraphNode first, second;
    CUgraphExec exec;
    (void)state;
    CUgraph graph = new_graph();
    assert_ok(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    assert_ok(cuGraphAddEmptyNode(&second, graph, &first, 1));
    CUresult result = cuGraphAddDependencies(graph, &second, &first, NULL, 1);
    if (result == CUDA_SUCCESS)
        result = cuGraphInstantiate(&exec, graph, 0);
    assert_int_equal(result, CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuGraphDestroy(graph));
}

static _Atomic int order;

static void CUDA_CB note_order(void *seen)
{
    usleep(2000);
    *(int *)seen = atomic_fetch_add(&order, 1);
}

/* A fill, a host function, a copy and another host function run one after another, twice. */
static void launches_run_in_order(void **state)
{
    CUDA_MEMSET_NODE_PARAMS fill = {.elementSize = 1, .width = 16, .height = 1, .value = 'x'};
    CUgraphNode filled, called, copied, last;
    CUdeviceptr block;
    CUcontext context;
    int first = -1, second = -1;
    char host[17] = "";
    (void)state;
    CUgraph graph = new_graph();
    assert_ok(cuCtxGetCurrent(&context));
    assert_ok(cuMemAlloc(&block, 16));
    fill.dst = block;
    CUDA_HOST_NODE_PARAMS call = {note_order, &first}, other_call = {note_order, &second};
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = block,
                          .srcPitch = 16,
                          .srcHeight = 1,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = host,
                          .dstPitch = 16,
                          .dstHeight = 1,
                          .WidthInBytes = 16,
                          .Height = 1,
                          .Depth = 1};
    assert_ok(cuGraphAddHostNode(&last, graph, NULL, 0, &other_call));
    assert_ok(cuGraphAddMemcpyNode(&copied, graph, NULL, 0, &copy, context));
    assert_ok(cuGraphAddDependencies(graph, &copied, &last, NULL, 1));
    assert_ok(cuGraphAddHostNode(&called, graph, NULL, 0, &call));
    assert_ok(cuGraphAddDependencies(graph, &called, &copied, NULL, 1));
    assert_ok(cuGraphAddMemsetNode(&filled, graph, NULL, 0, &fill, context));
    assert_ok(cuGraphAddDependencies(graph, &filled, &called, NULL, 1));
    CUgraphExec exec = instantiate(graph);
    assert_ok(cuGraphDestroy(graph));
    for (int i = 0; i < 2; i++) {
        memset(host, 0, sizeof host);
        launch(exec);
        assert_string_equal(host, "xxxxxxxxxxxxxxxx");
        assert_int_equal(second, first + 1);
    }
    assert_int_equal(second, 3);
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuMemFree(block));
}

static const char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry kernel(){ret;}\n";

static void kernels_are_accepted(void **state)
{
    CUDA_KERNEL_NODE_PARAMS kernel = {.gridDimX = 1,
                                      .gridDimY = 1,
                                      .gridDimZ = 1,
                                      .blockDimX = 32,
                                      .blockDimY = 1,
                                      .blockDimZ = 1},
                            found;
    CUgraphNode node;
    CUmodule module;
    (void)state;
    CUgraph graph = new_graph();
    assert_ok(cuModuleLoadData(&module, text));
    assert_ok(cuModuleGetFunction(&kernel.func, module, "kernel"));
    assert_ok(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel));
    assert_ok(cuGraphKernelNodeGetParams(node, &found));
    assert_int_equal(found.blockDimX, 32);
    kernel.blockDimX = 2000;
    assert_int_equal(cuGraphKernelNodeSetParams(node, &kernel), CUDA_ERROR_INVALID_VALUE);
    kernel.blockDimX = 64;
    CUgraphExec exec = instantiate(graph);
    assert_ok(cuGraphExecKernelNodeSetParams(exec, node, &kernel));
    launch(exec);
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuModuleUnload(module));
}

static CUgraph one_fill(CUdeviceptr block, unsigned int value, CUgraphNode *node_out)
{
    CUDA_MEMSET_NODE_PARAMS fill = {.dst = block, .elementSize = 1, .width = 4, .height = 1, .value = value};
    CUcontext context;
    CUgraph graph = new_graph();
    assert_ok(cuCtxGetCurrent(&context));
    assert_ok(cuGraphAddMemsetNode(node_out, graph, NULL, 0, &fill, context));
    return graph;
}

static void assert_holds(CUdeviceptr block, const char *wanted)
{
    char host[5] = "";
    assert_ok(cuMemcpyDtoH(host, block, 4));
    assert_string_equal(host, wanted);
}

static void executable_graphs_are_updated(void **state)
{
    CUgraphExecUpdateResultInfo info;
    CUgraphNode node, other, extra, inner;
    CUdeviceptr block;
    unsigned int enabled;
    CUgraph child;
    (void)state;
    assert_ok(cuMemAlloc(&block, 4));
    CUgraph graph = one_fill(block, 'a', &node), next = one_fill(block, 'b', &other);
    CUgraphExec exec = instantiate(graph);
    launch(exec);
    assert_holds(block, "aaaa");
    assert_ok(cuGraphExecUpdate(exec, next, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    launch(exec);
    assert_holds(block, "bbbb");
    assert_ok(cuGraphAddEmptyNode(&extra, next, NULL, 0));
    assert_int_equal(cuGraphExecUpdate(exec, next, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    assert_ok(cuMemsetD8(block, 'z', 4));
    assert_ok(cuGraphNodeSetEnabled(exec, node, 0));
    assert_ok(cuGraphNodeGetEnabled(exec, node, &enabled));
    assert_int_equal(enabled, 0);
    launch(exec);
    assert_holds(block, "zzzz");
    assert_ok(cuGraphExecDestroy(exec));
    CUgraph around = new_graph();
    assert_ok(cuGraphAddChildGraphNode(&inner, around, NULL, 0, graph));
    assert_ok(cuGraphChildGraphNodeGetGraph(inner, &child));
    assert_ptr_not_equal(child, graph);
    exec = instantiate(around);
    launch(exec);
    assert_holds(block, "aaaa");
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(around));
    assert_ok(cuGraphDestroy(next));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuMemFree(block));
}

static void clones_know_their_nodes(void **state)
{
    CUgraphNode node, found;
    CUdeviceptr block;
    CUgraph clone;
    (void)state;
    assert_ok(cuMemAlloc(&block, 4));
    CUgraph graph = one_fill(block, 'c', &node);
    assert_ok(cuGraphClone(&clone, graph));
    assert_ok(cuGraphNodeFindInClone(&found, node, clone));
    assert_ptr_not_equal(found, node);
    assert_ok(cuGraphDestroy(graph));
    CUgraphExec exec = instantiate(clone);
    launch(exec);
    assert_holds(block, "cccc");
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(clone));
    assert_ok(cuMemFree(block));
}

static uint64_t figure(CUgraphMem_attribute attribute)
{
    cuuint64_t value = 0;
    assert_ok(cuDeviceGetGraphMemAttribute(0, attribute, &value));
    return value;
}

static CUdeviceptr add_allocation(CUgraph graph, size_t bytes, CUgraphNode *node_out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS params = {.bytesize = bytes};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    assert_ok(cuGraphAddMemAllocNode(node_out, graph, NULL, 0, &params));
    assert_true(params.dptr != 0);
    return params.dptr;
}

#define HALF_GIB 536870912ull

/* Nothing at instantiation, all at the first launch, and still all of it while the block is alive. */
static void memory_outlives_the_executable_graph(void **state)
{
    CUgraphNode node;
    (void)state;
    uint64_t before = free_bytes();
    CUgraph graph = new_graph();
    CUdeviceptr block = add_allocation(graph, HALF_GIB, &node);
    CUgraphExec exec = instantiate(graph);
    assert_int_equal(free_bytes(), before);
    launch(exec);
    assert_int_equal(free_bytes(), before - HALF_GIB);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), HALF_GIB);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), HALF_GIB);
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuDeviceGraphMemTrim(0));
    assert_int_equal(free_bytes(), before - HALF_GIB);
    assert_ok(cuMemsetD8(block, 1, HALF_GIB));
    assert_ok(cuMemFree(block));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), HALF_GIB); /* what is reserved, whoever uses it */
    assert_ok(cuDeviceGraphMemTrim(0));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0);
    assert_int_equal(free_bytes(), before);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), HALF_GIB);
    cuuint64_t none = 0;
    assert_ok(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, &none));
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH), 0);
}

/* A free node gives the memory back to the graphs' pool, which keeps it until it is trimmed. */
static void free_nodes_leave_memory_in_the_pool(void **state)
{
    CUgraphNode taken, given, again;
    (void)state;
    uint64_t before = free_bytes();
    CUgraph graph = new_graph();
    CUdeviceptr block = add_allocation(graph, HALF_GIB, &taken);
    assert_ok(cuGraphAddMemFreeNode(&given, graph, &taken, 1, block));
    assert_int_equal(cuGraphAddMemFreeNode(&again, graph, &taken, 1, block), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuGraphAddMemFreeNode(&again, graph, &taken, 1, 0x1234), CUDA_ERROR_INVALID_VALUE);
    CUgraphExec exec = instantiate(graph);
    launch(exec);
    launch(exec);
    assert_int_equal(cuMemFree(block), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), HALF_GIB);
    assert_int_equal(free_bytes(), before - HALF_GIB);
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuDeviceGraphMemTrim(0));
    assert_int_equal(free_bytes(), before);
}

static void a_reset_leaves_the_memory_of_graphs(void **state)
{
    CUgraphNode node;
    CUcontext context;
    (void)state;
    uint64_t before = free_bytes();
    CUgraph graph = new_graph();
    CUdeviceptr block = add_allocation(graph, HALF_GIB, &node);
    CUgraphExec exec = instantiate(graph);
    launch(exec);
    assert_ok(cuDevicePrimaryCtxReset(0));
    assert_ok(cuDevicePrimaryCtxRetain(&context, 0)); /* alive again, with the reference of before */
    assert_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(free_bytes(), before - HALF_GIB);
    assert_ok(cuMemFree(block));
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_int_equal(cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuDeviceGraphMemTrim(0));
    assert_int_equal(free_bytes(), before);
}

static void memory_nodes_restrict_their_graph(void **state)
{
    CUgraphExec exec, second;
    CUgraphNode node;
    CUgraph clone;
    (void)state;
    CUgraph graph = new_graph();
    CUdeviceptr block = add_allocation(graph, 1048576, &node);
    assert_int_equal(cuGraphClone(&clone, graph), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuGraphDestroyNode(node), CUDA_ERROR_NOT_SUPPORTED);
    exec = instantiate(graph);
    assert_int_equal(cuGraphInstantiate(&second, graph, 0), CUDA_ERROR_NOT_SUPPORTED);
    launch(exec);
    assert_int_equal(cuGraphLaunch(exec, 0), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFreeAsync(block, 0));
    launch(exec);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuStreamSynchronize(0));
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    launch(exec);
    launch(exec);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuStreamSynchronize(0));
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    assert_ok(cuDeviceGraphMemTrim(0));
}

/* A launch that does not fit fails as a whole. */
static void full_device_refuses_the_launch(void **state)
{
    CUgraphNode node;
    CUdeviceptr filler;
    (void)state;
    uint64_t before = free_bytes();
    CUgraph graph = new_graph();
    add_allocation(graph, HALF_GIB, &node);
    CUgraphExec exec = instantiate(graph);
    assert_ok(cuMemAlloc(&filler, before - HALF_GIB / 2));
    assert_int_equal(cuGraphLaunch(exec, 0), CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(figure(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0);
    assert_ok(cuMemFree(filler));
    assert_ok(cuGraphExecDestroy(exec));
    assert_ok(cuGraphDestroy(graph));
    if (simulated()) /* a GPU kept 224 of the 256 MiB that there were */
        assert_int_equal(free_bytes(), before);
    assert_ok(cuDeviceGraphMemTrim(0));
}

static _Atomic int destroyed;

static void CUDA_CB count_destroyed(void *argument)
{
    (void)argument;
    atomic_fetch_add(&destroyed, 1);
}

static void user_objects_end_with_the_last_reference(void **state)
{
    CUuserObject object;
    CUgraph clone;
    (void)state;
    CUgraph graph = new_graph();
    assert_ok(cuUserObjectCreate(&object, NULL, count_destroyed, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    assert_ok(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    assert_ok(cuGraphClone(&clone, graph));
    assert_ok(cuGraphDestroy(graph));
    usleep(20000);
    assert_int_equal(atomic_load(&destroyed), 0);
    assert_ok(cuGraphDestroy(clone));
    for (int i = 0; i < 500 && atomic_load(&destroyed) == 0; i++)
        usleep(10000);
    assert_int_equal(atomic_load(&destroyed), 1);
}

#define graphed(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        graphed(nodes_and_edges_are_listed),
        graphed(circles_are_refused),
        graphed(launches_run_in_order),
        graphed(kernels_are_accepted),
        graphed(executable_graphs_are_updated),
        graphed(clones_know_their_nodes),
        graphed(memory_outlives_the_executable_graph),
        graphed(free_nodes_leave_memory_in_the_pool),
        graphed(a_reset_leaves_the_memory_of_graphs),
        graphed(memory_nodes_restrict_their_graph),
        graphed(full_device_refuses_the_launch),
        graphed(user_objects_end_with_the_last_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
