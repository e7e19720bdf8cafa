/* A library that takes and gives back device memory; opened RTLD_DEEPBIND it reaches the driver past every preload. */
#include "program.h"

CUresult take_past(CUdeviceptr *address, size_t bytes);
CUresult give_past(CUdeviceptr address);

CUresult take_past(CUdeviceptr *address, size_t bytes)
{
    return cuMemAlloc(address, bytes);
}

CUresult give_past(CUdeviceptr address)
{
    return cuMemFree(address);
}
