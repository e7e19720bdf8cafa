/* Hints about managed memory, which is everywhere at once here: checked, without effect. */
#include "simulator/context.h"
#include "simulator/live_block.h"
#include "simulator/stream.h"

/* Lock held; lets go. */
static CUresult leave_checked(uint64_t address, size_t bytes)
{
    struct gmt_sim_block *block = bytes > 0 ? gmt_sim_block_holding(address, bytes) : NULL;
    return gmt_sim_leave(block && gmt_sim_block_is_managed(block) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuMemAdvise)(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    (void)advice;
    (void)device;
    gmt_sim_lock();
    return leave_checked(address, bytes);
}

GMT_SIM_BODY(cuMemAdvise_v2)(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
    (void)advice;
    (void)location;
    gmt_sim_lock();
    return leave_checked(address, bytes);
}

GMT_SIM_BODY(cuMemPrefetchAsync)(CUdeviceptr address, size_t bytes, CUdevice device, CUstream handle)
{
    struct gmt_sim_stream *stream;
    (void)device;
    CUresult result = gmt_sim_enter_stream(handle, &stream);
    return result == CUDA_SUCCESS ? leave_checked(address, bytes) : result;
}
GMT_SIM_TWIN(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync)

GMT_SIM_BODY(cuMemPrefetchAsync_v2)
(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags, CUstream handle)
{
    struct gmt_sim_stream *stream;
    (void)location;
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_enter_stream(handle, &stream);
    return result == CUDA_SUCCESS ? leave_checked(address, bytes) : result;
}
GMT_SIM_TWIN(cuMemPrefetchAsync_v2_ptsz, cuMemPrefetchAsync_v2)
