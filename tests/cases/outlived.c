/* Memory that outlives what it came from, or that somebody else gives back. */
#include <sys/wait.h>

#include "case.h"

#define GRANULE (2 * MIB)

static CUcontext make_context(void)
{
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuCtxCreate(&context, NULL, 0, 0));
    return context;
}

/* A block of a context that is destroyed. */
static void context_destroyed(void)
{
    CUdeviceptr block;
    CUstream stream;
    CUcontext context = make_context();
    MUST(cuMemAlloc(&block, 3 * MIB));
    MUST(cuStreamCreate(&stream, 0));
    MUST(cuCtxDestroy(context));
}

/* A pool is destroyed before its block, which can be freed after it. */
static void use_pool(int give_back)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t pool;
    void *block;
    MUST(cudaMemPoolCreate(&pool, &properties));
    MUST(cudaMallocFromPoolAsync(&block, MIB, pool, 0));
    MUST(cudaMemPoolDestroy(pool));
    if (give_back)
        MUST(cudaFreeAsync(block, 0));
    MUST(cudaStreamSynchronize(0));
}

static void pool_destroyed(void)
{
    use_pool(0);
}

static void freed_after_its_pool(void)
{
    use_pool(1);
}

/* The block that a graph took outlives the graph. */
static void *take_in_graph(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    void *block;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&block, 64 * MIB, stream));
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphLaunch(executable, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(stream));
    return block;
}

static void graph_destroyed(void)
{
    take_in_graph();
}

static void freed_after_its_graph(void)
{
    MUST(cudaFree(take_in_graph()));
}

/* A free that a capture forbids. */
static void freed_while_capturing(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    void *block;
    MUST(cudaMalloc(&block, MIB));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    MAY_FAIL(cudaFree(block));
    MAY_FAIL(cudaStreamEndCapture(stream, &graph));
    MUST(cudaStreamDestroy(stream));
}

static void *take_for_main(void *block)
{
    MUST(cudaMalloc((void **)block, 8 * MIB));
    return NULL;
}

static void freed_by_another_thread(void)
{
    for (int i = 0; i < 20; i++) {
        void *block;
        in_thread(take_for_main, &block);
        MUST(cudaFree(block));
    }
}

/* The child ends without CUDA; what the parent holds is not the child's. */
static void fork_while_holding(void)
{
    void *block;
    MUST(cudaMalloc(&block, MIB));
    pid_t pid = fork();
    if (pid == 0)
        exit(0);
    waitpid(pid, NULL, 0);
    MUST(cudaFree(block));
}

static CUmemGenericAllocationHandle create(void)
{
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemGenericAllocationHandle handle;
    MUST(cudaSetDevice(0));
    MUST(cuMemCreate(&handle, GRANULE, &properties, 0));
    return handle;
}

/* One handle at two places, of which one is unmapped. */
static void mapped_twice(void)
{
    CUdeviceptr range;
    CUmemGenericAllocationHandle handle = create();
    MUST(cuMemAddressReserve(&range, 2 * GRANULE, 0, 0, 0));
    MUST(cuMemMap(range, GRANULE, 0, handle, 0));
    MUST(cuMemMap(range + GRANULE, GRANULE, 0, handle, 0));
    MUST(cuMemRelease(handle));
    MUST(cuMemUnmap(range, GRANULE));
}

/* Two handles side by side, unmapped by one call. */
static void unmapped_together(void)
{
    CUdeviceptr range;
    CUmemGenericAllocationHandle handles[2] = {create(), create()};
    MUST(cuMemAddressReserve(&range, 2 * GRANULE, 0, 0, 0));
    for (int i = 0; i < 2; i++) {
        MUST(cuMemMap(range + i * GRANULE, GRANULE, 0, handles[i], 0));
        MUST(cuMemRelease(handles[i]));
    }
    MUST(cuMemUnmap(range, 2 * GRANULE));
    MUST(cuMemAddressFree(range, 2 * GRANULE));
}

/* Exported, imported again, and only the first handle released. */
static void import_kept(void)
{
    int descriptor;
    CUmemGenericAllocationHandle imported, handle = create();
    MUST(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    MUST(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)descriptor,
                                        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    MUST(cuMemRelease(handle));
}

/* Another process, traced as well: exports a block by its standard output, frees it when its input ends. */
static void exporter(void)
{
    cudaIpcMemHandle_t handle;
    void *block;
    char byte;
    MUST(cudaMalloc(&block, 4 * MIB));
    MUST(cudaIpcGetMemHandle(&handle, block));
    if (write(1, &handle, sizeof handle) != sizeof handle)
        exit(99);
    while (read(0, &byte, 1) > 0)
        ;
    MUST(cudaFree(block));
}

/* Opens the other's block twice. It must be closed as often. */
static void opened_twice(void)
{
    int handles[2], ends[2];
    cudaIpcMemHandle_t handle;
    void *first, *second;
    if (pipe(handles) || pipe(ends))
        exit(99);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[0], 0);
        dup2(handles[1], 1);
        close(ends[1]);
        execl("/proc/self/exe", "outlived", "exporter", NULL);
        _exit(99);
    }
    if (read(handles[0], &handle, sizeof handle) != sizeof handle)
        exit(99);
    MUST(cudaIpcOpenMemHandle(&first, handle, cudaIpcMemLazyEnablePeerAccess));
    MUST(cudaIpcOpenMemHandle(&second, handle, cudaIpcMemLazyEnablePeerAccess));
    MAY_FAIL(cudaFree(first));
    MUST(cudaIpcCloseMemHandle(first));
    close(ends[1]);
    waitpid(pid, NULL, 0);
}

static const struct named_case cases[] = {
    {"context_destroyed", context_destroyed},
    {"pool_destroyed", pool_destroyed},
    {"freed_after_its_pool", freed_after_its_pool},
    {"graph_destroyed", graph_destroyed},
    {"freed_after_its_graph", freed_after_its_graph},
    {"freed_while_capturing", freed_while_capturing},
    {"freed_by_another_thread", freed_by_another_thread},
    {"fork_while_holding", fork_while_holding},
    {"mapped_twice", mapped_twice},
    {"unmapped_together", unmapped_together},
    {"import_kept", import_kept},
    {"exporter", exporter},
    {"opened_twice", opened_twice},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
