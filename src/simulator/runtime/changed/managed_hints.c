/* Hints about managed memory, with locations. */
#include "simulator/runtime/runtime.h"

static CUmemLocation driver_location(struct cudaMemLocation location)
{
    return (CUmemLocation){.type = (CUmemLocationType)location.type, .id = location.id};
}

GMT_RT_API cudaMemAdvise(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
                         struct cudaMemLocation location)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess) {
        CUmem_advise wanted = (CUmem_advise)advice;
        error =
            gmt_rt_error(gmt_rt_legacy.cuMemAdvise(gmt_rt_address(address), bytes, wanted, driver_location(location)));
    }
    return gmt_rt_end(error);
}

static cudaError_t cudaMemPrefetchAsync_with(const struct gmt_rt_driver *driver, const void *address, size_t bytes,
                                             struct cudaMemLocation location, unsigned int flags, cudaStream_t stream)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess) {
        CUmemLocation where = driver_location(location);
        error = gmt_rt_error(driver->cuMemPrefetchAsync(gmt_rt_address(address), bytes, where, flags, stream));
    }
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz,
            (const void *address, size_t bytes, struct cudaMemLocation location, unsigned int flags,
             cudaStream_t stream),
            address, bytes, location, flags, stream)
