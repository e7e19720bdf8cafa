/* What is given back twice, and what only looks like it because an address or a handle came back. */
#include "case.h"

#define OTHERS 100000

static void *take(size_t bytes)
{
    void *block;
    MUST(cudaMalloc(&block, bytes));
    return block;
}

static void release_by_hand(void *block)
{
    MUST(cudaFree(block));
}

static void release_by_owner(void *block)
{
    MAY_FAIL(cudaFree(block));
}

static void second_free(void)
{
    void *block = take(3 * MIB);
    release_by_hand(block);
    release_by_owner(block);
}

static void second_free_of_pinned(void)
{
    void *block;
    MUST(cudaMallocHost(&block, MIB));
    MUST(cudaFreeHost(block));
    MAY_FAIL(cudaFreeHost(block));
}

static void second_free_in_stream_order(void)
{
    void *block;
    MUST(cudaMallocAsync(&block, MIB, 0));
    MUST(cudaFreeAsync(block, 0));
    MUST(cudaStreamSynchronize(0));
    MAY_FAIL(cudaFreeAsync(block, 0));
}

/* Given back in stream order, then at once. */
static void second_free_by_another_function(void)
{
    void *block;
    MUST(cudaMallocAsync(&block, MIB, 0));
    MUST(cudaFreeAsync(block, 0));
    MUST(cudaStreamSynchronize(0));
    MAY_FAIL(cudaFree(block));
}

static void second_unload(void)
{
    CUmodule module;
    MUST(cudaSetDevice(0));
    MUST(
        cuModuleLoadData(&module, ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry empty() { ret; }\n"));
    MUST(cuModuleUnload(module));
    MAY_FAIL(cuModuleUnload(module));
}

static void second_destruction_of_graphs(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphExecDestroy(executable));
    MAY_FAIL(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(graph));
    MAY_FAIL(cudaGraphDestroy(graph));
}

static void second_destruction_of_a_pool(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t pool;
    MUST(cudaMemPoolCreate(&pool, &properties));
    MUST(cudaMemPoolDestroy(pool));
    MAY_FAIL(cudaMemPoolDestroy(pool));
}

static void second_free_of_a_range(void)
{
    CUdeviceptr range;
    MUST(cudaSetDevice(0));
    MUST(cuMemAddressReserve(&range, 2 * MIB, 0, 0, 0));
    MUST(cuMemAddressFree(range, 2 * MIB));
    MAY_FAIL(cuMemAddressFree(range, 2 * MIB));
}

static void take_and_give_others(int count)
{
    for (int i = 0; i < count; i++)
        MUST(cudaFree(take(64 * KIB)));
}

/* Another block gets the address, after no or many other frees: no second free. */
static void reuse(int others)
{
    void *keeper = take(64 * KIB);
    void *block = take(MIB);
    MUST(cudaFree(block));
    take_and_give_others(others);
    void *again = take(MIB);
    if (again != block)
        printf("another address\n");
    MUST(cudaFree(again));
    MUST(cudaFree(keeper));
}

static void reuse_at_once(void)
{
    reuse(0);
}

static void reuse_after_many(void)
{
    reuse(OTHERS);
}

static void second_free_after_many(void)
{
    void *keeper = take(64 * KIB);
    void *block = take(3 * MIB);
    release_by_hand(block);
    take_and_give_others(OTHERS);
    release_by_owner(block);
    MUST(cudaFree(keeper));
}

/* The second free of one block ends another, still used one: the owner's own free is then the second. */
static void owner_frees_what_another_got(void)
{
    void *block = take(3 * MIB);
    release_by_hand(block);
    void *other = take(3 * MIB);
    if (other != block)
        printf("another address\n");
    release_by_hand(block);
    release_by_owner(other);
}

static void *give(void *block)
{
    release_by_owner(block);
    return NULL;
}

static void second_free_in_another_thread(void)
{
    void *block = take(3 * MIB);
    release_by_hand(block);
    in_thread(give, block);
}

static void freed_after_a_reset(void)
{
    void *block = take(3 * MIB);
    MUST(cudaDeviceReset());
    release_by_owner(block);
}

static void handles_come_back(void)
{
    for (int i = 0; i < 1000; i++) {
        cudaStream_t stream;
        cudaEvent_t event;
        MUST(cudaStreamCreate(&stream));
        MUST(cudaEventCreate(&event));
        MUST(cudaEventDestroy(event));
        MUST(cudaStreamDestroy(stream));
    }
}

static const struct named_case cases[] = {
    {"second_free", second_free},
    {"second_free_of_pinned", second_free_of_pinned},
    {"second_free_in_stream_order", second_free_in_stream_order},
    {"second_free_by_another_function", second_free_by_another_function},
    {"second_unload", second_unload},
    {"second_destruction_of_graphs", second_destruction_of_graphs},
    {"second_destruction_of_a_pool", second_destruction_of_a_pool},
    {"second_free_of_a_range", second_free_of_a_range},
    {"reuse_at_once", reuse_at_once},
    {"reuse_after_many", reuse_after_many},
    {"second_free_after_many", second_free_after_many},
    {"owner_frees_what_another_got", owner_frees_what_another_got},
    {"second_free_in_another_thread", second_free_in_another_thread},
    {"freed_after_a_reset", freed_after_a_reset},
    {"handles_come_back", handles_come_back},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
