/* What a kernel tells about itself. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    return gmt_rt_end(gmt_rt_function_attributes(attributes, function));
}
