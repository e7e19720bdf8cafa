/* Graphs: nodes with what they do, and the edges between them. What must not live here: running them.
 */
#ifndef GMT_SIMULATOR_GRAPH_H
#define GMT_SIMULATOR_GRAPH_H

#include "simulator/state.h"

struct gmt_sim_graph;
struct gmt_sim_graph_exec;
struct gmt_sim_graph_range;

/* One edge as seen from one of its nodes. */
struct gmt_sim_edge {
    struct gmt_sim_node *node; /* at the other end */
    CUgraphEdgeData data;
};

struct gmt_sim_edges {
    struct gmt_sim_edge *items;
    size_t count, capacity;
};

struct gmt_sim_node {
    struct gmt_sim_graph *graph;
    CUgraphNodeParams params; /* a child graph is the node's own */
    struct gmt_sim_edges before, after;
    const struct gmt_sim_node *origin; /* the node that it was cloned from; compared, never followed */
    struct gmt_sim_graph_range *range; /* of an allocation node */
    bool enabled;                      /* of an executable graph's node */
    size_t waiting;                    /* used while the nodes are put in order, or marked */
};

struct gmt_sim_graph {
    struct gmt_sim_node **nodes; /* in the order in which they were added */
    size_t count, capacity;
    bool hidden;                         /* of an executable graph: no handle names it or its nodes */
    struct gmt_sim_node *parent;         /* of a child graph */
    struct gmt_sim_graph_exec *instance; /* alive, of a graph with memory nodes: there can be one */
    struct gmt_sim_user_hold *holds;     /* user objects */
};

/* A graph without nodes; NULL when host memory is short. Lock held, for all of these. */
struct gmt_sim_graph *gmt_sim_graph_new(bool hidden);

/* A deep copy, each node with its origin; allocation nodes keep their addresses. NULL when host memory is short. */
struct gmt_sim_graph *gmt_sim_graph_copy(const struct gmt_sim_graph *graph, bool hidden);

/* Ends the graph with its nodes and child graphs. */
void gmt_sim_graph_free(struct gmt_sim_graph *graph);

/* The graph, the node of a handle; NULL for none that is alive. */
struct gmt_sim_graph *gmt_sim_graph_of(CUgraph handle);
struct gmt_sim_node *gmt_sim_node_of(CUgraphNode handle);

/* A node without edges; what the parameters point to is taken over as it is. NULL when host memory is short. */
struct gmt_sim_node *gmt_sim_node_add(struct gmt_sim_graph *graph, const CUgraphNodeParams *params);

/* Takes the node out of its graph with its edges. */
void gmt_sim_node_remove(struct gmt_sim_node *node);

/* An edge between two nodes of one graph: CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE where there is one already or cannot
 * be, CUDA_ERROR_OUT_OF_MEMORY. `data` NULL: a plain one. */
CUresult gmt_sim_edge_add(struct gmt_sim_node *from, struct gmt_sim_node *to, const CUgraphEdgeData *data);
bool gmt_sim_edge_remove(struct gmt_sim_node *from, struct gmt_sim_node *to);

/* Adds to a list of edges; false when host memory is short. */
bool gmt_sim_edges_append(struct gmt_sim_edges *edges, struct gmt_sim_node *node, const CUgraphEdgeData *data);

/* Puts the nodes into an order in which each comes after all that it depends on; false where there is a circle. */
bool gmt_sim_graph_order(struct gmt_sim_graph *graph, struct gmt_sim_node **order_out);

/* Whether the graph, or a child, allocates or frees memory. */
bool gmt_sim_graph_has_memory(const struct gmt_sim_graph *graph);

/* Checks what a node is to do, and makes the parameters its own: kernel arguments are not kept, a child graph is copied
 * or taken over, an address is chosen. CUDA_SUCCESS, or why there can be no such node. */
CUresult gmt_sim_node_create(struct gmt_sim_graph *graph, CUgraphNodeParams *params, struct gmt_sim_node **node_out);

/* Checks other parameters of the same type for an existing node. */
CUresult gmt_sim_node_change(struct gmt_sim_node *node, const CUgraphNodeParams *params);

/* What the node of a handle does, if it is of this type. `asked` false: CUDA_ERROR_INVALID_VALUE. Takes the lock. */
CUresult gmt_sim_node_read(CUgraphNode handle, CUgraphNodeType type, bool asked, CUgraphNodeParams *params_out);

/* User objects of the graph; one more reference to each for a copy. */
bool gmt_sim_user_holds_copy(const struct gmt_sim_graph *from, struct gmt_sim_graph *to);
void gmt_sim_user_holds_drop(struct gmt_sim_graph *graph);

#endif
