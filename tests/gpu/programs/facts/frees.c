/* Wrong and double frees, and registered host memory. */
#include <stdint.h>
#include <sys/mman.h>

#include "facts.h"

#define SIZE (4 * MIB)

static CUdeviceptr take(size_t size)
{
    CUdeviceptr block = 0;
    MUST(cuMemAlloc, &block, size);
    return block;
}

static CUdeviceptr take_async(size_t size)
{
    CUdeviceptr block = 0;
    MUST(cuMemAllocAsync, &block, size, NULL);
    MUST(cuStreamSynchronize, NULL);
    return block;
}

static void *take_pinned(void)
{
    void *block = NULL;
    MUST(cuMemAllocHost, &block, SIZE);
    return block;
}

static void ask_plain(int unused)
{
    (void)unused;
    device_open();
    CUdeviceptr block = take(SIZE), small = take(KIB);
    SEE("interior", cuMemFree, block + KIB);
    SEE("small_interior", cuMemFree, small + 512);
    SEE("null", cuMemFree, 0);
    SEE("garbage", cuMemFree, 0x12345);
    SEE("once", cuMemFree, block);
    SEE("twice", cuMemFree, block);
    SEE("host_call", cuMemFreeHost, (void *)(uintptr_t)small);
    SEE("small_once", cuMemFree, small);
    SEE("small_twice", cuMemFree, small);
}

static void ask_pinned(int unused)
{
    (void)unused;
    int local = 0;
    device_open();
    void *block = take_pinned();
    SEE("device_call", cuMemFree, (CUdeviceptr)(uintptr_t)block);
    SEE("interior", cuMemFreeHost, (char *)block + 4096);
    SEE("unregister", cuMemHostUnregister, block);
    SEE("once", cuMemFreeHost, block);
    SEE("twice", cuMemFreeHost, block);
    SEE("stack", cuMemFreeHost, &local);
    SEE("null", cuMemFreeHost, NULL);
}

static void ask_async(int unused)
{
    (void)unused;
    device_open();
    CUdeviceptr block = take_async(SIZE), other = take_async(SIZE), plain = take(SIZE);
    SEE("interior", cuMemFreeAsync, block + KIB, NULL);
    SEE("null", cuMemFreeAsync, 0, NULL);
    SEE("once", cuMemFreeAsync, block, NULL);
    SEE("twice_at_once", cuMemFreeAsync, block, NULL);
    SEE("between", cuStreamSynchronize, NULL);
    SEE("twice_later", cuMemFreeAsync, block, NULL);
    SEE("plain_call", cuMemFree, other);
    SEE("plain_call_twice", cuMemFree, other);
    SEE("of_plain_block", cuMemFreeAsync, plain, NULL);
    SEE("of_plain_block_again", cuMemFree, plain);
    SEE("end", cuStreamSynchronize, NULL);
}

/* A block that a stream has been told to free, freed by the other call before the stream gets there. */
static void ask_async_then_plain(int unused)
{
    (void)unused;
    device_open();
    CUdeviceptr block = take_async(SIZE);
    SEE("stream", cuMemFreeAsync, block, NULL);
    SEE("plain", cuMemFree, block);
    SEE("end", cuStreamSynchronize, NULL);
}

static void ask_pool(int unused)
{
    (void)unused;
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemoryPool pool = NULL;
    CUdeviceptr block = 0, next = 0;
    device_open();
    MUST(cuMemPoolCreate, &pool, &properties);
    MUST(cuMemAllocFromPoolAsync, &block, 64 * MIB, pool, NULL);
    MUST(cuStreamSynchronize, NULL);
    memory_tell("alloc");
    SEE("live_blocks", cuMemPoolDestroy, pool);
    memory_tell("destroy");
    SEE("destroyed", cuMemAllocFromPoolAsync, &next, KIB, pool, NULL);
    SEE("after_destroy", cuMemFreeAsync, block, NULL);
    SEE("after_destroy", cuStreamSynchronize, NULL);
    memory_tell("free");
}

static void ask_pool_default(int unused)
{
    (void)unused;
    CUmemoryPool pool = NULL;
    device_open();
    MUST(cuDeviceGetDefaultMemPool, &pool, 0);
    SEE("default_pool", cuMemPoolDestroy, pool);
}

static void *map_host(void *at)
{
    void *block = mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
    if (block == MAP_FAILED)
        must("mmap", CUDA_ERROR_OUT_OF_MEMORY);
    return block;
}

static void *map_registered(void)
{
    device_open();
    void *block = map_host(NULL);
    MUST(cuMemHostRegister, block, SIZE, CU_MEMHOSTREGISTER_DEVICEMAP);
    return block;
}

static void ask_remapped(int unused)
{
    (void)unused;
    void *block = map_registered();
    munmap(block, SIZE);
    block = map_host(block);
    SEE("remapped", cuMemHostRegister, block, SIZE, 0);
    SEE("first", cuMemHostUnregister, block);
    SEE("second", cuMemHostUnregister, block);
    SEE("after_unregister", cuMemHostRegister, block, SIZE, 0);
}

static void ask_unmapped(int unused)
{
    (void)unused;
    void *block = map_registered();
    munmap(block, SIZE);
    SEE("unmapped", cuMemHostUnregister, block);
    SEE("never_mapped", cuMemHostRegister, block, SIZE, 0);
}

static void ask_overlap(int unused)
{
    (void)unused;
    char *block = map_registered();
    SEE("same", cuMemHostRegister, block, SIZE, 0);
    SEE("inside", cuMemHostRegister, block + MIB, MIB, 0);
    SEE("middle", cuMemHostUnregister, block + MIB);
    SEE("free_call", cuMemFreeHost, block);
    SEE("start", cuMemHostUnregister, block);
    SEE("twice", cuMemHostUnregister, block);
    SEE("half", cuMemHostRegister, block, SIZE / 2, 0);
    SEE("whole_over_half", cuMemHostRegister, block, SIZE, 0);
    SEE("odd", cuMemHostRegister, block + 3 * MIB + 100, 1000, 0);
    SEE("odd", cuMemHostUnregister, block + 3 * MIB + 100);
}

static void ask_device_pointer(int unused)
{
    (void)unused;
    CUdeviceptr device = 0;
    void *block = map_registered();
    SEE("registered", cuMemHostGetDevicePointer, &device, block, 0);
    tell("host=%p device=%#llx", block, device);
    SEE("device_call", cuMemFree, device);
    SEE("device_pointer", cuMemHostUnregister, (void *)(uintptr_t)device);
    SEE("host_pointer", cuMemHostUnregister, block);
}

static void ask_reset(int unused)
{
    (void)unused;
    void *block = map_registered();
    device_reopen(0);
    SEE("after_reset", cuMemHostUnregister, block);
    SEE("after_reset", cuMemHostRegister, block, SIZE, 0);
}

const struct part free_parts[] = {
    {"10.remapped", ask_remapped, 0},
    {"10.unmapped", ask_unmapped, 0},
    {"10.overlap", ask_overlap, 0},
    {"10.device_pointer", ask_device_pointer, 0},
    {"10.reset", ask_reset, 0},
    {"11.plain", ask_plain, 0},
    {"11.pinned", ask_pinned, 0},
    {"11.async", ask_async, 0},
    {"11.async_then_plain", ask_async_then_plain, 0},
    {"11.pool_with_live_blocks", ask_pool, 0},
    {"11.pool_default", ask_pool_default, 0},
    {0},
};
