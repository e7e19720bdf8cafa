/* Memory nodes of graphs: when memory comes and goes, and which combinations the driver refuses. */
#include "facts.h"

#define BLOCK (64 * MIB)

static CUstream stream;

static CUDA_MEM_ALLOC_NODE_PARAMS node_parameters(void)
{
    return (CUDA_MEM_ALLOC_NODE_PARAMS){.poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}},
                                        .bytesize = BLOCK};
}

static void open_with_stream(void)
{
    device_open();
    MUST(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
    memory_mark();
}

static cuuint64_t attribute(CUgraphMem_attribute which)
{
    cuuint64_t value = 0;
    drv.cuDeviceGetGraphMemAttribute(0, which, &value);
    return value;
}

static void tell_memory(const char *label)
{
    tell("%s used=%llu used_high=%llu reserved=%llu reserved_high=%llu", label,
         (unsigned long long)attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT),
         (unsigned long long)attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH),
         (unsigned long long)attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT),
         (unsigned long long)attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH));
    memory_tell(label);
}

struct made {
    CUgraph graph;
    CUgraphNode node;
    CUdeviceptr block;
};

/* A graph with one allocation node, and a node that frees it when `freed` is set. */
static struct made make(int freed)
{
    struct made made = {0};
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = node_parameters();
    CUgraphNode free_node;
    MUST(cuGraphCreate, &made.graph, 0);
    MUST(cuGraphAddMemAllocNode, &made.node, made.graph, NULL, 0, &parameters);
    made.block = parameters.dptr;
    if (freed)
        MUST(cuGraphAddMemFreeNode, &free_node, made.graph, &made.node, 1, made.block);
    tell("block=%#llx", made.block);
    tell_memory("add");
    return made;
}

static CUgraphExec instantiate(CUgraph graph, unsigned long long flags)
{
    CUgraphExec exec = NULL;
    MUST(cuGraphInstantiate, &exec, graph, flags);
    tell_memory("instantiate");
    return exec;
}

static void launch(const char *label, CUgraphExec exec)
{
    SEE(label, cuGraphLaunch, exec, stream);
    SEE(label, cuStreamSynchronize, stream);
    tell_memory(label);
}

static void trim(const char *label)
{
    SEE(label, cuDeviceGraphMemTrim, 0);
    tell_memory(label);
}

static void tell_range(const char *label, CUdeviceptr block)
{
    size_t range = 0;
    CUresult code = drv.cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, block);
    tell("%s RANGE_SIZE=%d range=%zu", label, code, range);
}

static void ask_no_free_node(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(0);
    CUgraphExec exec = instantiate(made.graph, 0);
    tell_range("before_launch", made.block);
    SEE("before_launch", cuMemFreeAsync, made.block, stream);
    launch("launch_1", exec);
    tell_range("launched", made.block);
    launch("launch_2_without_free", exec);
    SEE("by_stream", cuMemFreeAsync, made.block, stream);
    SEE("by_stream", cuStreamSynchronize, stream);
    tell_memory("free_by_stream");
    launch("launch_3", exec);
    SEE("plain", cuMemFree, made.block);
    tell_memory("free_plain");
    SEE("twice", cuMemFree, made.block);
    trim("trim");
    launch("launch_4", exec);
    trim("trim_while_live");
    SEE("live", cuGraphExecDestroy, exec);
    tell_memory("exec_destroyed");
    SEE("live", cuGraphDestroy, made.graph);
    tell_memory("graph_destroyed");
    SEE("after_destroy", cuMemFree, made.block);
    tell_memory("free_after_destroy");
    trim("trim_at_end");
}

