/* Takes one thing of one kind and never gives it back. `leak_each_kind list` prints the kinds, `leak_each_kind KIND`
 * takes one of that kind and says what a report has to tell of it:
 *
 *     EXPECT kind=… api=… bytes=… count=… state=…
 *
 * (bytes - for what is only counted). A kind that the machine cannot do ends with 77 and a reason.
 *
 * Build: gcc -g leak_each_kind.c -lcudart -lcuda */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define MIB ((size_t)1 << 20)
#define GRANULE (2 * MIB)

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code_ = (int)(call);                                                                                       \
        if (code_ != 0) {                                                                                              \
            printf("skipped: %s returned %d\n", #call, code_);                                                         \
            exit(77);                                                                                                  \
        }                                                                                                              \
    } while (0)

static const char tiny_module[] = ".version 7.0\n.target sm_50\n.address_size 64\n"
                                  ".global .align 4 .b8 table[4096];\n"
                                  ".visible .entry empty() { ret; }\n";

static void start(void)
{
    CHECK(cudaFree(0));
}

NOINLINE static void leak_device(void)
{
    void *p;
    CHECK(cudaMalloc(&p, MIB));
}

NOINLINE static void leak_pitched(void)
{
    void *p;
    size_t pitch;
    CHECK(cudaMallocPitch(&p, &pitch, 100, 100));
}

NOINLINE static void leak_pitched_3d(void)
{
    struct cudaPitchedPtr p;
    CHECK(cudaMalloc3D(&p, (struct cudaExtent){100, 10, 10}));
}

NOINLINE static void leak_managed(void)
{
    void *p;
    CHECK(cudaMallocManaged(&p, MIB, cudaMemAttachGlobal));
}

NOINLINE static void leak_pinned(void)
{
    void *p;
    CHECK(cudaMallocHost(&p, MIB));
}

NOINLINE static void leak_host_alloc(void)
{
    void *p;
    CHECK(cudaHostAlloc(&p, MIB, cudaHostAllocMapped));
}

NOINLINE static void leak_registered(void)
{
    void *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(cudaHostRegister(p, MIB, cudaHostRegisterDefault));
}

NOINLINE static void leak_registered_and_unmapped(void)
{
    void *p = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(cudaHostRegister(p, MIB, cudaHostRegisterDefault));
    munmap(p, MIB);
}

NOINLINE static void leak_stream_ordered(void)
{
    void *p;
    CHECK(cudaMallocAsync(&p, MIB, 0));
    CHECK(cudaStreamSynchronize(0));
}

static cudaMemPool_t make_pool(void)
{
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .handleTypes = cudaMemHandleTypePosixFileDescriptor,
                                          .location = {cudaMemLocationTypeDevice, 0}};
    cudaMemPool_t pool;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    return pool;
}

NOINLINE static void leak_from_pool(void)
{
    void *p;
    cudaMemPool_t pool = make_pool();
    CHECK(cudaMallocFromPoolAsync(&p, MIB, pool, 0));
    CHECK(cudaStreamSynchronize(0));
}

NOINLINE static void leak_pool(void)
{
    make_pool();
}

NOINLINE static void leak_array(void)
{
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, 256, 256, 0));
}

NOINLINE static void leak_array_3d(void)
{
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, (struct cudaExtent){64, 64, 64}, 0));
}

NOINLINE static void leak_mipmapped_array(void)
{
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaMipmappedArray_t array;
    CHECK(cudaMallocMipmappedArray(&array, &format, (struct cudaExtent){256, 256, 0}, 9, 0));
}

static CUmemAllocationProp device_memory(void)
{
    return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
}

static CUmemGenericAllocationHandle create(void)
{
    CUmemAllocationProp properties = device_memory();
    CUmemGenericAllocationHandle handle;
    CHECK(cuMemCreate(&handle, GRANULE, &properties, 0));
    return handle;
}

static CUdeviceptr map(CUmemGenericAllocationHandle handle)
{
    CUdeviceptr address;
    CHECK(cuMemAddressReserve(&address, GRANULE, 0, 0, 0));
    CHECK(cuMemMap(address, GRANULE, 0, handle, 0));
    return address;
}

NOINLINE static void leak_physical_handle(void)
{
    CUmemGenericAllocationHandle handle = create();
    CUdeviceptr address = map(handle);
    CHECK(cuMemUnmap(address, GRANULE));
    CHECK(cuMemAddressFree(address, GRANULE));
}

NOINLINE static void leak_physical_mapped(void)
{
    CUmemGenericAllocationHandle handle = create();
    map(handle);
    CHECK(cuMemRelease(handle));
}

NOINLINE static void leak_physical(void)
{
    map(create());
}

NOINLINE static void leak_reservation(void)
{
    CUdeviceptr address;
    CHECK(cuMemAddressReserve(&address, GRANULE, 0, 0, 0));
}

