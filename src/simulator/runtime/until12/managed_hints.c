/* Hints about managed memory with a device's number, or the host's, where later versions have locations. */
#include "simulator/runtime/until12/old_name.h"

static CUmemLocation location_of(int device)
{
    bool host = device == cudaCpuDeviceId;
    return (CUmemLocation){.type = host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                           .id = host ? 0 : device};
}

GMT_RT_OLD_FORWARD(cudaMemAdvise, cuMemAdvise,
                   (const void *address, size_t bytes, enum cudaMemoryAdvise advice, int device),
                   gmt_rt_address(address), bytes, (CUmem_advise)advice, location_of(device))

GMT_RT_FORWARD_WITH(cudaMemPrefetchAsync, cuMemPrefetchAsync,
                    (const void *address, size_t bytes, int device, cudaStream_t stream), gmt_rt_address(address),
                    bytes, location_of(device), 0, stream)
GMT_RT_OLD_PAIR(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz,
                (const void *address, size_t bytes, int device, cudaStream_t stream), address, bytes, device, stream)

/* The same as without the suffix, which 13 dropped again. */
GMT_RT_OLD_FORWARD(cudaEventElapsedTime_v2, cuEventElapsedTime,
                   (float *milliseconds, cudaEvent_t start, cudaEvent_t end), milliseconds, start, end)
