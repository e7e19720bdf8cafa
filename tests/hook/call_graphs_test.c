/* Graphs and recorded streams by calls: memory comes with a launch. */
#include "hooked_case.h"

#include <errno.h>

#define STREAM ((CUstream)0x5100)
#define GRAPH 0x9a00
#define EXEC 0x9e00
#define AT 0x70000000

static void begin_recording(void)
{
    EXPECT(cuStreamBeginCapture_v2(STREAM, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    table_driver_set_capture((uintptr_t)STREAM, GRAPH);
}

static CUgraph end_recording(void)
{
    CUgraph graph = NULL;
    table_driver_set_capture(0, 0);
    table_driver_set_address(GRAPH);
    EXPECT(cuStreamEndCapture(STREAM, &graph) == CUDA_SUCCESS && (uintptr_t)graph == GRAPH);
    return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
    CUgraphExec executable = NULL;
    table_driver_set_address(EXEC);
    EXPECT(cuGraphInstantiateWithFlags(&executable, graph, 0) == CUDA_SUCCESS);
    return executable;
}

static CUdeviceptr allocate_async(uint64_t address, CUstream stream)
{
    CUdeviceptr block = 0;
    table_driver_set_address(address);
    EXPECT(cuMemAllocAsync(&block, 64, stream) == CUDA_SUCCESS && block == address);
    return block;
}

static void recorded_calls_are_nodes(void)
{
    open_trace();
    begin_recording();
    CUdeviceptr block = allocate_async(AT, STREAM);
    EXPECT(!trace_live_block(trace, AT));
    allocate_async(AT + 0x1000, (CUstream)0x5200); /* another stream is not recorded */
    EXPECT(live(AT + 0x1000)->bytes == 64);
    CUgraph graph = end_recording();
    EXPECT(site_of(live(GRAPH))->kind == GMT_KIND_GRAPH);
    CUgraphExec executable = instantiate(graph);
    EXPECT(!trace_live_block(trace, AT));
    EXPECT(cuGraphLaunch(executable, STREAM) == CUDA_SUCCESS);
    EXPECT(live(AT)->bytes == 64 && site_of(live(AT))->kind == GMT_KIND_GRAPH_MEMORY);
    EXPECT(cuMemFreeAsync(block, STREAM) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, AT) && failures() == 0);
}

static void a_recorded_free_frees_at_the_launch(void)
{
    open_trace();
    CUdeviceptr block = allocate_async(AT, STREAM);
    begin_recording();
    errno = 4711;
    table_driver_set_errno(77);
    EXPECT(cuMemFreeAsync(block, STREAM) == CUDA_SUCCESS && errno == 77);
    table_driver_set_errno(0);
    errno = 4711;
    EXPECT(cuMemFreeAsync(0x123, STREAM) == CUDA_SUCCESS && errno == 4711);
    EXPECT(live(AT)->bytes == 64 && failures() == 0);
    CUgraphExec executable = instantiate(end_recording());
    EXPECT(cuGraphLaunch(executable, STREAM) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, AT) && failures() == 0);
}

static void a_recorded_free_that_is_refused_leaves_the_block(void)
{
    open_trace();
    CUdeviceptr block = allocate_async(AT, STREAM);
    begin_recording();
    table_driver_plan("cuMemFreeAsync", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFreeAsync(block, STREAM) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(live(AT)->bytes == 64 && failure(0)->kind == GMT_FAILURE_FAILED);
    end_recording();
}

static void nodes_by_hand(void)
{
    open_trace();
    CUgraph graph = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = {.bytesize = 4096};
    CUgraphNodeParams node = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = {.bytesize = 100}};
    CUgraphNodeParams freeing = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {.dptr = AT}};
    table_driver_set_address(GRAPH);
    EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    table_driver_set_address(AT);
    EXPECT(cuGraphAddMemAllocNode(NULL, graph, NULL, 0, &parameters) == CUDA_SUCCESS);
    table_driver_set_address(AT + 0x1000);
    EXPECT(cuGraphAddNode_v2(NULL, graph, NULL, NULL, 0, &node) == CUDA_SUCCESS);
    EXPECT(cuGraphAddNode(NULL, graph, NULL, 0, &freeing) == CUDA_SUCCESS);
    CUgraphExec executable = instantiate(graph);
    EXPECT(cuGraphLaunch(executable, STREAM) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, AT) && live(AT + 0x1000)->bytes == 100);
    EXPECT(cuGraphExecDestroy(executable) == CUDA_SUCCESS);
    EXPECT(live(AT + 0x1000)->bytes == 100);
}

