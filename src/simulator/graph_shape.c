/* Graphs as the program makes and reads them: life, nodes, edges. */
#include <stdlib.h>
#include <string.h>

#include "simulator/capture.h"
#include "simulator/graph_exec.h"
#include "simulator/measured_answers.h"

GMT_SIM_BODY(cuGraphCreate)(CUgraph *handle, unsigned int flags)
{
    if (!handle || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct gmt_sim_graph *graph = gmt_sim_graph_new(false);
    if (graph)
        *handle = (CUgraph)graph;
    return gmt_sim_leave(graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* Takes the lock and gives the graph, or the node, of a handle, or returns why not, without the lock. */
static CUresult enter_graph(CUgraph handle, struct gmt_sim_graph **graph_out)
{
    gmt_sim_lock();
    *graph_out = gmt_sim_graph_of(handle);
    return *graph_out ? CUDA_SUCCESS : gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
}

static CUresult enter_node(CUgraphNode handle, struct gmt_sim_node **node_out)
{
    gmt_sim_lock();
    *node_out = gmt_sim_node_of(handle);
    return *node_out ? CUDA_SUCCESS : gmt_sim_leave(GMT_SIM_GRAPH_UNKNOWN);
}

GMT_SIM_BODY(cuGraphDestroy)(CUgraph handle)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    if (graph->parent || gmt_sim_captures_into(graph))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    gmt_sim_graph_exec_orphan(graph);
    gmt_sim_graph_free(graph);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuGraphClone)(CUgraph *handle, CUgraph original)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(original, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (gmt_sim_graph_has_memory(graph))
        return gmt_sim_leave(GMT_SIM_MEMORY_NODES_FIXED);
    struct gmt_sim_graph *clone = gmt_sim_graph_copy(graph, false);
    if (clone)
        *handle = (CUgraph)clone;
    return gmt_sim_leave(clone ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

GMT_SIM_BODY(cuGraphNodeFindInClone)(CUgraphNode *found, CUgraphNode original, CUgraph clone)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(clone, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    for (size_t i = 0; i < graph->count && found; i++) {
        if ((CUgraphNode)(uintptr_t)graph->nodes[i]->origin != original)
            continue;
        *found = (CUgraphNode)graph->nodes[i];
        return gmt_sim_leave(CUDA_SUCCESS);
    }
    return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuGraphDestroyNode)(CUgraphNode handle)
{
    struct gmt_sim_node *node;
    CUresult result = enter_node(handle, &node);
    if (result != CUDA_SUCCESS)
        return result;
    if (node->params.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->params.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        return gmt_sim_leave(GMT_SIM_MEMORY_NODES_FIXED);
    gmt_sim_node_remove(node);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuGraphNodeGetType)(CUgraphNode handle, CUgraphNodeType *type)
{
    struct gmt_sim_node *node;
    CUresult result = enter_node(handle, &node);
    if (result != CUDA_SUCCESS)
        return result;
    if (type)
        *type = node->params.type;
    return gmt_sim_leave(type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

/* Lists as CUDA hands them out: how many there are where there is no array, else as many as fit, NULL behind the last.
 */
struct list {
    CUgraphNode *from, *to; /* either may be NULL */
    CUgraphEdgeData *data;
    size_t room, count;
    bool lossy; /* an edge with data was listed without it */
};

static void list_add(struct list *list, const struct gmt_sim_node *from, const struct gmt_sim_node *to,
                     const CUgraphEdgeData *data)
{
    static const CUgraphEdgeData plain;
    size_t at = list->count++;
    list->lossy |= data && !list->data && memcmp(data, &plain, sizeof plain) != 0;
    if (at >= list->room)
        return;
    if (list->from)
        list->from[at] = (CUgraphNode)(uintptr_t)from;
    if (list->to)
        list->to[at] = (CUgraphNode)(uintptr_t)to;
    if (list->data && data)
        list->data[at] = *data;
}

static CUresult list_end(struct list *list, size_t *count)
{
    bool asked = list->from || list->to;
    for (size_t i = list->count; i < list->room; i++) {
        if (list->from)
            list->from[i] = NULL;
        if (list->to)
            list->to[i] = NULL;
    }
    *count = asked && list->count > list->room ? list->room : list->count;
    return asked && list->lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

static CUresult list_nodes(CUgraph handle, CUgraphNode *nodes, size_t *count, bool roots)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    if (!count)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct list list = {.from = nodes, .room = nodes ? *count : 0};
    for (size_t i = 0; i < graph->count; i++) {
        if (!roots || graph->nodes[i]->before.count == 0)
            list_add(&list, graph->nodes[i], NULL, NULL);
    }
    return gmt_sim_leave(list_end(&list, count));
}

GMT_SIM_BODY(cuGraphGetNodes)(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    return list_nodes(handle, nodes, count, false);
}

GMT_SIM_BODY(cuGraphGetRootNodes)(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    return list_nodes(handle, nodes, count, true);
}

GMT_SIM_BODY(cuGraphGetEdges_v2)
(CUgraph handle, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    if (!count || !from != !to)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct list list = {.from = from, .to = to, .data = data, .room = from ? *count : 0};
    for (size_t i = 0; i < graph->count; i++) {
        const struct gmt_sim_edges *after = &graph->nodes[i]->after;
        for (size_t k = 0; k < after->count; k++)
            list_add(&list, graph->nodes[i], after->items[k].node, &after->items[k].data);
    }
    return gmt_sim_leave(list_end(&list, count));
}

GMT_SIM_BODY(cuGraphGetEdges)(CUgraph handle, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    return gmt_sim_cuGraphGetEdges_v2(handle, from, to, NULL, count);
}

static CUresult list_neighbours(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count,
                                bool before)
{
    struct gmt_sim_node *node;
    CUresult result = enter_node(handle, &node);
    if (result != CUDA_SUCCESS)
        return result;
    if (!count)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct list list = {.from = nodes, .data = data, .room = nodes ? *count : 0};
    const struct gmt_sim_edges *edges = before ? &node->before : &node->after;
    for (size_t i = 0; i < edges->count; i++)
        list_add(&list, edges->items[i].node, NULL, &edges->items[i].data);
    return gmt_sim_leave(list_end(&list, count));
}

GMT_SIM_BODY(cuGraphNodeGetDependencies_v2)
(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    return list_neighbours(handle, nodes, data, count, true);
}

GMT_SIM_BODY(cuGraphNodeGetDependencies)(CUgraphNode handle, CUgraphNode *nodes, size_t *count)
{
    return list_neighbours(handle, nodes, NULL, count, true);
}

GMT_SIM_BODY(cuGraphNodeGetDependentNodes_v2)
(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data, size_t *count)
{
    return list_neighbours(handle, nodes, data, count, false);
}

GMT_SIM_BODY(cuGraphNodeGetDependentNodes)(CUgraphNode handle, CUgraphNode *nodes, size_t *count)
{
    return list_neighbours(handle, nodes, NULL, count, false);
}

/* Adds or removes edges one by one; the first that cannot be ends it. */
static CUresult change_edges(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                             const CUgraphEdgeData *data, size_t count, bool add)
{
    struct gmt_sim_graph *graph;
    CUresult result = enter_graph(handle, &graph);
    if (result != CUDA_SUCCESS)
        return result;
    if (count > 0 && (!from || !to))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!add && gmt_sim_graph_has_memory(graph))
        return gmt_sim_leave(GMT_SIM_MEMORY_NODES_FIXED);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        struct gmt_sim_node *left = gmt_sim_node_of(from[i]), *right = gmt_sim_node_of(to[i]);
        if (!left || !right || left->graph != graph || right->graph != graph)
            result = CUDA_ERROR_INVALID_VALUE;
        else if (add)
            result = gmt_sim_edge_add(left, right, data ? &data[i] : NULL);
        else if (!gmt_sim_edge_remove(left, right))
            result = CUDA_ERROR_INVALID_VALUE;
    }
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuGraphAddDependencies_v2)
(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    return change_edges(handle, from, to, data, count, true);
}

GMT_SIM_BODY(cuGraphAddDependencies)(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return change_edges(handle, from, to, NULL, count, true);
}

GMT_SIM_BODY(cuGraphRemoveDependencies_v2)
(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data, size_t count)
{
    (void)data;
    return change_edges(handle, from, to, NULL, count, false);
}

GMT_SIM_BODY(cuGraphRemoveDependencies)(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    return change_edges(handle, from, to, NULL, count, false);
}
