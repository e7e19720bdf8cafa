/* What calls do while a stream is captured, and what the harmless ones cost. */
#include <time.h>

#include "facts.h"

#define BATCHES 50
#define CALLS 1000

static struct {
    CUstream stream;
    CUarray array;
    CUmemoryPool pool;
    CUdeviceptr block, pool_block;
} subject;

static CUresult is_capturing(void)
{
    CUstreamCaptureStatus status;
    return drv.cuStreamIsCapturing(subject.stream, &status);
}

static CUresult capture_info(void)
{
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph graph;
    return drv.cuStreamGetCaptureInfo(subject.stream, &status, &id, &graph, NULL, NULL, NULL);
}

static CUresult range_size(void)
{
    size_t size;
    return drv.cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, subject.block);
}

static CUresult pool_of_pointer(void)
{
    CUmemoryPool pool;
    return drv.cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, subject.pool_block);
}

static CUresult address_range(void)
{
    CUdeviceptr base;
    size_t size;
    return drv.cuMemGetAddressRange(&base, &size, subject.block);
}

static CUresult array_requirements(void)
{
    CUDA_ARRAY_MEMORY_REQUIREMENTS requirements;
    return drv.cuArrayGetMemoryRequirements(&requirements, subject.array, 0);
}

static CUresult graph_attribute(void)
{
    cuuint64_t value;
    return drv.cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &value);
}

static CUresult limit(void)
{
    size_t value;
    return drv.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE);
}

static CUresult pool_attribute(void)
{
    cuuint64_t value;
    return drv.cuMemPoolGetAttribute(subject.pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value);
}

static CUresult current_pool(void)
{
    CUmemoryPool pool;
    return drv.cuDeviceGetMemPool(&pool, 0);
}

static CUresult default_pool(void)
{
    CUmemoryPool pool;
    return drv.cuDeviceGetDefaultMemPool(&pool, 0);
}

static CUresult location_pool(void)
{
    CUmemoryPool pool;
    CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0};
    return drv.cuMemGetMemPool(&pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED);
}

static CUresult memory_info(void)
{
    size_t free_bytes, total_bytes;
    return drv.cuMemGetInfo(&free_bytes, &total_bytes);
}

static const struct query {
    const char *name;
    CUresult (*ask)(void);
} queries[] = {
    {"cuStreamIsCapturing", is_capturing},
    {"cuStreamGetCaptureInfo_v3", capture_info},
    {"cuPointerGetAttribute(RANGE_SIZE)", range_size},
    {"cuPointerGetAttribute(MEMPOOL_HANDLE)", pool_of_pointer},
    {"cuMemGetAddressRange", address_range},
    {"cuArrayGetMemoryRequirements", array_requirements},
    {"cuDeviceGetGraphMemAttribute", graph_attribute},
    {"cuCtxGetLimit", limit},
    {"cuMemPoolGetAttribute", pool_attribute},
    {"cuDeviceGetMemPool", current_pool},
    {"cuDeviceGetDefaultMemPool", default_pool},
    {"cuMemGetMemPool", location_pool},
    {"cuMemGetInfo", memory_info},
};

#define QUERIES (sizeof queries / sizeof *queries)

static void prepare(void)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 64,
                                     .Height = 64,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 1,
                                     .Flags = CUDA_ARRAY3D_DEFERRED_MAPPING};
    device_open();
    MUST(cuStreamCreate, &subject.stream, CU_STREAM_NON_BLOCKING);
    MUST(cuMemAlloc, &subject.block, MIB);
    SEE("prepare", cuArray3DCreate, &subject.array, &shape);
    SEE("prepare", cuDeviceGetDefaultMemPool, &subject.pool, 0);
    SEE("prepare", cuMemAllocAsync, &subject.pool_block, MIB, subject.stream);
    MUST(cuStreamSynchronize, subject.stream);
}

static CUstreamCaptureStatus capture_state(void)
{
    CUstreamCaptureStatus status = (CUstreamCaptureStatus)-1;
    drv.cuStreamIsCapturing(subject.stream, &status);
    return status;
}

/* A capture of each mode around each query: state 1 is active, 2 invalidated. */
static void ask_queries(int mode)
{
    prepare();
    for (size_t i = 0; i < QUERIES; i++) {
        CUgraph graph = NULL;
        MUST(cuStreamBeginCapture, subject.stream, (CUstreamCaptureMode)mode);
        CUresult code = queries[i].ask();
        CUstreamCaptureStatus state = capture_state();
        CUresult end = drv.cuStreamEndCapture(subject.stream, &graph);
        tell("mode=%d %s=%d state=%d cuStreamEndCapture=%d", mode, queries[i].name, code, state, end);
        if (graph)
            drv.cuGraphDestroy(graph);
    }
}

typedef CUresult (*capture_info_v2)(CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *, const CUgraphNode **,
                                    size_t *);

