/* Pinned and registered memory of the host. */
#include <sys/mman.h>

#include "case.h"

#define CALLBACKS 200

/* Memory that a host function of a stream tries to give back. */

static void free_pinned_in_stream(void *block)
{
    MAY_FAIL(cuMemFreeHost(block));
}

static void free_in_stream(void *block)
{
    MAY_FAIL(cuMemFree((CUdeviceptr)block));
}

static void pinned_in_callbacks(void)
{
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    for (int i = 0; i < CALLBACKS; i++) {
        void *block;
        MUST(cudaHostAlloc(&block, 4 * KIB, cudaHostAllocDefault));
        MUST(cudaLaunchHostFunc(stream, free_pinned_in_stream, block));
    }
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaStreamDestroy(stream));
}

static void device_in_callbacks(void)
{
    for (int i = 0; i < 3; i++) {
        void *block;
        MUST(cudaMalloc(&block, MIB));
        MUST(cudaLaunchHostFunc(0, free_in_stream, block));
    }
    MUST(cudaDeviceSynchronize());
}

/* Registered memory. */

static void *map_pages(void *where, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0);
    void *pages = mmap(where, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (pages == MAP_FAILED)
        exit(99);
    return pages;
}

static void *map_and_register(size_t bytes)
{
    void *pages = map_pages(NULL, bytes);
    MUST(cudaHostRegister(pages, bytes, cudaHostRegisterDefault));
    return pages;
}

static void registered_and_unmapped(void)
{
    void *pages = map_and_register(MIB);
    munmap(pages, MIB);
}

/* By the driver alone, whose context nobody gives back at exit. */
static void *map_and_register_by_driver(size_t bytes)
{
    CUcontext context;
    void *pages = map_pages(NULL, bytes);
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemHostRegister(pages, bytes, 0));
    return pages;
}

static void registered_by_driver_and_unmapped(void)
{
    void *pages = map_and_register_by_driver(MIB);
    munmap(pages, MIB);
}

static void register_again(void *pages, size_t bytes)
{
    MAY_FAIL(cudaHostRegister(pages, bytes, cudaHostRegisterDefault));
}

/* The next mapping at that address cannot be registered. */
static void remapped_and_registered(void)
{
    void *pages = map_and_register(MIB);
    munmap(pages, MIB);
    map_pages(pages, MIB);
    register_again(pages, MIB);
}

static void overlapping_registrations(void)
{
    char *pages = map_pages(NULL, 4 * MIB);
    MUST(cudaHostRegister(pages, 2 * MIB, cudaHostRegisterDefault));
    register_again(pages + MIB, 2 * MIB);
    MUST(cudaHostUnregister(pages));
}

static void unregistered_then_registered_again(void)
{
    void *pages = map_and_register(MIB);
    MUST(cudaHostUnregister(pages));
    munmap(pages, MIB);
    map_pages(pages, MIB);
    MUST(cudaHostRegister(pages, MIB, cudaHostRegisterDefault));
    MUST(cudaHostUnregister(pages));
}

static void unregistered_by_a_wrong_address(void)
{
    char *pages = map_and_register(MIB);
    MAY_FAIL(cudaHostUnregister(pages + 4096));
}

static void unregistered_twice(void)
{
    void *pages = map_and_register(MIB);
    MUST(cudaHostUnregister(pages));
    MAY_FAIL(cudaHostUnregister(pages));
}

/* Large enough to be a mapping of its own, which the C library unmaps. */
static void freed_while_registered(void)
{
    void *pages = aligned_alloc(4096, 64 * MIB);
    MUST(cudaHostRegister(pages, 64 * MIB, cudaHostRegisterDefault));
    free(pages);
}

static const struct named_case cases[] = {
    {"pinned_in_callbacks", pinned_in_callbacks},
    {"device_in_callbacks", device_in_callbacks},
    {"registered_and_unmapped", registered_and_unmapped},
    {"registered_by_driver_and_unmapped", registered_by_driver_and_unmapped},
    {"remapped_and_registered", remapped_and_registered},
    {"overlapping_registrations", overlapping_registrations},
    {"unregistered_then_registered_again", unregistered_then_registered_again},
    {"unregistered_by_a_wrong_address", unregistered_by_a_wrong_address},
    {"unregistered_twice", unregistered_twice},
    {"freed_while_registered", freed_while_registered},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
