/* Compiled with the headers of 11.8 and of 12.9: memory, copies, streams, events, a graph, and the calls whose
 * structures or arguments are not those of 13. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(error));                                               \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static size_t free_bytes(void)
{
    size_t free_now, total;
    CHECK(cudaMemGetInfo(&free_now, &total));
    return free_now;
}

static void tell_properties(void)
{
    struct {
        struct cudaDeviceProp properties;
        char behind[512];
    } room;
    int version, wanted = CUDART_VERSION;
    memset(&room, 0x5a, sizeof room);
    CHECK(cudaRuntimeGetVersion(&version));
    if (version != wanted)
        exit(2);
    CHECK(cudaGetDeviceProperties(&room.properties, 0));
    printf("properties: %s, %d multiprocessors, clock %s\n", room.properties.name, room.properties.multiProcessorCount,
           room.properties.clockRate > 0 ? "known" : "unknown");
    for (size_t i = 0; i < sizeof room.behind; i++) {
        if (room.behind[i] != 0x5a)
            exit(3);
    }
}

static void use_memory(void)
{
    char text[] = "hello", back[6] = "";
    cudaEvent_t start, end;
    cudaStream_t stream;
    float milliseconds = -1;
    void *block, *pooled;
    size_t before = free_bytes();
    CHECK(cudaMalloc(&block, 1 << 21));
    size_t gone = before - free_bytes();
    CHECK(cudaFree(block));
    printf("block: %zu bytes gone, then %s\n", gone, free_bytes() == before ? "back" : "not back");
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&pooled, 64, stream));
    CHECK(cudaMemcpyAsync(pooled, text, 6, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(back, pooled, 6, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(pooled, stream));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(start, stream));
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    printf("bytes: %s\nevent: %s\n", back, milliseconds >= 0 ? "recorded" : "not recorded");
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaMallocManaged(&block, 4096, cudaMemAttachGlobal));
    CHECK(cudaMemAdvise(block, 4096, cudaMemAdviseSetPreferredLocation, 0));
    CHECK(cudaMemPrefetchAsync(block, 4096, cudaCpuDeviceId, 0));
    CHECK(cudaFree(block));
}

static void use_a_graph(void)
{
    enum cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraphNode_t from[1], to[1];
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraph_t graph;
    size_t nodes = 0, edges = 0;
    void *block;
    CHECK(cudaMalloc(&block, 64));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(block, 1, 64, stream));
#if CUDART_VERSION >= 12000
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, NULL, NULL, NULL));
#else
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id));
#endif
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    CHECK(cudaGraphGetEdges(graph, from, to, &edges));
#if CUDART_VERSION >= 12000
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
    char log[16] = "left";
    CHECK(cudaGraphInstantiate(&exec, graph, NULL, log, sizeof log));
#endif
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("graph: %zu node, %s\n", nodes, status == cudaStreamCaptureStatusActive && edges == 0 ? "runs" : "wrong");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(block));
}

/* What is written must end where the structure of this version ends. */
static void use_textures(void)
{
    struct {
        struct cudaTextureDesc texture;
        char behind[64];
    } room;
    struct {
        struct cudaResourceDesc resource;
        char behind[128];
    } shown;
    struct cudaChannelFormatDesc channels = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaTextureObject_t object;
    memset(&room, 0, sizeof room);
    memset(&shown, 0, sizeof shown);
    shown.resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(&shown.resource.res.array.array, &channels, 8, 8, 0));
    cudaArray_t array = shown.resource.res.array.array;
    CHECK(cudaCreateTextureObject(&object, &shown.resource, &room.texture, NULL));
    memset(&room, 0x5a, sizeof room);
    memset(&shown, 0x5a, sizeof shown);
    CHECK(cudaGetTextureObjectTextureDesc(&room.texture, object));
    CHECK(cudaGetTextureObjectResourceDesc(&shown.resource, object));
    int untouched = shown.resource.res.array.array == array;
    for (size_t i = 0; i < sizeof room.behind; i++)
        untouched &= room.behind[i] == 0x5a;
    for (size_t i = 0; i < sizeof shown.behind; i++)
        untouched &= shown.behind[i] == 0x5a;
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFreeArray(array));
    printf("the rest of the structure: %s\n", untouched ? "untouched" : "overwritten");
}

int main(void)
{
    CHECK(cudaFree(0));
    tell_properties();
    use_memory();
    use_a_graph();
    use_textures();
    return 0;
}
