/* What a kernel tells about itself, without what there is about clusters. */
#include <stddef.h>
#include <string.h>

#include "simulator/runtime/until12/old_name.h"

#define SHORT_BYTES offsetof(struct cudaFuncAttributes, clusterDimMustBeSet)
_Static_assert(SHORT_BYTES == 52, "as cudaFuncAttributes in 11.8");

GMT_RT_OLD(cudaFuncGetAttributes, (void *attributes, const void *function))
{
    struct cudaFuncAttributes whole;
    cudaError_t error = gmt_rt_function_attributes(attributes ? &whole : NULL, function);
    if (error == cudaSuccess)
        memcpy(attributes, &whole, SHORT_BYTES);
    return gmt_rt_end(error);
}
