/* The snippets in terms of the driver's functions. */
#include "driver_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int code, int wanted, const char *call)
{
    if (code == wanted)
        return;
    printf("%s: code %d, not %d\n", call, code, wanted);
    exit(1);
}
#define EXPECT(call, wanted) expect((int)(call), (wanted), #call)

static void leak(const struct driver_functions *driver)
{
    CUdeviceptr kept, freed;
    EXPECT(driver->cuMemAlloc(&kept, 1000), 0);
    EXPECT(driver->cuMemAlloc(&freed, 2000), 0);
    EXPECT(driver->cuMemFree(freed), 0);
}

static void take_all(const struct driver_functions *driver, int give_back)
{
    CUdeviceptr block[4];
    void *host[2];
    size_t pitch = 0;
    EXPECT(driver->cuMemAlloc(&block[0], 1000), 0);
    EXPECT(driver->cuMemAllocPitch(&block[1], &pitch, 1000, 16, 4), 0);
    EXPECT(driver->cuMemAllocManaged(&block[2], 3000, CU_MEM_ATTACH_GLOBAL), 0);
    EXPECT(driver->cuMemAllocAsync(&block[3], 4000, NULL), 0);
    EXPECT(driver->cuMemAllocHost(&host[0], 5000), 0);
    EXPECT(driver->cuMemHostAlloc(&host[1], 6000, 0), 0);
    if (!give_back)
        return;
    for (int i = 0; i < 3; i++)
        EXPECT(driver->cuMemFree(block[i]), 0);
    EXPECT(driver->cuMemFreeAsync(block[3], NULL), 0);
    EXPECT(driver->cuMemFreeHost(host[0]), 0);
    EXPECT(driver->cuMemFreeHost(host[1]), 0);
}

static void fail(const struct driver_functions *driver)
{
    CUdeviceptr kept, none;
    EXPECT(driver->cuMemAlloc(&kept, 1000), 0);
    EXPECT(driver->cuMemAlloc(&none, (size_t)1 << 46), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(driver->cuMemFree(12345), CUDA_ERROR_INVALID_VALUE);
    EXPECT(driver->cuMemFree(kept), 0);
}

void run_driver_snippet(const struct driver_functions *driver, const char *name)
{
    CUcontext context;
    EXPECT(driver->cuInit(0), 0);
    EXPECT(driver->cuDevicePrimaryCtxRetain(&context, 0), 0);
    EXPECT(driver->cuCtxSetCurrent(context), 0);
    if (strcmp(name, "leak") == 0)
        leak(driver);
    else if (strcmp(name, "fail") == 0)
        fail(driver);
    else
        take_all(driver, strcmp(name, "free") == 0);
    printf("%s done\n", name);
    fflush(stdout);
}
