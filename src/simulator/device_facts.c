/* What a device tells about itself. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "simulator/state.h"

static const char device_name[] = "Simulated NVIDIA GPU";

static const struct {
    CUdevice_attribute attribute;
    int value;
} attributes[] = {
#define GMT_SIM_ATTRIBUTE(attribute, value) {attribute, value},
#include "simulator/device_attributes.def"
#undef GMT_SIM_ATTRIBUTE
};

/* Each device is a card of its own on a bus of its own. */
static int bus_of(int ordinal)
{
    return 1 + ordinal;
}

/* Takes the lock and gives the device, or returns 101 without the lock. */
static CUresult enter_device(CUdevice ordinal, struct gmt_sim_device **device_out)
{
    gmt_sim_lock();
    *device_out = gmt_sim_device(ordinal);
    return *device_out ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
}

GMT_SIM_BODY(cuDeviceGetCount)(int *count)
{
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    *count = gmt_sim_device_count();
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceGet)(CUdevice *handle, int ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (handle)
        *handle = ordinal;
    return gmt_sim_leave(handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuDeviceGetName)(char *name, int bytes, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!name || bytes <= 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    snprintf(name, (size_t)bytes, "%s", device_name);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceTotalMem_v2)(size_t *bytes, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes)
        *bytes = device->capacity;
    return gmt_sim_leave(bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuDeviceTotalMem)(unsigned int *bytes, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes)
        *bytes = device->capacity > UINT_MAX ? UINT_MAX : (unsigned int)device->capacity;
    return gmt_sim_leave(bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuDeviceGetAttribute)(int *value, CUdevice_attribute attribute, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!value)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) {
        *value = bus_of(ordinal);
        return gmt_sim_leave(CUDA_SUCCESS);
    }
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attribute == attribute) {
            *value = attributes[i].value;
            return gmt_sim_leave(CUDA_SUCCESS);
        }
    }
    return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuDeviceComputeCapability)(int *major, int *minor, CUdevice ordinal)
{
    CUresult result = gmt_sim_cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    return gmt_sim_cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, ordinal);
}

GMT_SIM_BODY(cuDeviceGetProperties)(CUdevprop *properties, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!properties)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *properties = (CUdevprop){.maxThreadsPerBlock = 1024,
                              .maxThreadsDim = {1024, 1024, 64},
                              .maxGridSize = {INT_MAX, 65535, 65535},
                              .sharedMemPerBlock = 49152,
                              .totalConstantMemory = 65536,
                              .SIMDWidth = 32,
                              .memPitch = INT_MAX,
                              .regsPerBlock = 65536,
                              .clockRate = 1980000,
                              .textureAlign = 512};
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* A UUID that says what it is and differs by device. */
GMT_SIM_BODY(cuDeviceGetUuid_v2)(CUuuid *uuid, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!uuid)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    memcpy(uuid->bytes, "simulated-gpu-00", 16);
    uuid->bytes[14] = (char)('0' + ordinal / 10);
    uuid->bytes[15] = (char)('0' + ordinal % 10);
    return gmt_sim_leave(CUDA_SUCCESS);
}
GMT_SIM_TWIN(cuDeviceGetUuid, cuDeviceGetUuid_v2)

GMT_SIM_BODY(cuDeviceGetLuid)(char *luid, unsigned int *mask, CUdevice ordinal)
{
    (void)luid;
    (void)mask;
    (void)ordinal;
    return CUDA_ERROR_NOT_SUPPORTED; /* exists on Windows only */
}

GMT_SIM_BODY(cuDeviceGetPCIBusId)(char *text, int bytes, CUdevice ordinal)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!text || bytes < 13)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    snprintf(text, (size_t)bytes, "0000:%02X:00.0", (unsigned int)bus_of(ordinal));
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceGetByPCIBusId)(CUdevice *handle, const char *text)
{
    unsigned int bus;
    if (!handle || !text || (sscanf(text, "%*x:%x:%*x.%*x", &bus) != 1 && sscanf(text, "%x:%*x.%*x", &bus) != 1))
        return CUDA_ERROR_INVALID_VALUE;
    return gmt_sim_cuDeviceGet(handle, (int)bus - 1) == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

GMT_SIM_BODY(cuDeviceCanAccessPeer)(int *can, CUdevice ordinal, CUdevice peer)
{
    struct gmt_sim_device *device;
    CUresult result = enter_device(ordinal, &device);
    if (result != CUDA_SUCCESS)
        return result;
    if (!can)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *can = ordinal != peer;
    return gmt_sim_leave(gmt_sim_device(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

GMT_SIM_BODY(cuDeviceGetP2PAttribute)(int *value, CUdevice_P2PAttribute attribute, CUdevice source, CUdevice target)
{
    int can;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gmt_sim_cuDeviceCanAccessPeer(&can, source, target);
    if (result != CUDA_SUCCESS)
        return result;
    if (!can)
        return CUDA_ERROR_INVALID_DEVICE;
    *value = attribute == CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED;
    return CUDA_SUCCESS;
}
