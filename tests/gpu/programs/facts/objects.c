/* Objects of the driver after the end of their primary context, destroyed twice, and with no context current. */
#include <stdint.h>

#include "facts.h"

static union {
    CUstream stream;
    CUevent event;
    CUtexObject texture;
    CUsurfObject surface;
    CUarray array;
    CUmipmappedArray mipmap;
    CUmodule module;
    CUlibrary library;
    CUmemoryPool pool;
    CUgraph graph;
    CUgraphExec exec;
    CUdeviceptr block;
    void *pinned;
    CUexternalMemory external;
} object;

static void stream_make(void)
{
    MUST(cuStreamCreate, &object.stream, 0);
}

static CUresult stream_end(void)
{
    return drv.cuStreamDestroy(object.stream);
}

static void event_make(void)
{
    MUST(cuEventCreate, &object.event, 0);
}

static CUresult event_end(void)
{
    return drv.cuEventDestroy(object.event);
}

static CUarray make_array(void)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 1024,
                                     .Height = 1024,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 4,
                                     .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    CUarray array = NULL;
    MUST(cuArray3DCreate, &array, &shape);
    return array;
}

static void array_make(void)
{
    object.array = make_array();
}

static CUresult array_end(void)
{
    return drv.cuArrayDestroy(object.array);
}

static void mipmap_make(void)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    MUST(cuMipmappedArrayCreate, &object.mipmap, &shape, 11);
}

static CUresult mipmap_end(void)
{
    return drv.cuMipmappedArrayDestroy(object.mipmap);
}

static void texture_make(void)
{
    CUDA_RESOURCE_DESC source = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = make_array()};
    CUDA_TEXTURE_DESC texture = {.filterMode = CU_TR_FILTER_MODE_POINT};
    MUST(cuTexObjectCreate, &object.texture, &source, &texture, NULL);
    tell("texture=%#llx", object.texture);
}

static CUresult texture_end(void)
{
    return drv.cuTexObjectDestroy(object.texture);
}

static void surface_make(void)
{
    CUDA_RESOURCE_DESC source = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = make_array()};
    MUST(cuSurfObjectCreate, &object.surface, &source);
}

static CUresult surface_end(void)
{
    return drv.cuSurfObjectDestroy(object.surface);
}

static void module_make(void)
{
    MUST(cuModuleLoadData, &object.module, EMPTY_KERNEL);
}

static CUresult module_end(void)
{
    return drv.cuModuleUnload(object.module);
}

static void library_make(void)
{
    MUST(cuLibraryLoadData, &object.library, EMPTY_KERNEL, NULL, NULL, 0, NULL, NULL, 0);
}

static CUresult library_end(void)
{
    return drv.cuLibraryUnload(object.library);
}

static void pool_make(void)
{
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    MUST(cuMemPoolCreate, &object.pool, &properties);
}

static CUresult pool_end(void)
{
    return drv.cuMemPoolDestroy(object.pool);
}

static void graph_make(void)
{
    CUgraphNode node;
    MUST(cuGraphCreate, &object.graph, 0);
    MUST(cuGraphAddEmptyNode, &node, object.graph, NULL, 0);
}

static CUresult graph_end(void)
{
    return drv.cuGraphDestroy(object.graph);
}

static void exec_make(void)
{
    graph_make();
    CUgraphExec exec = NULL;
    MUST(cuGraphInstantiate, &exec, object.graph, 0);
    object.exec = exec;
}

static CUresult exec_end(void)
{
    return drv.cuGraphExecDestroy(object.exec);
}

static void block_make(void)
{
    MUST(cuMemAlloc, &object.block, 64 * MIB);
}

static CUresult block_end(void)
{
    return drv.cuMemFree(object.block);
}

static void stream_block_make(void)
{
    MUST(cuMemAllocAsync, &object.block, 64 * MIB, NULL);
    MUST(cuStreamSynchronize, NULL);
}

static CUresult stream_block_end(void)
{
    return drv.cuMemFreeAsync(object.block, NULL);
}

static void pinned_make(void)
{
    MUST(cuMemAllocHost, &object.pinned, 4 * MIB);
}

static CUresult pinned_end(void)
{
    return drv.cuMemFreeHost(object.pinned);
}

