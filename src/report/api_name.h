/* The name of the CUDA function that the user wrote, read from the stack. */
#ifndef GMT_REPORT_API_NAME_H
#define GMT_REPORT_API_NAME_H

#include "report/model.h"

/* "cudaMalloc" for a stack that enters the runtime there, else the driver function's name without its ABI suffixes:
 * "cuMemAlloc" for "cuMemAlloc_v2_ptsz". `stack` and `entry` may be NULL. The result lives in `heap`; never NULL. */
const char *gmt_api_name(const struct gmt_stack *stack, const char *entry, struct gmt_heap *heap);

#endif
