/* Frees that are refused, come twice, come too late or go to the wrong function. */
#include <setjmp.h>

#include "case.h"

static void start(void)
{
    MUST(cudaSetDevice(0));
}

static void *take(size_t bytes)
{
    void *block;
    MUST(cudaMalloc(&block, bytes));
    return block;
}

/* By destructors after main. The runtime does not ask the driver any more then, so most of these are driver calls. */

static struct {
    CUdeviceptr block;
    void *pinned;
    CUstream streams[64];
    CUevent event;
    void *of_the_runtime;
} owned;

static void give_back_owned(void)
{
    MAY_FAIL(cuMemFree(owned.block));
    MAY_FAIL(cuMemFreeHost(owned.pinned));
    for (int i = 0; i < 64; i++)
        MAY_FAIL(cuStreamDestroy(owned.streams[i]));
    MAY_FAIL(cuEventDestroy(owned.event));
    owned.block = 0;
}

__attribute__((destructor)) static void end_of_owner(void)
{
    if (owned.block)
        give_back_owned();
    if (owned.of_the_runtime)
        MAY_FAIL(cudaFree(owned.of_the_runtime));
}

static void late(void)
{
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemAlloc(&owned.block, 4 * MIB));
    MUST(cuMemAllocHost(&owned.pinned, MIB));
    for (int i = 0; i < 64; i++)
        MUST(cuStreamCreate(&owned.streams[i], 0));
    MUST(cuEventCreate(&owned.event, 0));
}

/* By an exit handler that is younger than the driver's own: as of a static object that was first used after cuInit. */
static void late_but_in_time(void)
{
    late();
    atexit(give_back_owned);
}

static void late_by_the_runtime(void)
{
    owned.of_the_runtime = take(4 * MIB);
}

/* On a thread that has no context. */

static void *free_block(void *block)
{
    MUST(pthread_setname_np(pthread_self(), "collector"));
    MAY_FAIL(cuMemFree((CUdeviceptr)block));
    return NULL;
}

static void *free_in_stream_order(void *block)
{
    MUST(pthread_setname_np(pthread_self(), "collector"));
    MAY_FAIL(cuMemFreeAsync((CUdeviceptr)block, NULL));
    return NULL;
}

static void no_context(void)
{
    in_thread(free_block, take(2 * MIB));
}

static void no_context_async(void)
{
    void *block;
    MUST(cudaMallocAsync(&block, 2 * MIB, 0));
    MUST(cudaStreamSynchronize(0));
    in_thread(free_in_stream_order, block);
}

/* Of what is no block. */

static void address_of_the_pointer(void)
{
    void *block;
    MUST(cudaMallocHost(&block, MIB));
    MAY_FAIL(cudaFreeHost(&block));
    MUST(cudaFreeHost(block));
}

static void middle_of_a_pool(void)
{
    char *pool;
    MUST(cudaMallocHost((void **)&pool, MIB));
    MAY_FAIL(cudaFreeHost(pool + 64));
    MUST(cudaFreeHost(pool));
}

static void middle_of_a_block(void)
{
    char *block = take(4 * MIB);
    MAY_FAIL(cudaFree(block + 3 * MIB));
    MUST(cudaFree(block));
}

static void uninitialised(void)
{
    start();
    MAY_FAIL(cudaFree((void *)0x5a5a5a5a5a5a));
}

static void heap_pointer(void)
{
    void *memory = malloc(4096);
    start();
    MAY_FAIL(cudaFreeHost(memory));
    free(memory);
}

/* Of something else. */

static void device_block_as_pinned(void)
{
    void *block = take(MIB);
    MAY_FAIL(cudaFreeHost(block));
    MUST(cudaFree(block));
}

static void pinned_as_device_block(void)
{
    void *block;
    MUST(cudaMallocHost(&block, MIB));
    MAY_FAIL(cudaFree(block));
    MUST(cudaFreeHost(block));
}

