/* Driver functions handed out by the runtime. */
#include "simulator/runtime/runtime.h"

cudaError_t gmt_rt_look_up(const char *name, void **function, unsigned int version, unsigned long long flags,
                           bool per_thread, enum cudaDriverEntryPointQueryResult *status)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    cudaError_t error = gmt_rt_start();
    if (error != cudaSuccess)
        return error;
    if (!name || !function || flags > cudaEnablePerThreadDefaultStream)
        return cudaErrorInvalidValue;
    if (per_thread && flags == cudaEnableDefault)
        flags = cudaEnablePerThreadDefaultStream;
    error = gmt_rt_error(gmt_rt_get_proc_address(name, function, (int)version, flags, &found));
    if (error == cudaSuccess && status)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return error;
}

#define ENTRY_POINT_BY_VERSION(name, per_thread)                                                                       \
    GMT_RT_API name(const char *symbol, void **function, unsigned int version, unsigned long long flags,               \
                    enum cudaDriverEntryPointQueryResult *status)                                                      \
    {                                                                                                                  \
        return gmt_rt_end(gmt_rt_look_up(symbol, function, version, flags, per_thread, status));                       \
    }

ENTRY_POINT_BY_VERSION(cudaGetDriverEntryPointByVersion, false)
ENTRY_POINT_BY_VERSION(cudaGetDriverEntryPointByVersion_ptsz, true)

GMT_RT_API cudaGetExportTable(const void **table, const cudaUUID_t *id)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuGetExportTable(table, (const CUuuid *)id));
    return gmt_rt_end(error);
}
