/* The structure of graphs: nodes, edges, copies, order. */
#include "simulator/graph.h"

#include <stdlib.h>
#include <string.h>

#include "simulator/graph_memory.h"
#include "simulator/handle.h"

struct gmt_sim_graph *gmt_sim_graph_new(bool hidden)
{
    struct gmt_sim_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->hidden = hidden;
    if (hidden || gmt_sim_handle_add(graph, GMT_SIM_GRAPH))
        return graph;
    free(graph);
    return NULL;
}

struct gmt_sim_graph *gmt_sim_graph_of(CUgraph handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_GRAPH) ? (struct gmt_sim_graph *)handle : NULL;
}

struct gmt_sim_node *gmt_sim_node_of(CUgraphNode handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_NODE) ? (struct gmt_sim_node *)handle : NULL;
}

/* Room for one more of what is `bytes` large; false when host memory is short. */
static bool grow(void **items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : 4;
    void *larger = realloc(*items, wanted * bytes);
    if (!larger)
        return false;
    *items = larger;
    *capacity = wanted;
    return true;
}

struct gmt_sim_node *gmt_sim_node_add(struct gmt_sim_graph *graph, const CUgraphNodeParams *params)
{
    struct gmt_sim_node *node = calloc(1, sizeof *node);
    bool room = node && grow((void **)&graph->nodes, graph->count, &graph->capacity, sizeof *graph->nodes);
    if (!room || (!graph->hidden && !gmt_sim_handle_add(node, GMT_SIM_NODE))) {
        free(node);
        return NULL;
    }
    node->graph = graph;
    node->params = *params;
    node->enabled = true;
    graph->nodes[graph->count++] = node;
    return node;
}

static void free_node(struct gmt_sim_node *node)
{
    if (!node->graph->hidden)
        gmt_sim_handle_remove(node);
    if (node->params.type == CU_GRAPH_NODE_TYPE_GRAPH && node->params.graph.graph)
        gmt_sim_graph_free((struct gmt_sim_graph *)node->params.graph.graph);
    if (node->range)
        gmt_sim_graph_range_drop(node->range);
    free(node->before.items);
    free(node->after.items);
    free(node);
}

static bool take_out(struct gmt_sim_edges *edges, const struct gmt_sim_node *node)
{
    for (size_t i = 0; i < edges->count; i++) {
        if (edges->items[i].node != node)
            continue;
        memmove(edges->items + i, edges->items + i + 1, (edges->count - i - 1) * sizeof *edges->items);
        edges->count--;
        return true;
    }
    return false;
}

void gmt_sim_node_remove(struct gmt_sim_node *node)
{
    struct gmt_sim_graph *graph = node->graph;
    for (size_t i = 0; i < node->before.count; i++)
        take_out(&node->before.items[i].node->after, node);
    for (size_t i = 0; i < node->after.count; i++)
        take_out(&node->after.items[i].node->before, node);
    size_t at = 0;
    while (graph->nodes[at] != node)
        at++;
    memmove(graph->nodes + at, graph->nodes + at + 1, (graph->count - at - 1) * sizeof *graph->nodes);
    graph->count--;
    free_node(node);
}

void gmt_sim_graph_free(struct gmt_sim_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    gmt_sim_user_holds_drop(graph);
    if (!graph->hidden)
        gmt_sim_handle_remove(graph);
    free(graph->nodes);
    free(graph);
}

bool gmt_sim_edges_append(struct gmt_sim_edges *edges, struct gmt_sim_node *node, const CUgraphEdgeData *data)
{
    if (!grow((void **)&edges->items, edges->count, &edges->capacity, sizeof *edges->items))
        return false;
    struct gmt_sim_edge *edge = &edges->items[edges->count++];
    memset(edge, 0, sizeof *edge);
    edge->node = node;
    if (data)
        edge->data = *data;
    return true;
}

CUresult gmt_sim_edge_add(struct gmt_sim_node *from, struct gmt_sim_node *to, const CUgraphEdgeData *data)
{
    if (from == to || from->graph != to->graph)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < to->before.count; i++) {
        if (to->before.items[i].node == from)
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!gmt_sim_edges_append(&to->before, from, data))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (gmt_sim_edges_append(&from->after, to, data))
        return CUDA_SUCCESS;
    to->before.count--;
    return CUDA_ERROR_OUT_OF_MEMORY;
}

bool gmt_sim_edge_remove(struct gmt_sim_node *from, struct gmt_sim_node *to)
{
    return take_out(&from->after, to) && take_out(&to->before, from);
}

/* The copy of each node is where the node is in its own graph: edges are found by counting. */
static bool copy_edges(const struct gmt_sim_graph *graph, struct gmt_sim_graph *copy)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->waiting = i;
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t k = 0; k < graph->nodes[i]->before.count; k++) {
            const struct gmt_sim_edge *edge = &graph->nodes[i]->before.items[k];
            if (gmt_sim_edge_add(copy->nodes[edge->node->waiting], copy->nodes[i], &edge->data) != CUDA_SUCCESS)
                return false;
        }
    }
    return true;
}

static bool copy_node(const struct gmt_sim_node *node, struct gmt_sim_graph *copy)
{
    struct gmt_sim_node *added = gmt_sim_node_add(copy, &node->params);
    if (!added)
        return false;
    added->origin = node;
    if (node->range)
        added->range = gmt_sim_graph_range_hold(node->range);
    if (node->params.type != CU_GRAPH_NODE_TYPE_GRAPH)
        return true;
    struct gmt_sim_graph *child = gmt_sim_graph_copy((struct gmt_sim_graph *)node->params.graph.graph, copy->hidden);
    added->params.graph.graph = (CUgraph)child;
    if (child)
        child->parent = added;
    return child != NULL;
}

struct gmt_sim_graph *gmt_sim_graph_copy(const struct gmt_sim_graph *graph, bool hidden)
{
    struct gmt_sim_graph *copy = gmt_sim_graph_new(hidden);
    bool good = copy && gmt_sim_user_holds_copy(graph, copy);
    for (size_t i = 0; i < graph->count && good; i++)
        good = copy_node(graph->nodes[i], copy);
    if (good && copy_edges(graph, copy))
        return copy;
    if (copy)
        gmt_sim_graph_free(copy);
    return NULL;
}

bool gmt_sim_graph_order(struct gmt_sim_graph *graph, struct gmt_sim_node **order_out)
{
    size_t placed = 0;
    for (size_t i = 0; i < graph->count; i++) {
        graph->nodes[i]->waiting = graph->nodes[i]->before.count;
        if (graph->nodes[i]->waiting == 0)
            order_out[placed++] = graph->nodes[i];
    }
    for (size_t done = 0; done < placed; done++) {
        for (size_t i = 0; i < order_out[done]->after.count; i++) {
            struct gmt_sim_node *next = order_out[done]->after.items[i].node;
            if (--next->waiting == 0)
                order_out[placed++] = next;
        }
    }
    return placed == graph->count;
}

bool gmt_sim_graph_has_memory(const struct gmt_sim_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const CUgraphNodeParams *params = &graph->nodes[i]->params;
        if (params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || params->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
            return true;
        if (params->type == CU_GRAPH_NODE_TYPE_GRAPH &&
            gmt_sim_graph_has_memory((struct gmt_sim_graph *)params->graph.graph))
            return true;
    }
    return false;
}