/* Every step once, also when the driver's functions call themselves by their exported names. */
static void nested_calls_add_one_node_each(void)
{
    open_trace();
    CUgraph graph = NULL;
    CUgraphExec executable = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = {.bytesize = 4096};
    table_driver_set_address(GRAPH);
    EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    table_driver_set_address(AT);
    table_driver_nest("cuGraphAddMemAllocNode");
    EXPECT(cuGraphAddMemAllocNode(NULL, graph, NULL, 0, &parameters) == CUDA_SUCCESS);
    table_driver_nest("cuGraphAddMemFreeNode");
    EXPECT(cuGraphAddMemFreeNode(NULL, graph, NULL, 0, AT) == CUDA_SUCCESS);
    table_driver_set_address(EXEC);
    table_driver_nest("cuGraphInstantiateWithFlags");
    EXPECT(cuGraphInstantiateWithFlags(&executable, graph, 0) == CUDA_SUCCESS);
    uint64_t before = trace->next_sequence;
    table_driver_nest("cuGraphLaunch");
    EXPECT(cuGraphLaunch(executable, STREAM) == CUDA_SUCCESS);
    EXPECT(trace->next_sequence == before + 1);
    EXPECT(!trace_live_block(trace, AT));
}

static void clones_and_children_bring_their_nodes(void)
{
    open_trace();
    CUgraph graph = NULL;
    CUgraph clone = NULL;
    CUgraph parent = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = {.bytesize = 4096};
    CUgraphNodeParams child = {.type = CU_GRAPH_NODE_TYPE_GRAPH};
    table_driver_set_address(GRAPH);
    EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    table_driver_set_address(AT);
    EXPECT(cuGraphAddMemAllocNode(NULL, graph, NULL, 0, &parameters) == CUDA_SUCCESS);
    table_driver_set_address(GRAPH + 1);
    EXPECT(cuGraphClone(&clone, graph) == CUDA_SUCCESS);
    EXPECT(cuGraphDestroy(graph) == CUDA_SUCCESS);
    table_driver_set_address(GRAPH + 2);
    EXPECT(cuGraphCreate(&parent, 0) == CUDA_SUCCESS);
    child.graph.graph = clone;
    EXPECT(cuGraphAddNode(NULL, parent, NULL, 0, &child) == CUDA_SUCCESS);
    EXPECT(cuGraphLaunch(instantiate(parent), STREAM) == CUDA_SUCCESS);
    EXPECT(live(AT)->bytes == 4096);
    EXPECT(live(GRAPH + 1)->state == GMT_BLOCK_LIVE); /* copied, and the program's still */
}

