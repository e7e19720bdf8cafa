/* Executable graphs: a hidden copy of a graph, put in order.
 */
#ifndef GMT_SIMULATOR_GRAPH_EXEC_H
#define GMT_SIMULATOR_GRAPH_EXEC_H

#include "simulator/graph.h"

struct gmt_sim_graph_exec {
    struct gmt_sim_graph *graph;  /* its own */
    struct gmt_sim_graph *source; /* the program's, while that has memory nodes and is alive; else NULL */
    struct gmt_sim_node **order;  /* of the graph's own nodes; children are put in order when they run */
    cuuint64_t flags;
    int running; /* launches that wait for host functions */
    bool ended;  /* goes with the last of them */
};

/* The executable graph of a handle; NULL for none. Lock held, for all of these. */
struct gmt_sim_graph_exec *gmt_sim_graph_exec_of(CUgraphExec handle);

/* The node that was made from the program's; NULL for none. Looks into child graphs too. */
struct gmt_sim_node *gmt_sim_graph_exec_node(const struct gmt_sim_graph_exec *exec, CUgraphNode handle);

/* Says that the graph from which an executable one was made ends. */
void gmt_sim_graph_exec_orphan(struct gmt_sim_graph *graph);

/* Lets go of the executable graph after a launch. */
void gmt_sim_graph_exec_release(struct gmt_sim_graph_exec *exec);

/* Reserves what a launch on this executable graph will need: CUDA_SUCCESS or CUDA_ERROR_OUT_OF_MEMORY. */
CUresult gmt_sim_graph_exec_reserve(struct gmt_sim_graph_exec *exec);

#endif