/* Physical memory, taken by its descriptor a second time; the first handle is given back. */
NOINLINE static void leak_external_memory(void)
{
    CUmemGenericAllocationHandle handle = create();
    int descriptor;
    CHECK(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC description = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .size = GRANULE};
    description.handle.fd = descriptor;
    CUexternalMemory memory;
    CHECK(cuImportExternalMemory(&memory, &description));
    CHECK(cuMemRelease(handle));
}

NOINLINE static void leak_physical_import(void)
{
    CUmemGenericAllocationHandle handle = create();
    CUmemGenericAllocationHandle imported;
    int descriptor;
    CHECK(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CHECK(cuMemImportFromShareableHandle(&imported, (void *)(intptr_t)descriptor,
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CHECK(cuMemRelease(handle));
}

/* In the other process: exports memory, tells the handle through `handles`, and waits for the end of `ends`. */
static int export_memory(size_t bytes, int handles, int ends)
{
    void *p;
    char byte;
    cudaIpcMemHandle_t handle;
    if (cudaMalloc(&p, bytes) || cudaIpcGetMemHandle(&handle, p) ||
        write(handles, &handle, sizeof handle) != sizeof handle)
        return 1;
    while (read(ends, &byte, 1) > 0)
        ;
    return cudaFree(p) != 0;
}

/* Starts that process, which nothing traces; it ends after this one. */
static cudaIpcMemHandle_t exported_by_another(size_t bytes)
{
    int handles[2], ends[2];
    char arguments[3][24];
    if (pipe(handles) || pipe(ends))
        exit(77);
    if (fork() == 0) {
        close(ends[1]);
        snprintf(arguments[0], sizeof arguments[0], "%zu", bytes);
        snprintf(arguments[1], sizeof arguments[1], "%d", handles[1]);
        snprintf(arguments[2], sizeof arguments[2], "%d", ends[0]);
        setenv("GPUMEMTRACE_OPTIONS", "off=1", 1);
        execl("/proc/self/exe", "leak_each_kind", "export", arguments[0], arguments[1], arguments[2], NULL);
        _exit(1);
    }
    close(ends[0]);
    close(handles[1]);
    cudaIpcMemHandle_t handle;
    if (read(handles[0], &handle, sizeof handle) != sizeof handle) {
        printf("skipped: the other process could not export memory\n");
        exit(77);
    }
    return handle;
}

NOINLINE static void leak_ipc(void)
{
    void *p;
    cudaIpcMemHandle_t handle = exported_by_another(4 * MIB);
    CHECK(cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess));
}

static cudaGraph_t graph_with_memory(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    struct cudaMemAllocNodeParams parameters = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
        .bytesize = MIB};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &parameters));
    return graph;
}

NOINLINE static void leak_graph_memory(void)
{
    cudaGraph_t graph = graph_with_memory();
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

NOINLINE static void leak_captured_memory(void)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    void *p;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, MIB, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

NOINLINE static void leak_graph(void)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
}

NOINLINE static void leak_graph_exec(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddEmptyNode(&node, graph, NULL, 0));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

NOINLINE static void leak_stream(void)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
}

NOINLINE static void leak_event(void)
{
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
}

static struct cudaResourceDesc resource_of(cudaArray_t *array_out)
{
    struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    CHECK(cudaMallocArray(array_out, &format, 256, 256, cudaArraySurfaceLoadStore));
    resource.res.array.array = *array_out;
    return resource;
}

NOINLINE static void leak_texture(void)
{
    cudaArray_t array;
    struct cudaResourceDesc resource = resource_of(&array);
    struct cudaTextureDesc description = {.readMode = cudaReadModeElementType};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    CHECK(cudaFreeArray(array));
}

NOINLINE static void leak_surface(void)
{
    cudaArray_t array;
    struct cudaResourceDesc resource = resource_of(&array);
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    CHECK(cudaFreeArray(array));
}

NOINLINE static void leak_module(void)
{
    CUmodule module;
    CHECK(cuModuleLoadData(&module, tiny_module));
}

NOINLINE static void leak_library(void)
{
    CUlibrary library;
    CHECK(cuLibraryLoadData(&library, tiny_module, NULL, NULL, 0, NULL, NULL, 0));
}

NOINLINE static void leak_context(void)
{
    CUcontext context;
    CHECK(cuCtxCreate(&context, NULL, 0, 0));
}

NOINLINE static void leak_by_reset(void)
{
    void *p;
    CHECK(cudaMalloc(&p, MIB));
    CHECK(cudaDeviceReset());
}

