/* Address ranges, the memory mapped there, and what is exported to other processes. */
#include "case.h"

#define GRANULE (2 * MIB)

static void start(void)
{
    MUST(cudaSetDevice(0));
}

static CUmemAllocationProp on_device(void)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
    CUmemAllocationProp properties = on_device();
    CUmemGenericAllocationHandle handle = 0;
    MAY_FAIL(cuMemCreate(&handle, bytes, &properties, 0));
    return handle;
}

static CUdeviceptr reserve(size_t bytes)
{
    CUdeviceptr range;
    MUST(cuMemAddressReserve(&range, bytes, 0, 0, 0));
    return range;
}

static void give_access(CUdeviceptr range, size_t bytes)
{
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    MUST(cuMemSetAccess(range, bytes, &access, 1));
}

/* Each segment is unmapped and its range freed when it is closed; that is not all. */
static void segments(void)
{
    start();
    for (int i = 0; i < 64; i++) {
        CUdeviceptr range = reserve(64 * MIB);
        CUmemGenericAllocationHandle handle = create(64 * MIB);
        MUST(cuMemMap(range, 64 * MIB, 0, handle, 0));
        MUST(cuMemUnmap(range, 64 * MIB));
        MUST(cuMemAddressFree(range, 64 * MIB));
    }
}

enum step { RESERVED, CREATED, MAPPED, ACCESSED, RELEASED, UNMAPPED, FREED };

/* The ordinary life of a range, up to and with the last step. */
static void live_until(enum step last)
{
    CUdeviceptr range;
    CUmemGenericAllocationHandle handle = 0;
    start();
    for (enum step step = RESERVED; step <= last; step++) {
        if (step == RESERVED)
            range = reserve(GRANULE);
        else if (step == CREATED)
            handle = create(GRANULE);
        else if (step == MAPPED)
            MUST(cuMemMap(range, GRANULE, 0, handle, 0));
        else if (step == ACCESSED)
            give_access(range, GRANULE);
        else if (step == RELEASED)
            MUST(cuMemRelease(handle));
        else if (step == UNMAPPED)
            MUST(cuMemUnmap(range, GRANULE));
        else
            MUST(cuMemAddressFree(range, GRANULE));
    }
}

static void until_reserved(void)
{
    live_until(RESERVED);
}

static void until_created(void)
{
    live_until(CREATED);
}

static void until_mapped(void)
{
    live_until(MAPPED);
}

static void until_accessed(void)
{
    live_until(ACCESSED);
}

static void until_released(void)
{
    live_until(RELEASED);
}

static void until_unmapped(void)
{
    live_until(UNMAPPED);
}

static void until_freed(void)
{
    live_until(FREED);
}

/* A second reference is taken by address. The first release, the unmapping and the second release may come in this
 * order. */
static CUmemGenericAllocationHandle retain_and_unmap(void)
{
    CUmemGenericAllocationHandle again;
    CUdeviceptr range = reserve(GRANULE);
    CUmemGenericAllocationHandle handle = create(GRANULE);
    MUST(cuMemMap(range, GRANULE, 0, handle, 0));
    MUST(cuMemRetainAllocationHandle(&again, (void *)range));
    MUST(cuMemRelease(handle));
    MUST(cuMemUnmap(range, GRANULE));
    MUST(cuMemAddressFree(range, GRANULE));
    return again;
}

static void retained_and_released(void)
{
    start();
    MUST(cuMemRelease(retain_and_unmap()));
}

static void retained_for_ever(void)
{
    start();
    retain_and_unmap();
}

static void released_too_often(void)
{
    start();
    CUmemGenericAllocationHandle handle = retain_and_unmap();
    MUST(cuMemRelease(handle));
    MAY_FAIL(cuMemRelease(handle));
}

/* Two references, no mapping. */
static void retained_twice(void)
{
    CUmemGenericAllocationHandle again;
    start();
    CUdeviceptr range = reserve(GRANULE);
    CUmemGenericAllocationHandle handle = create(GRANULE);
    MUST(cuMemMap(range, GRANULE, 0, handle, 0));
    MUST(cuMemRetainAllocationHandle(&again, (void *)range));
    MUST(cuMemUnmap(range, GRANULE));
    MUST(cuMemAddressFree(range, GRANULE));
}

/* The third part of a larger range cannot be made, and nobody takes back the first two. */
static void parts(void)
{
    start();
    CUdeviceptr range = reserve(3 * GRANULE);
    for (int i = 0; i < 3; i++) {
        CUmemGenericAllocationHandle handle = create(GRANULE);
        if (!handle)
            return;
        MUST(cuMemMap(range + i * GRANULE, GRANULE, 0, handle, 0));
    }
}

/* Exports. */

static void export_block(void *block)
{
    cudaIpcMemHandle_t handle;
    MUST(cudaIpcGetMemHandle(&handle, block));
}

static void exported_and_freed(void)
{
    void *block;
    MUST(cudaMalloc(&block, 4 * MIB));
    export_block(block);
    MUST(cudaFree(block));
}

static void exported_and_kept(void)
{
    void *block;
    MUST(cudaMalloc(&block, 4 * MIB));
    export_block(block);
}

static void exported_handle_and_released(void)
{
    int descriptor;
    start();
    CUmemGenericAllocationHandle handle = create(GRANULE);
    MUST(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    MUST(cuMemRelease(handle));
}

static void exported_pool_block_and_freed(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .handleTypes = cudaMemHandleTypePosixFileDescriptor,
                                          .location = {cudaMemLocationTypeDevice, 0}};
    struct cudaMemPoolPtrExportData data;
    cudaMemPool_t pool;
    void *block;
    MUST(cudaMemPoolCreate(&pool, &properties));
    MUST(cudaMallocFromPoolAsync(&block, MIB, pool, 0));
    MUST(cudaMemPoolExportPointer(&data, block));
    MUST(cudaFreeAsync(block, 0));
    MUST(cudaStreamSynchronize(0));
    MUST(cudaMemPoolDestroy(pool));
}

static const struct named_case cases[] = {
    {"segments", segments},
    {"until_reserved", until_reserved},
    {"until_created", until_created},
    {"until_mapped", until_mapped},
    {"until_accessed", until_accessed},
    {"until_released", until_released},
    {"until_unmapped", until_unmapped},
    {"until_freed", until_freed},
    {"retained_and_released", retained_and_released},
    {"retained_for_ever", retained_for_ever},
    {"retained_twice", retained_twice},
    {"released_too_often", released_too_often},
    {"parts", parts},
    {"exported_and_freed", exported_and_freed},
    {"exported_and_kept", exported_and_kept},
    {"exported_handle_and_released", exported_handle_and_released},
    {"exported_pool_block_and_freed", exported_pool_block_and_freed},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
