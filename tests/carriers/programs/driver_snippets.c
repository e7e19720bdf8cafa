/* The snippets in terms of the driver's functions. */
#include "driver_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const struct driver_functions *driver_t;

static void expect(int code, int wanted, const char *call)
{
    if (code == wanted)
        return;
    printf("%s: code %d, not %d\n", call, code, wanted);
    exit(1);
}
#define EXPECT(call, wanted) expect((int)(call), (wanted), #call)

static void leak(driver_t driver)
{
    CUdeviceptr kept, freed;
    EXPECT(driver->cuMemAlloc_v2(&kept, 1000), 0);
    EXPECT(driver->cuMemAlloc_v2(&freed, 2000), 0);
    EXPECT(driver->cuMemFree_v2(freed), 0);
}

static void take_all(driver_t driver, int give_back)
{
    CUdeviceptr block[6];
    void *host[2];
    size_t pitch = 0;
    CUmemoryPool pool;
    EXPECT(driver->cuDeviceGetDefaultMemPool(&pool, 0), 0);
    EXPECT(driver->cuMemAlloc_v2(&block[0], 1000), 0);
    EXPECT(driver->cuMemAllocPitch_v2(&block[1], &pitch, 1000, 16, 4), 0);
    EXPECT(driver->cuMemAllocPitch_v2(&block[2], &pitch, 500, 8, 4), 0);
    EXPECT(driver->cuMemAllocManaged(&block[3], 3000, CU_MEM_ATTACH_GLOBAL), 0);
    EXPECT(driver->cuMemAllocAsync(&block[4], 4000, NULL), 0);
    EXPECT(driver->cuMemAllocFromPoolAsync(&block[5], 7000, pool, NULL), 0);
    EXPECT(driver->cuMemAllocHost_v2(&host[0], 5000), 0);
    EXPECT(driver->cuMemHostAlloc(&host[1], 6000, 0), 0);
    if (!give_back)
        return;
    for (int i = 0; i < 4; i++)
        EXPECT(driver->cuMemFree_v2(block[i]), 0);
    EXPECT(driver->cuMemFreeAsync(block[4], NULL), 0);
    EXPECT(driver->cuMemFreeAsync(block[5], NULL), 0);
    EXPECT(driver->cuMemFreeHost(host[0]), 0);
    EXPECT(driver->cuMemFreeHost(host[1]), 0);
}

static void kinds(driver_t driver)
{
    take_all(driver, 0);
}

static void give_all_back(driver_t driver)
{
    take_all(driver, 1);
}

