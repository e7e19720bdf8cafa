/* What no real driver has been asked for yet, one name per answer, from the descriptions in cuda.h. An answer that was
 * measured moves to where it is given, and says so there, or to measured_answers.h.
 */
#ifndef GMT_SIMULATOR_ASSUMED_ANSWERS_H
#define GMT_SIMULATOR_ASSUMED_ANSWERS_H

/* Arrays, texture and surface objects. */
#define GMT_SIM_ARRAY_UNKNOWN CUDA_ERROR_INVALID_HANDLE /* a level or plane to destroy; no array: a driver crashes */
#define GMT_SIM_ARRAY_UNIT 4096ull /* to which arrays are rounded up: 400 bytes count as between 2,098 and 4,194 */
#define GMT_SIM_LEVELS_OF_NONE 1u  /* of a mipmapped array of 0 levels, which a driver was seen to create */
#define GMT_SIM_TEXTURE_UNKNOWN CUDA_ERROR_INVALID_VALUE /* a handle that is no object */
#define GMT_SIM_LINEAR_TEXELS (1ull << 28)               /* of the widest texture over linear memory, in every format */

/* Stream capture. */
#define GMT_SIM_CAPTURED_TWICE CUDA_ERROR_ILLEGAL_STATE                /* beginning in a stream that is captured */
#define GMT_SIM_NOT_CAPTURED CUDA_ERROR_ILLEGAL_STATE                  /* ending what was not begun, ... */
#define GMT_SIM_DEFAULT_CAPTURED CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED /* capturing the default stream */
#define GMT_SIM_CAPTURE_OVER CUDA_ERROR_CAPTURED_EVENT /* waiting for an event of a capture that has ended */

/* Virtual memory management. */
#define GMT_SIM_MULTICAST_MINIMUM (2ull << 20)                 /* granularity of multicast objects */
#define GMT_SIM_MULTICAST_RECOMMENDED (512ull << 20)           /* the same, recommended */
#define GMT_SIM_MAPPED_OUTSIDE CUDA_ERROR_INVALID_VALUE        /* cuMemMap where nothing is reserved */
#define GMT_SIM_HANDLE_TYPE_UNKNOWN CUDA_ERROR_NOT_SUPPORTED   /* Windows and fabric handles */
#define GMT_SIM_HANDLE_TYPE_NOT_ASKED CUDA_ERROR_INVALID_VALUE /* exporting what was made without this type */
#define GMT_SIM_POOL_DESCRIPTOR_WRONG CUDA_ERROR_INVALID_VALUE /* importing a pool that no export gave */
#define GMT_SIM_MULTICAST_REFUSED CUDA_ERROR_INVALID_VALUE     /* a device or memory that the team has or cannot have */

/* Sharing between processes. */
#define GMT_SIM_NOT_SHAREABLE CUDA_ERROR_INVALID_VALUE     /* an IPC handle of memory that cuMemAlloc did not give */
#define GMT_SIM_EVENT_STAYS_HERE CUDA_ERROR_INVALID_HANDLE /* an IPC handle of an event that is not interprocess */

/* Memory and semaphores of other APIs. */
#define GMT_SIM_EXTERNAL_UNKNOWN CUDA_ERROR_NOT_SUPPORTED  /* Windows handles, NvSci, dma-buf */
#define GMT_SIM_EXTERNAL_WRONG CUDA_ERROR_OPERATING_SYSTEM /* a descriptor that is none, or cannot be mapped */

/* What the operating system refused: descriptors that are used up, or that the program has closed. */
#define GMT_SIM_SYSTEM_REFUSED CUDA_ERROR_OPERATING_SYSTEM

#endif