static void registered_as_pinned(void)
{
    void *memory = aligned_alloc(4096, MIB);
    MUST(cudaHostRegister(memory, MIB, cudaHostRegisterDefault));
    MAY_FAIL(cudaFreeHost(memory));
    MUST(cudaHostUnregister(memory));
    free(memory);
}

static void mapped_range_as_block(void)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr range;
    start();
    MUST(cuMemCreate(&handle, 2 * MIB, &properties, 0));
    MUST(cuMemAddressReserve(&range, 2 * MIB, 0, 0, 0));
    MUST(cuMemMap(range, 2 * MIB, 0, handle, 0));
    MAY_FAIL(cuMemFree(range));
    MUST(cuMemUnmap(range, 2 * MIB));
    MUST(cuMemAddressFree(range, 2 * MIB));
    MUST(cuMemRelease(handle));
}

static void graph_as_executable(void)
{
    cudaGraph_t graph;
    MUST(cudaGraphCreate(&graph, 0));
    MAY_FAIL(cudaGraphExecDestroy((cudaGraphExec_t)graph));
    MUST(cudaGraphDestroy(graph));
}

/* Pinned memory given to the C library, which ends the program. */
static void pinned_to_the_c_library(void)
{
    void *block;
    MUST(cudaMallocHost(&block, MIB));
    void *volatile elsewhere = block;
    free(elsewhere);
}

/* All of these pair. */
static void pairs(void)
{
    for (int i = 0; i < 4; i++) {
        void *block;
        if (i & 1)
            MUST(cudaMallocAsync(&block, MIB, 0));
        else
            MUST(cudaMalloc(&block, MIB));
        MUST(cudaStreamSynchronize(0));
        if (i & 2)
            MUST(cudaFreeAsync(block, 0));
        else
            MUST(cudaFree(block));
        MUST(cudaStreamSynchronize(0));
    }
}

/* Left behind where something failed. */

static void *load(size_t bytes)
{
    static char bytes_read[64];
    void *block = take(bytes);
    if (cudaMemcpy(block, bytes_read, sizeof bytes_read, cudaMemcpyHostToDevice) != cudaSuccess)
        return NULL;
    return block;
}

static void early_return(void)
{
    for (int i = 0; i < 3; i++) {
        void *block = load(MIB);
        if (block)
            MUST(cudaFree(block));
    }
}

static jmp_buf way_out;

static void check(cudaError_t code)
{
    if (code != cudaSuccess)
        longjmp(way_out, 1);
}

static void build(void)
{
    void *block;
    cudaStream_t stream;
    cudaEvent_t event;
    check(cudaMalloc(&block, MIB));
    check(cudaStreamCreate(&stream));
    check(cudaEventCreate(&event));
    check(cudaEventDestroy(event));
    check(cudaStreamDestroy(stream));
    check(cudaFree(block));
}

static void jumped_past_the_free(void)
{
    if (setjmp(way_out) == 0)
        build();
}

static const struct named_case cases[] = {
    {"late", late},
    {"late_but_in_time", late_but_in_time},
    {"late_by_the_runtime", late_by_the_runtime},
    {"no_context", no_context},
    {"no_context_async", no_context_async},
    {"address_of_the_pointer", address_of_the_pointer},
    {"middle_of_a_pool", middle_of_a_pool},
    {"middle_of_a_block", middle_of_a_block},
    {"uninitialised", uninitialised},
    {"heap_pointer", heap_pointer},
    {"device_block_as_pinned", device_block_as_pinned},
    {"pinned_as_device_block", pinned_as_device_block},
    {"registered_as_pinned", registered_as_pinned},
    {"mapped_range_as_block", mapped_range_as_block},
    {"graph_as_executable", graph_as_executable},
    {"pinned_to_the_c_library", pinned_to_the_c_library},
    {"pairs", pairs},
    {"early_return", early_return},
    {"jumped_past_the_free", jumped_past_the_free},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