static void fail(driver_t driver)
{
    CUdeviceptr kept, none;
    EXPECT(driver->cuMemAlloc_v2(&kept, 1000), 0);
    EXPECT(driver->cuMemAlloc_v2(&none, (size_t)1 << 46), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(driver->cuMemFree_v2(12345), CUDA_ERROR_INVALID_VALUE);
    EXPECT(driver->cuMemFree_v2(kept), 0);
}

/* What programs call that were built with a default stream for each thread. */
static void twins(driver_t driver)
{
    CUdeviceptr block[3];
    CUmemoryPool pool;
    EXPECT(driver->cuDeviceGetDefaultMemPool(&pool, 0), 0);
    EXPECT(driver->cuMemAllocAsync_ptsz(&block[0], 100, NULL), 0);
    EXPECT(driver->cuMemAllocFromPoolAsync_ptsz(&block[1], 200, pool, NULL), 0);
    EXPECT(driver->cuMemAllocAsync_ptsz(&block[2], 400, NULL), 0);
    EXPECT(driver->cuMemFreeAsync_ptsz(block[2], NULL), 0);
}

/* The entries of CUDA 3.1, with addresses and sizes of 32 bits; they work in a context of their own kind. */
static void thirty_two_bits(driver_t driver)
{
    CUcontext context;
    CUdeviceptr_v1 block[3];
    void *host;
    unsigned int pitch = 0;
    EXPECT(driver->cuCtxCreate(&context, 0, 0), 0);
    EXPECT(driver->cuMemAlloc(&block[0], 100), 0);
    EXPECT(driver->cuMemAllocPitch(&block[1], &pitch, 500, 2, 4), 0);
    EXPECT(driver->cuMemAllocHost(&host, 400), 0);
    EXPECT(driver->cuMemAlloc(&block[2], 800), 0);
    EXPECT(driver->cuMemFree(block[2]), 0);
}

static void reset(driver_t driver)
{
    CUcontext context;
    CUdeviceptr block;
    EXPECT(driver->cuMemAlloc_v2(&block, 1000), 0);
    EXPECT(driver->cuDevicePrimaryCtxReset_v2(0), 0);
    EXPECT(driver->cuDevicePrimaryCtxRetain(&context, 0), 0);
    EXPECT(driver->cuCtxSetCurrent(context), 0);
    EXPECT(driver->cuMemAlloc_v2(&block, 2000), 0);
    EXPECT(driver->cuMemFree_v2(block), 0);
}

static void own_contexts(driver_t driver)
{
    CUcontext context, again;
    CUdeviceptr block;
    EXPECT(driver->cuCtxCreate_v2(&context, 0, 0), 0);
    EXPECT(driver->cuMemAlloc_v2(&block, 100), 0);
    EXPECT(driver->cuCtxDestroy(context), 0);
    EXPECT(driver->cuCtxCreate_v3(&context, NULL, 0, 0, 0), 0);
    EXPECT(driver->cuMemAlloc_v2(&block, 200), 0);
    EXPECT(driver->cuCtxDestroy_v2(context), 0);
    EXPECT(driver->cuCtxCreate_v4(&context, NULL, 0, 0), 0);
    EXPECT(driver->cuCtxAttach(&again, 0), 0);
    EXPECT(driver->cuMemAlloc_v2(&block, 400), 0);
    EXPECT(driver->cuCtxDetach(context), 0);
    EXPECT(driver->cuCtxDetach(context), 0);
}

/* The one reference to the primary context that there is goes; after a reset it stays, and the next one revives it. */
static void primary_contexts(driver_t driver)
{
    CUresult (*const ends[])(CUdevice) = {driver->cuDevicePrimaryCtxRelease, driver->cuDevicePrimaryCtxRelease_v2,
                                          driver->cuDevicePrimaryCtxReset, driver->cuDevicePrimaryCtxReset_v2};
    CUcontext context;
    CUdeviceptr block;
    EXPECT(driver->cuDevicePrimaryCtxRelease_v2(0), 0);
    for (int i = 0; i < 4; i++) {
        EXPECT(driver->cuDevicePrimaryCtxRetain(&context, 0), 0);
        EXPECT(driver->cuCtxSetCurrent(context), 0);
        EXPECT(driver->cuMemAlloc_v2(&block, (size_t)800 << i), 0);
        EXPECT(ends[i](0), 0);
    }
}

/* Each way in which a context ends, with a block in it. */
static void contexts(driver_t driver)
{
    own_contexts(driver);
    primary_contexts(driver);
}

static const struct {
    const char *name;
    void (*run)(driver_t driver);
} snippets[] = {
    {"leak", leak},   {"kinds", kinds},       {"free", give_all_back},
    {"fail", fail},   {"twins", twins},       {"32_bits", thirty_two_bits},
    {"reset", reset}, {"contexts", contexts},
};

void run_driver_snippet(const struct driver_functions *driver, const char *name)
{
    CUcontext context;
    EXPECT(driver->cuInit(0), 0);
    EXPECT(driver->cuDevicePrimaryCtxRetain(&context, 0), 0);
    EXPECT(driver->cuCtxSetCurrent(context), 0);
    for (size_t i = 0; i < sizeof snippets / sizeof snippets[0]; i++) {
        if (strcmp(name, snippets[i].name) == 0)
            snippets[i].run(driver);
    }
    printf("%s done\n", name);
    fflush(stdout);
}
