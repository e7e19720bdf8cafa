/* Blocks and events between processes. Handles are laid out alike in driver and runtime. */
#include <string.h>

#include "simulator/runtime/runtime.h"

_Static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle), "the same bytes");
_Static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle), "the same bytes");

GMT_RT_API cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *address)
{
    CUipcMemHandle *exported = (CUipcMemHandle *)handle;
    CUdeviceptr block = gmt_rt_address(address);
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuIpcGetMemHandle(exported, block)));
}

GMT_RT_API cudaIpcOpenMemHandle(void **address, cudaIpcMemHandle_t handle, unsigned int flags)
{
    CUipcMemHandle exported;
    CUdeviceptr *block = (CUdeviceptr *)address;
    memcpy(&exported, &handle, sizeof exported);
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuIpcOpenMemHandle(block, exported, flags)));
}

GMT_RT_API cudaIpcCloseMemHandle(void *address)
{
    CUdeviceptr block = gmt_rt_address(address);
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuIpcCloseMemHandle(block)));
}

GMT_RT_API cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    CUipcEventHandle *exported = (CUipcEventHandle *)handle;
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuIpcGetEventHandle(exported, event)));
}

GMT_RT_API cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    CUipcEventHandle exported;
    memcpy(&exported, &handle, sizeof exported);
    return gmt_rt_end(gmt_rt_begin() ?: gmt_rt_error(gmt_rt_legacy.cuIpcOpenEventHandle(event, exported)));
}
