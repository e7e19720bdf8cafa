/* What keeps memory from others though the program holds no block: pools, graphs, limits, contexts, statics. */
#include <signal.h>
#include <sys/wait.h>

#include "case.h"
#include "plugin.h"

#define WORKERS 8

static const char module_text[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                                  ".visible .entry empty() { ret; }\n";

/* A context and nothing else. */
static void context_only(void)
{
    MUST(cudaFree(0));
}

/* Each worker opens a context on the first device and allocates on its own. */
static void context_on_the_wrong_device(void)
{
    void *block;
    MUST(cudaSetDevice(0));
    MUST(cudaFree(0));
    MUST(cudaSetDevice(1));
    MUST(cudaMalloc(&block, 64 * MIB));
    MUST(cudaFree(block));
}

/* A static object that a library ends with itself, or with the program. */

static void static_of_a_library(void)
{
    struct plugin plugin = plugin_load();
    plugin.touch_static();
}

static void static_of_an_unloaded_library(void)
{
    struct plugin plugin = plugin_load();
    plugin.touch_static();
    plugin_unload(&plugin);
}

static void static_after_a_reset(void)
{
    struct plugin plugin = plugin_load();
    plugin.touch_static();
    MUST(cudaDeviceReset());
}

/* Pools. */

static void keep(cudaMemPool_t pool, unsigned long long bytes)
{
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

static void use_and_free(size_t bytes, cudaMemPool_t pool)
{
    void *block;
    MUST(cudaMallocFromPoolAsync(&block, bytes, pool, 0));
    MUST(cudaFreeAsync(block, 0));
    MUST(cudaStreamSynchronize(0));
}

static cudaMemPool_t default_pool(void)
{
    cudaMemPool_t pool;
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

static void ask(size_t bytes)
{
    void *block;
    MAY_FAIL(cudaMalloc(&block, bytes));
}

static void pool_that_keeps_everything(void)
{
    keep(default_pool(), ~0ull);
    use_and_free(6 * GIB, default_pool());
    ask(GIB);
}

static void pool_that_keeps_a_part(void)
{
    keep(default_pool(), 128 * MIB);
    use_and_free(512 * MIB, default_pool());
    MUST(cudaDeviceReset());
}

static void pool_that_was_trimmed(void)
{
    keep(default_pool(), ~0ull);
    use_and_free(512 * MIB, default_pool());
    MUST(cudaMemPoolTrimTo(default_pool(), 0));
    MUST(cudaDeviceReset());
}

static void pool_of_the_program(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t pool;
    MUST(cudaMemPoolCreate(&pool, &properties));
    keep(pool, ~0ull);
    use_and_free(256 * MIB, pool);
    ask(GIB);
    MUST(cudaMemPoolDestroy(pool));
}

/* Half of the blocks are freed, on two streams, and a request fails. */
static void pool_in_pieces(void)
{
    cudaStream_t streams[2];
    void *blocks[32];
    MUST(cudaStreamCreate(&streams[0]));
    MUST(cudaStreamCreate(&streams[1]));
    for (int i = 0; i < 32; i++)
        MUST(cudaMallocAsync(&blocks[i], 32 * MIB, streams[i % 2]));
    for (int i = 0; i < 32; i += 2)
        MUST(cudaFreeAsync(blocks[i], streams[i % 2]));
    void *block;
    MAY_FAIL(cudaMallocAsync(&block, 127 * MIB, streams[1]));
    for (int i = 1; i < 32; i += 2)
        MUST(cudaFreeAsync(blocks[i], streams[i % 2]));
    MUST(cudaStreamDestroy(streams[0]));
    MUST(cudaStreamDestroy(streams[1]));
}

/* Each worker keeps freed pages in its pool. */
static void workers(void)
{
    pid_t pids[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            execl("/proc/self/exe", "holders", "worker", NULL);
            _exit(97);
        }
    }
    for (int i = 0; i < WORKERS; i++)
        waitpid(pids[i], NULL, 0);
}

static void worker(void)
{
    keep(default_pool(), 128 * MIB);
    use_and_free(128 * MIB, default_pool());
    MUST(cudaDeviceReset());
}

/* Graph memory is a pool beside the others. */

static void launch_graph_with_memory(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    void *block;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync(&block, 512 * MIB, stream));
    MUST(cudaFreeAsync(block, stream));
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphLaunch(executable, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(graph));
}

static void graph_pool(void)
{
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    launch_graph_with_memory(stream);
    MUST(cudaMemPoolTrimTo(default_pool(), 0));
    MUST(cudaStreamDestroy(stream));
    ask(GIB);
}

static void graph_pool_that_was_trimmed(void)
{
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    launch_graph_with_memory(stream);
    MUST(cudaDeviceGraphMemTrim(0));
    MUST(cudaStreamDestroy(stream));
    ask(GIB);
}

/* Limits. */

static void raise_stack(size_t bytes)
{
    MUST(cudaDeviceSetLimit(cudaLimitStackSize, bytes));
}

static void stack_limit(void)
{
    raise_stack(8192);
}

static void limits_up_and_down(void)
{
    raise_stack(8192);
    raise_stack(1024);
    MUST(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 * MIB));
}

