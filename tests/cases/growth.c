/* Something is created per iteration and never given back. */
#include <semaphore.h>

#include "case.h"
#include "plugin.h"

#define ROUNDS 12
#define TEXTURES 12000
#define EVENTS 20000
#define MODULES 36
#define JOBS 312

static const char module_text[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                                  ".global .align 4 .b8 table[4096];\n"
                                  ".visible .entry empty() { ret; }\n";

/* Captures one fill into a graph; 0 where the executable graph could not be made. */
static cudaGraphExec_t capture(cudaStream_t stream, void *block)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable = NULL;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(block, 0, 64, stream));
    MUST(cudaStreamEndCapture(stream, &graph));
    MAY_FAIL(cudaGraphInstantiate(&executable, graph, 0));
    MUST(cudaGraphDestroy(graph));
    return executable;
}

/* A map of executable graphs that only grows, but for the first `dropped`. */
static void serve(int requests, int dropped)
{
    cudaStream_t stream;
    void *block;
    MUST(cudaMalloc(&block, 64));
    MUST(cudaStreamCreate(&stream));
    for (int i = 0; i < requests; i++) {
        cudaGraphExec_t executable = capture(stream, block);
        if (!executable)
            break;
        MUST(cudaGraphLaunch(executable, stream));
        MUST(cudaStreamSynchronize(stream));
        if (i < dropped)
            MUST(cudaGraphExecDestroy(executable));
    }
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(block));
}

static void executable_graphs(void)
{
    serve(ROUNDS, 0);
}

static void some_executable_graphs(void)
{
    serve(ROUNDS, 5);
}

static void executable_graphs_until_full(void)
{
    serve(1000, 0);
}

/* Of two blocks of each round, one is given back. */
static void execution_context(void)
{
    for (int i = 0; i < 10; i++) {
        void *workspace, *state;
        MUST(cudaMalloc(&workspace, 4 * MIB));
        MUST(cudaMalloc(&state, 64 * KIB));
        MUST(cudaFree(workspace));
    }
}

static int view_as_texture(void *block)
{
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    struct cudaTextureDesc description = {.readMode = cudaReadModeElementType};
    cudaTextureObject_t texture;
    resource.res.linear.devPtr = block;
    resource.res.linear.desc = (struct cudaChannelFormatDesc){32, 0, 0, 0, cudaChannelFormatKindFloat};
    resource.res.linear.sizeInBytes = MIB;
    return cudaCreateTextureObject(&texture, &resource, &description, NULL);
}

static void texture_objects(void)
{
    for (int i = 0; i <= TEXTURES; i++) {
        void *block;
        MUST(cudaMalloc(&block, MIB));
        MAY_FAIL(view_as_texture(block));
        MUST(cudaFree(block));
    }
}

static void surface_objects(void)
{
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    MUST(cudaMallocArray(&resource.res.array.array, &format, 256, 256, cudaArraySurfaceLoadStore));
    for (int i = 0; i <= TEXTURES; i++) {
        cudaSurfaceObject_t surface;
        MAY_FAIL(cudaCreateSurfaceObject(&surface, &resource));
    }
    MUST(cudaFreeArray(resource.res.array.array));
}

static void time_launch(void)
{
    cudaEvent_t event;
    if (cudaEventCreate(&event) == cudaSuccess)
        MUST(cudaEventRecord(event, 0));
}

static void events(void)
{
    for (int i = 0; i <= EVENTS; i++)
        time_launch();
}

static void balanced_events(void)
{
    for (int i = 0; i < 1000; i++) {
        cudaEvent_t event;
        MUST(cudaEventCreate(&event));
        MUST(cudaEventDestroy(event));
    }
}

static void streams(void)
{
    for (int i = 0; i <= EVENTS; i++) {
        cudaStream_t stream;
        MAY_FAIL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
}

/* Loads the code of a unit of work and starts it. */
static int run_unit(void)
{
    CUmodule module;
    CUfunction function;
    MUST(cuModuleLoadData(&module, module_text));
    MUST(cuModuleGetFunction(&function, module, "empty"));
    return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL);
}

static void modules(void)
{
    MUST(cudaFree(0));
    for (int i = 0; i < MODULES; i++)
        MAY_FAIL(run_unit());
}

static void libraries(void)
{
    MUST(cudaFree(0));
    for (int i = 0; i < MODULES; i++) {
        CUlibrary library;
        MUST(cuLibraryLoadData(&library, module_text, NULL, NULL, 0, NULL, NULL, 0));
        if (i < 6)
            MUST(cuLibraryUnload(library));
    }
}

/* A session of a closed library is opened to ask one question. */
static void ask_for_capabilities(const struct plugin *plugin)
{
    plugin->open_session();
}

static void sessions(void)
{
    struct plugin plugin = plugin_load();
    for (int i = 0; i < 5; i++)
        ask_for_capabilities(&plugin);
}

static void sessions_of_an_unloaded_library(void)
{
    struct plugin plugin = plugin_load();
    ask_for_capabilities(&plugin);
    plugin_unload(&plugin);
}

/* Nothing was there before; the runtime makes a context to ask about the object. */
static void texture_garbage(void)
{
    MAY_FAIL(cudaDestroyTextureObject(0x1234567));
    MAY_FAIL(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
}

static sem_t all_done;

static void *take_workspace(void *stays)
{
    void *block;
    cudaStream_t stream;
    MUST(cudaMalloc(&block, 8 * MIB));
    MUST(cudaStreamCreate(&stream));
    if (stays) {
        sem_post(&all_done);
        for (;;)
            pause();
    }
    return NULL;
}

static void thread_per_job(void)
{
    pthread_t worker;
    for (int i = 0; i < JOBS; i++)
        in_thread(take_workspace, NULL);
    sem_init(&all_done, 0, 0);
    MUST(pthread_create(&worker, NULL, take_workspace, &all_done));
    sem_wait(&all_done);
}

static const struct named_case cases[] = {
    {"executable_graphs", executable_graphs},
    {"some_executable_graphs", some_executable_graphs},
    {"executable_graphs_until_full", executable_graphs_until_full},
    {"execution_context", execution_context},
    {"texture_objects", texture_objects},
    {"surface_objects", surface_objects},
    {"events", events},
    {"balanced_events", balanced_events},
    {"streams", streams},
    {"modules", modules},
    {"libraries", libraries},
    {"sessions", sessions},
    {"sessions_of_an_unloaded_library", sessions_of_an_unloaded_library},
    {"texture_garbage", texture_garbage},
    {"thread_per_job", thread_per_job},
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