static void external_make(void)
{
    CUmemAllocationProp properties = vmm_properties(1);
    CUmemGenericAllocationHandle handle = 0;
    int descriptor = -1;
    MUST(cuMemCreate, &handle, 2 * MIB, &properties, 0);
    MUST(cuMemExportToShareableHandle, &descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC source = {
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle.fd = descriptor, .size = 2 * MIB};
    MUST(cuImportExternalMemory, &object.external, &source);
}

static CUresult external_end(void)
{
    return drv.cuDestroyExternalMemory(object.external);
}

/* Every kind of object: it has <kind>_make and <kind>_end above. */
/* clang-format off */
#define OBJECTS(O)                                                     \
    O(stream) O(event) O(array) O(mipmap) O(texture) O(surface)        \
    O(module) O(library) O(pool) O(graph) O(exec)                      \
    O(block) O(stream_block) O(pinned) O(external)
/* clang-format on */

#define O(kind) OBJECT_##kind,
enum { OBJECTS(O) };
#undef O

static const struct {
    const char *name;
    void (*make)(void);
    CUresult (*end)(void);
} kinds[] = {
#define O(kind) {#kind, kind##_make, kind##_end},
    OBJECTS(O)
#undef O
};

static void make(int kind)
{
    device_open();
    kinds[kind].make();
    tell("made=%s taken=%lld", kinds[kind].name, memory_taken());
}

static void ask_reset(int kind)
{
    make(kind);
    device_reopen(0);
    tell("after_reset taken=%lld", memory_taken());
    see("after_reset", kinds[kind].name, kinds[kind].end());
    tell("destroyed taken=%lld", memory_taken());
}

static void ask_twice(int kind)
{
    make(kind);
    see("first", kinds[kind].name, kinds[kind].end());
    tell("destroyed taken=%lld", memory_taken());
    see("second", kinds[kind].name, kinds[kind].end());
}

static void ask_without_context(int kind)
{
    make(kind);
    MUST(cuCtxSetCurrent, NULL);
    see("no_context", kinds[kind].name, kinds[kind].end());
}

static void ask_texture_garbage(int without_context)
{
    device_open();
    if (without_context)
        MUST(cuCtxSetCurrent, NULL);
    SEE("zero", cuTexObjectDestroy, 0);
    SEE("garbage", cuTexObjectDestroy, 0x12345);
    SEE("large_garbage", cuTexObjectDestroy, 0x123456789abcULL);
    SEE("zero", cuSurfObjectDestroy, 0);
    SEE("garbage", cuSurfObjectDestroy, 0x12345);
}

static unsigned long long used(CUmemoryPool pool)
{
    cuuint64_t value = 0;
    CUresult code = drv.cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value);
    if (code)
        tell("cuMemPoolGetAttribute=%d", code);
    return value;
}

static void ask_pool_blocks(int explicit_pool)
{
    CUdeviceptr block = 0, next = 0;
    CUmemoryPool pool = NULL;
    device_open();
    if (explicit_pool) {
        pool_make();
        pool = object.pool;
    } else {
        MUST(cuDeviceGetDefaultMemPool, &pool, 0);
    }
    MUST(cuMemAllocFromPoolAsync, &block, 64 * MIB, pool, NULL);
    MUST(cuStreamSynchronize, NULL);
    tell("before used=%llu taken=%lld", used(pool), memory_taken());
    device_reopen(0);
    tell("after used=%llu taken=%lld", used(pool), memory_taken());
    if (!explicit_pool) {
        CUmemoryPool now = NULL;
        drv.cuDeviceGetDefaultMemPool(&now, 0);
        tell("same_default_pool=%d", now == pool);
    }
    SEE("after_reset", cuMemAllocFromPoolAsync, &next, 2 * MIB, pool, NULL);
    SEE("after_reset", cuMemFreeAsync, block, NULL);
    SEE("after_reset", cuStreamSynchronize, NULL);
    tell("freed used=%llu taken=%lld", used(pool), memory_taken());
    if (explicit_pool)
        SEE("after_reset", cuMemPoolDestroy, pool);
    tell("end taken=%lld", memory_taken());
}

const struct part object_parts[] = {
#define O(kind) {"8.reset_" #kind, ask_reset, OBJECT_##kind},
    OBJECTS(O)
#undef O
        {"8.reset_pool_blocks", ask_pool_blocks, 1},
    {"8.reset_default_pool_blocks", ask_pool_blocks, 0},
#define O(kind) {"11.twice_" #kind, ask_twice, OBJECT_##kind},
    OBJECTS(O)
#undef O
#define O(kind) {"11.no_context_" #kind, ask_without_context, OBJECT_##kind},
        OBJECTS(O)
#undef O
            {"11.texture_garbage", ask_texture_garbage, 0},
    {"11.texture_garbage_no_context", ask_texture_garbage, 1},
    {0},
};