static void ask_auto_free(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(0);
    CUgraphExec exec = instantiate(made.graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    launch("launch_1", exec);
    launch("launch_2", exec);
    SEE("live", cuGraphExecDestroy, exec);
    tell_memory("exec_destroyed");
    trim("trim_while_live");
    SEE("live", cuGraphDestroy, made.graph);
    tell_memory("graph_destroyed");
    tell_range("after_destroy", made.block);
    SEE("after_destroy", cuMemFree, made.block);
    tell_memory("free");
    trim("trim_at_end");
}

static void ask_both_nodes(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(1);
    CUgraphExec exec = instantiate(made.graph, 0);
    launch("launch_1", exec);
    launch("launch_2", exec);
    SEE("by_hand", cuMemFree, made.block);
    trim("trim");
    launch("launch_3", exec);
    SEE("end", cuGraphExecDestroy, exec);
    SEE("end", cuGraphDestroy, made.graph);
    tell_memory("destroyed");
    trim("trim_at_end");
}

static void ask_foreign_free(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(0);
    CUgraph other;
    CUgraphNode node;
    MUST(cuGraphCreate, &other, 0);
    must("cuGraphAddMemFreeNode", SEE("other_graph", cuGraphAddMemFreeNode, &node, other, NULL, 0, made.block));
    CUgraphExec exec = instantiate(made.graph, 0), freeing = instantiate(other, 0);
    launch("allocating", exec);
    launch("freeing", freeing);
    launch("freeing_again", freeing);
    launch("allocating_again", exec);
    SEE("plain", cuMemFree, made.block);
    tell_memory("free");
}

enum { GRAPH_BLOCK, STREAM_BLOCK, PLAIN_BLOCK };

static void ask_captured_free(int what)
{
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    CUdeviceptr block = 0;
    open_with_stream();
    if (what == GRAPH_BLOCK) {
        struct made made = make(0);
        block = made.block;
        launch("allocating", instantiate(made.graph, 0));
    } else if (what == STREAM_BLOCK) {
        MUST(cuMemAllocAsync, &block, BLOCK, stream);
        MUST(cuStreamSynchronize, stream);
    } else {
        MUST(cuMemAlloc, &block, BLOCK);
    }
    memory_mark();
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    SEE("captured", cuMemFreeAsync, block, stream);
    SEE("captured", cuStreamEndCapture, stream, &graph);
    MUST(cuGraphInstantiate, &exec, graph, 0);
    launch("freeing", exec);
    SEE("afterwards", cuMemFree, block);
}

static void ask_twice(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(0);
    CUgraphExec first = instantiate(made.graph, 0), second = NULL;
    CUgraph copy = NULL, parent = NULL;
    CUgraphNode node;
    SEE("second", cuGraphInstantiate, &second, made.graph, 0);
    SEE("instantiated", cuGraphDestroyNode, made.node);
    SEE("first", cuGraphExecDestroy, first);
    SEE("after_destroy_of_first", cuGraphInstantiate, &second, made.graph, 0);
    SEE("with_memory_node", cuGraphClone, &copy, made.graph);
    MUST(cuGraphCreate, &parent, 0);
    SEE("with_memory_node", cuGraphAddChildGraphNode, &node, parent, NULL, 0, made.graph);
}

static void ask_child(int ownership)
{
    open_with_stream();
    struct made made = make(1);
    CUgraph parent = NULL;
    CUgraphNode node = NULL;
    CUgraphNodeParams parameters = {
        .type = CU_GRAPH_NODE_TYPE_GRAPH,
        .graph = {.graph = made.graph, .ownership = (CUgraphChildGraphNodeOwnership)ownership}};
    MUST(cuGraphCreate, &parent, 0);
    must("cuGraphAddNode", SEE("child", cuGraphAddNode, &node, parent, NULL, NULL, 0, &parameters));
    launch("parent", instantiate(parent, 0));
    SEE("parent", cuGraphDestroy, parent);
    tell_memory("parent_destroyed");
}

static void ask_add_node(int unused)
{
    (void)unused;
    open_with_stream();
    CUgraph graph = NULL;
    CUgraphNode node = NULL, free_node = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS wanted = node_parameters();
    CUgraphNodeParams parameters = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    parameters.alloc.poolProps = wanted.poolProps;
    parameters.alloc.bytesize = wanted.bytesize;
    MUST(cuGraphCreate, &graph, 0);
    SEE("alloc", cuGraphAddNode, &node, graph, NULL, NULL, 0, &parameters);
    tell("block=%#llx", parameters.alloc.dptr);
    CUgraphNodeParams freeing = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {.dptr = parameters.alloc.dptr}};
    SEE("free", cuGraphAddNode, &free_node, graph, &node, NULL, 1, &freeing);
    SEE("second_free", cuGraphAddNode, &free_node, graph, &node, NULL, 1, &freeing);
    SEE("alloc", cuGraphDestroyNode, node);
    launch("launch", instantiate(graph, 0));
}

/* A graph whose memory is live is destroyed with its executable, and the context is reset. */
static void ask_reset(int unused)
{
    (void)unused;
    open_with_stream();
    struct made made = make(0);
    launch("launch", instantiate(made.graph, 0));
    memory_mark();
    device_reopen(0);
    tell_memory("reset");
    SEE("after_reset", cuMemFree, made.block);
    trim("trim");
}

const struct part graph_parts[] = {
    {"7.no_free_node", ask_no_free_node, 0},
    {"7.auto_free", ask_auto_free, 0},
    {"7.both_nodes", ask_both_nodes, 0},
    {"7.foreign_free", ask_foreign_free, 0},
    {"7.captured_free_of_graph_block", ask_captured_free, GRAPH_BLOCK},
    {"7.captured_free_of_stream_block", ask_captured_free, STREAM_BLOCK},
    {"7.captured_free_of_plain_block", ask_captured_free, PLAIN_BLOCK},
    {"7.twice", ask_twice, 0},
    {"7.child_cloned", ask_child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE},
    {"7.child_moved", ask_child, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE},
    {"7.add_node", ask_add_node, 0},
    {"7.reset", ask_reset, 0},
    {0},
};
