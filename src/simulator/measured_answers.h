/* What a real driver was asked for (tests/gpu/FACTS.md) and answers at more than one place, one name per answer.
 */
#ifndef GMT_SIMULATOR_MEASURED_ANSWERS_H
#define GMT_SIMULATOR_MEASURED_ANSWERS_H

/* Arrays, streams. */
#define GMT_SIM_ARRAY_ALIGNMENT (64ull << 10) /* of memory to be mapped into deferred arrays */
#define GMT_SIM_STREAM_BYTES (560ull << 10)

/* Graphs. */
#define GMT_SIM_GRAPH_GRANULE (32ull << 20) /* by which the pool of a device's graphs grows, and blocks count */
#define GMT_SIM_MEMORY_NODES_FIXED CUDA_ERROR_NOT_SUPPORTED  /* cloning a graph with memory nodes, removing one, ... */
#define GMT_SIM_INSTANTIATED_TWICE CUDA_ERROR_NOT_SUPPORTED  /* ... a second executable graph beside the first */
#define GMT_SIM_LAUNCHED_OVER_BLOCK CUDA_ERROR_INVALID_VALUE /* a launch while a block of the last one is alive */
#define GMT_SIM_GRAPH_UNKNOWN CUDA_ERROR_INVALID_VALUE       /* a graph or executable graph that has ended */

/* Virtual memory management. */
#define GMT_SIM_GRANULARITY (2ull << 20) /* of physical memory, minimum and recommended */
#define GMT_SIM_NO_SUCH_PHYSICAL                                                                                       \
    CUDA_ERROR_INVALID_VALUE /* a handle that has ended; a driver crashes at a made-up one */

/* Sharing between processes. */
#define GMT_SIM_OPENED_AT_HOME CUDA_ERROR_INVALID_CONTEXT /* opening an IPC handle in the process that it is from */
#define GMT_SIM_SOURCE_GONE CUDA_ERROR_INVALID_VALUE      /* opening what its owner has freed */
#define GMT_SIM_NOT_OPENED CUDA_ERROR_INVALID_VALUE       /* closing what was not opened */
#define GMT_SIM_POOL_IS_IMPORTED CUDA_ERROR_INVALID_VALUE /* taking memory from another process's pool */

#endif
