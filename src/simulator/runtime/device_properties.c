/* What a device and the installed software are. */
#include "simulator/runtime/runtime.h"

GMT_RT_API cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess && (!device || !wanted))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *device = 0; /* all devices are alike */
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetPCIBusId(char *text, int bytes, int device)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetPCIBusId(text, bytes, device));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetByPCIBusId(device, text));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceCanAccessPeer(can, device, peer));
    return gmt_rt_end(error);
}

GMT_RT_API cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source, int target)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaSuccess) {
        CUdevice_P2PAttribute wanted = (CUdevice_P2PAttribute)attribute;
        error = gmt_rt_error(gmt_rt_legacy.cuDeviceGetP2PAttribute(value, wanted, source, target));
    }
    return gmt_rt_end(error);
}

GMT_RT_API cudaRuntimeGetVersion(int *version)
{
    if (version)
        *version = gmt_rt_version;
    return gmt_rt_end(version ? cudaSuccess : cudaErrorInvalidValue);
}

GMT_RT_API cudaDriverGetVersion(int *version)
{
    cudaError_t error = gmt_rt_start();
    if (error == cudaErrorInsufficientDriver && version) {
        *version = 0; /* no driver is no error here */
        return cudaSuccess;
    }
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuDriverGetVersion(version));
    return gmt_rt_end(error);
}