/* The program's own graph, recorded into: not a new one, and what it had stays. */
static void a_stream_is_recorded_into_a_graph_that_exists(void)
{
    open_trace();
    CUgraph graph = NULL;
    table_driver_set_address(GRAPH);
    EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    EXPECT(cuStreamBeginCaptureToGraph(STREAM, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    table_driver_set_capture((uintptr_t)STREAM, GRAPH);
    allocate_async(AT, STREAM);
    EXPECT(end_recording() == graph);
    EXPECT(trace->next_sequence == 1 && trace->troubles[GMT_TROUBLE_ADDRESS_REUSED] == 0);
    EXPECT(cuGraphLaunch(instantiate(graph), STREAM) == CUDA_SUCCESS);
    EXPECT(live(AT)->bytes == 64);
}

static void a_recording_that_failed_leaves_nothing(void)
{
    open_trace();
    CUgraph graph = NULL;
    begin_recording();
    allocate_async(AT, STREAM);
    table_driver_set_capture(0, 0);
    table_driver_plan("cuStreamEndCapture", CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT(cuStreamEndCapture(STREAM, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT(trace->next_sequence == 0 && failure(0)->code == 901);
    table_driver_set_address(GRAPH); /* a new one by the same number */
    EXPECT(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    EXPECT(cuGraphLaunch(instantiate(graph), STREAM) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, AT));
}

/* The recording is given up and so is its stream; the driver uses the graph's handle for the next recording. */
static void the_next_recording_has_nothing_of_one_that_was_given_up(void)
{
    open_trace();
    begin_recording();
    allocate_async(AT, STREAM);
    EXPECT(cuStreamDestroy_v2(STREAM) == CUDA_SUCCESS);
    begin_recording();
    CUgraph graph = end_recording();
    EXPECT(cuGraphLaunch(instantiate(graph), STREAM) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, AT));
    EXPECT(live(GRAPH)->state == GMT_BLOCK_LIVE);
}

/* The graph of a conditional node, which goes with its parent: its handle comes back without a destruction. */
static void a_graph_that_no_call_made_is_recorded_into(void)
{
    open_trace();
    CUgraph body = (CUgraph)(uintptr_t)GRAPH;
    EXPECT(cuStreamBeginCaptureToGraph(STREAM, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    EXPECT(end_recording() == body);
    EXPECT(trace->next_sequence == 0);
    begin_recording();
    EXPECT(end_recording() == body); /* the handle again, of a graph of the program's own */
    EXPECT(live(GRAPH)->state == GMT_BLOCK_LIVE && trace->troubles[GMT_TROUBLE_ADDRESS_REUSED] == 0);
}

static void a_recording_into_a_graph_fails_and_its_handle_comes_back(void)
{
    open_trace();
    CUgraph graph = (CUgraph)(uintptr_t)GRAPH;
    EXPECT(cuStreamBeginCaptureToGraph(STREAM, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    table_driver_plan("cuStreamEndCapture", CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT(cuStreamEndCapture(STREAM, &graph) == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    table_driver_plan("cuStreamEndCapture", CUDA_SUCCESS);
    table_driver_set_capture((uintptr_t)STREAM, GRAPH);
    begin_recording();
    end_recording();
    EXPECT(live(GRAPH)->state == GMT_BLOCK_LIVE);
}

static const struct hooked_case cases[] = {
    {"recorded calls are nodes", recorded_calls_are_nodes, {0}, 1},
    {"a recorded free frees at the launch", a_recorded_free_frees_at_the_launch, {0}, 1},
    {"a recorded free that is refused leaves the block", a_recorded_free_that_is_refused_leaves_the_block, {0}, 1},
    {"nodes by hand", nodes_by_hand, {0}, 1},
    {"nested calls add one node each", nested_calls_add_one_node_each, {0}, 1},
    {"clones and children bring their nodes", clones_and_children_bring_their_nodes, {0}, 1},
    {"a stream is recorded into a graph that exists", a_stream_is_recorded_into_a_graph_that_exists, {0}, 1},
    {"a recording that failed leaves nothing", a_recording_that_failed_leaves_nothing, {0}, 1},
    {"the next recording has nothing of one that was given up",
     the_next_recording_has_nothing_of_one_that_was_given_up,
     {0},
     1},
    {"a graph that no call made is recorded into", a_graph_that_no_call_made_is_recorded_into, {0}, 1},
    {"a recording into a graph fails and its handle comes back",
     a_recording_into_a_graph_fails_and_its_handle_comes_back,
     {0},
     1},
};

int main(int argc, char **argv)
{
    return hooked_main(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
