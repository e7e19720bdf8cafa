/* What no real driver has been asked for yet, one name per answer, from the descriptions in cuda.h. An answer that was
 * measured moves to where it is given, and says so there.
 */
#ifndef GMT_SIMULATOR_ASSUMED_ANSWERS_H
#define GMT_SIMULATOR_ASSUMED_ANSWERS_H

/* Arrays, texture and surface objects. */
#define GMT_SIM_ARRAY_UNKNOWN CUDA_ERROR_INVALID_HANDLE  /* a handle that is no array, a level or plane to destroy */
#define GMT_SIM_ARRAY_ALIGNMENT (64ull << 10)            /* of memory to be mapped into deferred and sparse arrays */
#define GMT_SIM_TEXTURE_UNKNOWN CUDA_ERROR_INVALID_VALUE /* a handle that is no object */
#define GMT_SIM_LINEAR_TEXELS (1ull << 28)               /* of the widest texture over linear memory, in every format */

/* Graphs. */
#define GMT_SIM_GRAPH_GRANULE (32ull << 20) /* by which the pool of a device's graphs grows, and blocks count */
#define GMT_SIM_MEMORY_NODES_FIXED CUDA_ERROR_NOT_SUPPORTED  /* cloning a graph with memory nodes, removing one, ... */
#define GMT_SIM_INSTANTIATED_TWICE CUDA_ERROR_NOT_SUPPORTED  /* ... a second executable graph beside the first */
#define GMT_SIM_LAUNCHED_OVER_BLOCK CUDA_ERROR_INVALID_VALUE /* a launch while a block of the last one is alive */
#define GMT_SIM_GRAPH_UNKNOWN CUDA_ERROR_INVALID_VALUE       /* a handle that is no graph, node or executable graph */

/* Stream capture. */
#define GMT_SIM_CAPTURED_TWICE CUDA_ERROR_ILLEGAL_STATE                /* beginning in a stream that is captured */
#define GMT_SIM_NOT_CAPTURED CUDA_ERROR_ILLEGAL_STATE                  /* ending what was not begun, ... */
#define GMT_SIM_DEFAULT_CAPTURED CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED /* capturing the default stream */
#define GMT_SIM_CAPTURE_OVER CUDA_ERROR_CAPTURED_EVENT /* waiting for an event of a capture that has ended */

/* Virtual memory management. */
#define GMT_SIM_GRANULARITY (2ull << 20)                       /* of physical memory, minimum and recommended */
#define GMT_SIM_MULTICAST_MINIMUM (2ull << 20)                 /* granularity of multicast objects */
#define GMT_SIM_MULTICAST_RECOMMENDED (512ull << 20)           /* the same, recommended */
#define GMT_SIM_NO_SUCH_PHYSICAL CUDA_ERROR_INVALID_VALUE      /* a handle of physical memory that is dead or made up */
#define GMT_SIM_MAPPED_OUTSIDE CUDA_ERROR_INVALID_VALUE        /* cuMemMap where nothing is reserved */
#define GMT_SIM_HANDLE_TYPE_UNKNOWN CUDA_ERROR_NOT_SUPPORTED   /* Windows and fabric handles */
#define GMT_SIM_HANDLE_TYPE_NOT_ASKED CUDA_ERROR_INVALID_VALUE /* exporting what was made without this type */
#define GMT_SIM_DESCRIPTOR_WRONG CUDA_ERROR_INVALID_VALUE      /* importing a descriptor that no export gave */
#define GMT_SIM_MULTICAST_REFUSED CUDA_ERROR_INVALID_VALUE     /* a device or memory that the team has or cannot have */

/* Sharing between processes. */
#define GMT_SIM_OPENED_AT_HOME CUDA_ERROR_INVALID_CONTEXT  /* opening an IPC handle in the process that it is from */
#define GMT_SIM_NOT_SHAREABLE CUDA_ERROR_INVALID_VALUE     /* an IPC handle of memory that cuMemAlloc did not give */
#define GMT_SIM_EVENT_STAYS_HERE CUDA_ERROR_INVALID_HANDLE /* an IPC handle of an event that is not interprocess */
#define GMT_SIM_SOURCE_GONE CUDA_ERROR_INVALID_VALUE       /* opening what its owner has freed, or nonsense */
#define GMT_SIM_NOT_OPENED CUDA_ERROR_INVALID_VALUE        /* closing what was not opened */
#define GMT_SIM_POOL_IS_IMPORTED CUDA_ERROR_INVALID_VALUE  /* taking memory from another process's pool */

/* Memory and semaphores of other APIs. */
#define GMT_SIM_EXTERNAL_UNKNOWN CUDA_ERROR_NOT_SUPPORTED  /* Windows handles, NvSci, dma-buf */
#define GMT_SIM_EXTERNAL_WRONG CUDA_ERROR_OPERATING_SYSTEM /* a descriptor that is none, or cannot be mapped */

/* What the operating system refused: descriptors that are used up, or that the program has closed. */
#define GMT_SIM_SYSTEM_REFUSED CUDA_ERROR_OPERATING_SYSTEM

#endif
