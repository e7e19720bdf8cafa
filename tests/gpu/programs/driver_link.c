/* The driver API by link. Two blocks of 5 MiB, one pitched; one leaked; a failing request; a stray free. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", what, (int)result);
    exit(1);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr kept, freed, pitched, none = 0;
    size_t pitch;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuMemAlloc(&kept, 5 << 20), "cuMemAlloc");
    check(cuMemAlloc(&freed, 5 << 20), "cuMemAlloc");
    check(cuMemAllocPitch(&pitched, &pitch, 100, 7, 4), "cuMemAllocPitch");
    check(cuMemFree(freed), "cuMemFree");
    check(cuMemFree(pitched), "cuMemFree");
    CUresult too_large = cuMemAlloc(&none, (size_t)1 << 50);
    CUresult stray = cuMemFree(kept + 4096);
    printf("too large %d, stray %d\n", (int)too_large, (int)stray);
    printf("EXPECT leaked_count=1 leaked_bytes=5242880 api:cuMemAlloc=5242880 oom=1 stray=1\n");
    check(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
    return 0;
}