static void tell_capture_graphs(const char *label)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    cuuint64_t id = 0;
    CUgraph graph = NULL;
    size_t nodes = 0;
    CUresult code = drv.cuStreamGetCaptureInfo(subject.stream, &status, &id, &graph, NULL, NULL, &nodes);
    tell("%s cuStreamGetCaptureInfo_v3=%d status=%d id=%llu graph=%p", label, code, status, (unsigned long long)id,
         (void *)graph);
    capture_info_v2 second = __extension__(capture_info_v2) driver_find("cuStreamGetCaptureInfo_v2");
    if (!second)
        return;
    graph = NULL;
    code = second(subject.stream, &status, &id, &graph, NULL, &nodes);
    tell("%s cuStreamGetCaptureInfo_v2=%d status=%d graph=%p", label, code, status, (void *)graph);
}

static void ask_alloc(int mode)
{
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    CUdeviceptr block = 0, pooled = 0;
    size_t range = 0;
    prepare();
    memory_mark();
    MUST(cuStreamBeginCapture, subject.stream, (CUstreamCaptureMode)mode);
    SEE("capture", cuMemAllocAsync, &block, 64 * MIB, subject.stream);
    SEE("capture", cuMemAllocFromPoolAsync, &pooled, 2 * MIB, subject.pool, subject.stream);
    tell("mode=%d block=%#llx pooled=%#llx state=%d", mode, block, pooled, capture_state());
    CUresult code = drv.cuPointerGetAttribute(&range, CU_POINTER_ATTRIBUTE_RANGE_SIZE, block);
    tell("RANGE_SIZE=%d range=%zu", code, range);
    tell_capture_graphs("capture");
    SEE("capture", cuStreamEndCapture, subject.stream, &graph);
    tell("ended graph=%p", (void *)graph);
    memory_tell("end_capture");
    MUST(cuGraphInstantiate, &exec, graph, 0);
    memory_tell("instantiate");
    SEE("first", cuGraphLaunch, exec, subject.stream);
    drv.cuStreamSynchronize(subject.stream);
    memory_tell("launch");
    SEE("captured_block", cuMemFreeAsync, block, subject.stream);
    SEE("captured_block", cuStreamSynchronize, subject.stream);
    memory_tell("free");
}

/* Calls that are known to end a capture of some modes; the codes tell which. */
static void ask_forbidden(int mode)
{
    CUgraph graph = NULL;
    CUdeviceptr block = 0;
    void *pinned = NULL;
    prepare();
    MUST(cuStreamBeginCapture, subject.stream, (CUstreamCaptureMode)mode);
    SEE("capture", cuMemAlloc, &block, MIB);
    tell("mode=%d state=%d", mode, capture_state());
    drv.cuStreamEndCapture(subject.stream, &graph);
    MUST(cuStreamBeginCapture, subject.stream, (CUstreamCaptureMode)mode);
    SEE("capture", cuMemFree, subject.block);
    tell("mode=%d state=%d", mode, capture_state());
    drv.cuStreamEndCapture(subject.stream, &graph);
    MUST(cuStreamBeginCapture, subject.stream, (CUstreamCaptureMode)mode);
    SEE("capture", cuMemAllocHost, &pinned, MIB);
    tell("mode=%d state=%d", mode, capture_state());
    SEE("capture", cuStreamEndCapture, subject.stream, &graph);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void ask_cost(int unused)
{
    (void)unused;
    prepare();
    for (size_t i = 0; i < QUERIES; i++) {
        double best = 1e18;
        CUresult code = queries[i].ask();
        for (int batch = 0; batch < BATCHES; batch++) {
            double start = now();
            for (int call = 0; call < CALLS; call++)
                queries[i].ask();
            double each = (now() - start) / CALLS;
            best = each < best ? each : best;
        }
        tell("%s code=%d nanoseconds=%.1f", queries[i].name, code, best);
    }
}

const struct part capture_parts[] = {
    {"6.alloc_global", ask_alloc, CU_STREAM_CAPTURE_MODE_GLOBAL},
    {"6.alloc_thread_local", ask_alloc, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL},
    {"6.alloc_relaxed", ask_alloc, CU_STREAM_CAPTURE_MODE_RELAXED},
    {"6.queries_global", ask_queries, CU_STREAM_CAPTURE_MODE_GLOBAL},
    {"6.queries_thread_local", ask_queries, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL},
    {"6.queries_relaxed", ask_queries, CU_STREAM_CAPTURE_MODE_RELAXED},
    {"6.forbidden_global", ask_forbidden, CU_STREAM_CAPTURE_MODE_GLOBAL},
    {"6.forbidden_thread_local", ask_forbidden, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL},
    {"6.forbidden_relaxed", ask_forbidden, CU_STREAM_CAPTURE_MODE_RELAXED},
    {"12.cost", ask_cost, 0},
    {0},
};