/* In the order of the report's kinds. `start` 0: the kind starts CUDA itself, because it forks before. */
static const struct {
    const char *name;
    void (*leak)(void);
    int start;
    const char *expected;
} kinds[] = {
    {"device", leak_device, 1, "kind=device api=cudaMalloc bytes=1048576 count=1 state=live"},
    {"pitched", leak_pitched, 1, "kind=pitched api=cudaMallocPitch bytes=51200 count=1 state=live"},
    {"pitched_3d", leak_pitched_3d, 1, "kind=pitched api=cudaMalloc3D bytes=51200 count=1 state=live"},
    {"managed", leak_managed, 1, "kind=managed api=cudaMallocManaged bytes=1048576 count=1 state=live"},
    {"pinned", leak_pinned, 1, "kind=pinned api=cudaMallocHost bytes=1048576 count=1 state=live"},
    {"host_alloc", leak_host_alloc, 1, "kind=pinned api=cudaHostAlloc bytes=1048576 count=1 state=live"},
    {"registered", leak_registered, 1, "kind=registered api=cudaHostRegister bytes=1048576 count=1 state=live"},
    {"registered_and_unmapped", leak_registered_and_unmapped, 1,
     "kind=registered api=cudaHostRegister bytes=1048576 count=1 state=unmapped"},
    {"stream_ordered", leak_stream_ordered, 1,
     "kind=stream_ordered api=cudaMallocAsync bytes=1048576 count=1 state=live"},
    {"from_pool", leak_from_pool, 1,
     "kind=stream_ordered api=cudaMallocFromPoolAsync bytes=1048576 count=1 state=live"},
    {"array", leak_array, 1, "kind=array api=cudaMallocArray bytes=262144 count=1 state=live"},
    {"array_3d", leak_array_3d, 1, "kind=array api=cudaMalloc3DArray bytes=1048576 count=1 state=live"},
    {"mipmapped_array", leak_mipmapped_array, 1,
     "kind=mipmapped_array api=cudaMallocMipmappedArray bytes=349524 count=1 state=live"},
    {"graph_memory", leak_graph_memory, 1,
     "kind=graph_memory api=cudaGraphAddMemAllocNode bytes=1048576 count=1 state=live"},
    {"captured_memory", leak_captured_memory, 1,
     "kind=graph_memory api=cudaMallocAsync bytes=1048576 count=1 state=live"},
    {"physical_handle", leak_physical_handle, 1,
     "kind=physical api=cuMemCreate bytes=2097152 count=1 state=handle_only"},
    {"physical_mapped", leak_physical_mapped, 1,
     "kind=physical api=cuMemCreate bytes=2097152 count=1 state=mapped_only"},
    {"physical", leak_physical, 1, "kind=physical api=cuMemCreate bytes=2097152 count=1 state=handle_and_mapping"},
    {"physical_import", leak_physical_import, 1,
     "kind=physical_import api=cuMemImportFromShareableHandle bytes=0 count=1 state=handle_only"},
    {"external_memory", leak_external_memory, 1,
     "kind=external_memory api=cuImportExternalMemory bytes=2097152 count=1 state=live"},
    {"ipc", leak_ipc, 0, "kind=ipc api=cudaIpcOpenMemHandle bytes=4194304 count=1 state=live"},
    {"reset", leak_by_reset, 1, "kind=device api=cudaMalloc bytes=1048576 count=1 state=ended_by_reset"},
    {"reservation", leak_reservation, 1, "kind=reservation api=cuMemAddressReserve bytes=- count=1 state=-"},
    {"pool", leak_pool, 1, "kind=pool api=cudaMemPoolCreate bytes=- count=1 state=-"},
    {"module", leak_module, 1, "kind=module api=cuModuleLoadData bytes=- count=1 state=-"},
    {"library", leak_library, 1, "kind=library api=cuLibraryLoadData bytes=- count=1 state=-"},
    {"stream", leak_stream, 1, "kind=stream api=cudaStreamCreate bytes=- count=1 state=-"},
    {"event", leak_event, 1, "kind=event api=cudaEventCreate bytes=- count=1 state=-"},
    {"texture", leak_texture, 1, "kind=texture api=cudaCreateTextureObject bytes=- count=1 state=-"},
    {"surface", leak_surface, 1, "kind=surface api=cudaCreateSurfaceObject bytes=- count=1 state=-"},
    {"graph", leak_graph, 1, "kind=graph api=cudaGraphCreate bytes=- count=1 state=-"},
    {"graph_exec", leak_graph_exec, 1, "kind=graph_exec api=cudaGraphInstantiate bytes=- count=1 state=-"},
    {"context", leak_context, 1, "kind=context api=cuCtxCreate bytes=- count=1 state=-"},
};

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "list";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 5 && strcmp(wanted, "export") == 0)
        return export_memory(strtoull(argv[2], NULL, 10), atoi(argv[3]), atoi(argv[4]));
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(wanted, "list") == 0)
            printf("%s\n", kinds[i].name);
        if (strcmp(wanted, kinds[i].name) != 0)
            continue;
        if (kinds[i].start)
            start();
        kinds[i].leak();
        printf("EXPECT %s\n", kinds[i].expected);
        return 0;
    }
    return strcmp(wanted, "list") != 0;
}