static void launch_after_a_large_stack(void)
{
    CUmodule module;
    CUfunction function;
    MUST(cudaSetDevice(0));
    MUST(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8 * KIB));
    MUST(cuModuleLoadData(&module, module_text));
    MUST(cuModuleGetFunction(&function, module, "empty"));
    MAY_FAIL(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    MUST(cuModuleUnload(module));
}

static void load_after_a_large_stack(void)
{
    CUmodule module;
    MUST(cudaSetDevice(0));
    MUST(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8 * KIB));
    MAY_FAIL(cuModuleLoadData(&module, module_text));
}

static void stack_that_does_not_fit(void)
{
    MAY_FAIL(cudaDeviceSetLimit(cudaLimitStackSize, 128 * KIB));
}

/* Processes. */

static void fork_with_cuda(void)
{
    void *block;
    MUST(cudaMalloc(&block, MIB));
    MUST(cudaFree(block));
    pid_t pid = fork();
    if (pid == 0) {
        MAY_FAIL(cudaMalloc(&block, MIB));
        exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void managed_until_killed(void)
{
    for (int i = 0; i < 10; i++) {
        void *block;
        MUST(cudaMallocManaged(&block, 80 * MIB, cudaMemAttachGlobal));
    }
    kill(getpid(), SIGKILL);
}

static const struct named_case cases[] = {
    {"context_only", context_only},
    {"context_on_the_wrong_device", context_on_the_wrong_device},
    {"static_of_a_library", static_of_a_library},
    {"static_of_an_unloaded_library", static_of_an_unloaded_library},
    {"static_after_a_reset", static_after_a_reset},
    {"pool_that_keeps_everything", pool_that_keeps_everything},
    {"pool_that_keeps_a_part", pool_that_keeps_a_part},
    {"pool_that_was_trimmed", pool_that_was_trimmed},
    {"pool_of_the_program", pool_of_the_program},
    {"pool_in_pieces", pool_in_pieces},
    {"workers", workers},
    {"worker", worker},
    {"graph_pool", graph_pool},
    {"graph_pool_that_was_trimmed", graph_pool_that_was_trimmed},
    {"stack_limit", stack_limit},
    {"limits_up_and_down", limits_up_and_down},
    {"launch_after_a_large_stack", launch_after_a_large_stack},
    {"load_after_a_large_stack", load_after_a_large_stack},
    {"stack_that_does_not_fit", stack_that_does_not_fit},
    {"fork_with_cuda", fork_with_cuda},
    {"managed_until_killed", managed_until_killed},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
