/* Device memory that arrays, objects and modules take. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "facts.h"

#define MOST_TEXTURES 2000000
#define MOST_SECONDS 12

static const struct shape {
    const char *name;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    int count;
} shapes[] = {
    {"2d_1024x1024_float", {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, 1},
    {"2d_1024x1024_float_deferred",
     {.Width = 1024,
      .Height = 1024,
      .Format = CU_AD_FORMAT_FLOAT,
      .NumChannels = 1,
      .Flags = CUDA_ARRAY3D_DEFERRED_MAPPING},
     1},
    {"1d_100_float", {.Width = 100, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, 1},
    {"1d_100_float_x1000", {.Width = 100, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, 1000},
    {"2d_64x64_rgba8_x1000", {.Width = 64, .Height = 64, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4}, 1000},
    {"2d_1000x1000_rgba8", {.Width = 1000, .Height = 1000, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4}, 1},
    {"3d_64_float", {.Width = 64, .Height = 64, .Depth = 64, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, 1},
    {"3d_64_float_x100", {.Width = 64, .Height = 64, .Depth = 64, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1}, 100},
    {"layered_1024x1024x4_float",
     {.Width = 1024,
      .Height = 1024,
      .Depth = 4,
      .Format = CU_AD_FORMAT_FLOAT,
      .NumChannels = 1,
      .Flags = CUDA_ARRAY3D_LAYERED},
     1},
    {"cubemap_1024_float",
     {.Width = 1024,
      .Height = 1024,
      .Depth = 6,
      .Format = CU_AD_FORMAT_FLOAT,
      .NumChannels = 1,
      .Flags = CUDA_ARRAY3D_CUBEMAP},
     1},
    {"sparse_1024x1024_float",
     {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1, .Flags = CUDA_ARRAY3D_SPARSE},
     1},
    {"bc1_1024x1024", {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_BC1_UNORM, .NumChannels = 4}, 1},
    {"nv12_1024x1024", {.Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_NV12, .NumChannels = 3}, 1},
};

static void ask_array(int which)
{
    const struct shape *shape = &shapes[which];
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs = {0};
    CUarray first = NULL, array = NULL;
    device_open();
    MUST(cuArray3DCreate, &first, &shape->descriptor);
    for (int i = 1; i < shape->count; i++)
        MUST(cuArray3DCreate, &array, &shape->descriptor);
    long long taken = memory_taken();
    tell("%s count=%d taken=%lld each=%lld", shape->name, shape->count, taken, taken / shape->count);
    CUresult code = drv.cuArrayGetMemoryRequirements(&needs, first, 0);
    tell("%s cuArrayGetMemoryRequirements=%d size=%zu alignment=%zu", shape->name, code, needs.size, needs.alignment);
    memory_mark();
    SEE(shape->name, cuArrayDestroy, first);
    memory_tell("destroy_one");
}

static void ask_mipmap(int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 1024, .Height = 1024, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1, .Flags = (unsigned)flags};
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs = {0};
    CUmipmappedArray array = NULL;
    device_open();
    MUST(cuMipmappedArrayCreate, &array, &shape, 11);
    memory_tell("mipmapped_11_levels");
    CUresult code = drv.cuMipmappedArrayGetMemoryRequirements(&needs, array, 0);
    tell("cuMipmappedArrayGetMemoryRequirements=%d size=%zu alignment=%zu", code, needs.size, needs.alignment);
    SEE("end", cuMipmappedArrayDestroy, array);
    memory_tell("destroy");
}

static CUresult make_event(void)
{
    CUevent event;
    return drv.cuEventCreate(&event, 0);
}

static CUresult make_stream(void)
{
    CUstream stream;
    return drv.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
}

static CUresult make_module(void)
{
    CUmodule module;
    return drv.cuModuleLoadData(&module, EMPTY_KERNEL);
}

static CUresult make_graph(void)
{
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUresult code = drv.cuGraphCreate(&graph, 0);
    if (!code)
        code = drv.cuGraphAddEmptyNode(&node, graph, NULL, 0);
    return code ? code : drv.cuGraphInstantiate(&exec, graph, 0);
}

static CUresult make_pool(void)
{
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemoryPool pool;
    return drv.cuMemPoolCreate(&pool, &properties);
}

static const struct {
    const char *name;
    CUresult (*make)(void);
    int count;
} objects[] = {
    {"event", make_event, 10000},         {"stream", make_stream, 1000}, {"module", make_module, 100},
    {"graph_and_exec", make_graph, 1000}, {"pool", make_pool, 1},        {"pool_x100", make_pool, 100},
};

static void ask_objects(int which)
{
    device_open();
    for (int i = 0; i < objects[which].count; i++) {
        CUresult code = objects[which].make();
        if (i == 0)
            tell("first_%s taken=%lld", objects[which].name, memory_taken());
        if (code) {
            tell("%s code=%d after=%d", objects[which].name, code, i);
            break;
        }
    }
    long long taken = memory_taken();
    tell("%s count=%d taken=%lld each=%.1f", objects[which].name, objects[which].count, taken,
         (double)taken / objects[which].count);
}

static void ask_textures(int unused)
{
    (void)unused;
    CUdeviceptr block = 0;
    CUtexObject texture = 0;
    CUDA_TEXTURE_DESC sampling = {.filterMode = CU_TR_FILTER_MODE_POINT};
    device_open();
    MUST(cuMemAlloc, &block, 2 * MIB);
    memory_mark();
    CUDA_RESOURCE_DESC source = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {.devPtr = block, .format = CU_AD_FORMAT_FLOAT, .numChannels = 1, .sizeInBytes = MIB}};
    time_t end = time(NULL) + MOST_SECONDS;
    for (int count = 1; count <= MOST_TEXTURES && time(NULL) < end; count++) {
        CUresult code = drv.cuTexObjectCreate(&texture, &source, &sampling, NULL);
        if (code) {
            tell("cuTexObjectCreate=%d after=%d taken=%lld", code, count - 1, memory_taken());
            return;
        }
        if (count == 1 || count == 1000 || count == 100000 || count % 500000 == 0)
            tell("textures count=%d taken=%lld last=%#llx", count, memory_taken(), texture);
    }
    tell("textures never failed last=%#llx taken=%lld", texture, memory_taken());
}

enum { SMALL_GLOBAL, LARGE_GLOBAL, MANAGED_GLOBAL, LARGE_IN_LIBRARY };

static void ask_global(int what)
{
    char text[512];
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_75\n.address_size 64\n.visible .global %s.align 8 .b8 big[%zu];\n%s",
             what == MANAGED_GLOBAL ? ".attribute(.managed) " : "", what == SMALL_GLOBAL ? KIB : 64 * MIB,
             ".visible .entry empty()\n{\n ret;\n}\n");
    CUmodule module = NULL;
    CUdeviceptr address = 0;
    size_t size = 0;
    device_open();
    if (what == LARGE_IN_LIBRARY) {
        CUlibrary library = NULL;
        MUST(cuLibraryLoadData, &library, text, NULL, NULL, 0, NULL, NULL, 0);
        memory_tell("load");
        SEE("end", cuLibraryUnload, library);
        memory_tell("unload");
        return;
    }
    MUST(cuModuleLoadData, &module, text);
    memory_tell("load");
    SEE("global", cuModuleGetGlobal, &address, &size, module, "big");
    tell("address=%#llx size=%zu", address, size);
    memory_tell("get_global");
    SEE("global", cuMemFree, address);
    SEE("end", cuModuleUnload, module);
    memory_tell("unload");
}

const struct part size_parts[] = {
    {"13.array_2d", ask_array, 0},
    {"13.array_2d_deferred", ask_array, 1},
    {"13.array_1d", ask_array, 2},
    {"13.array_1d_many", ask_array, 3},
    {"13.array_2d_many", ask_array, 4},
    {"13.array_2d_rgba8", ask_array, 5},
    {"13.array_3d", ask_array, 6},
    {"13.array_3d_many", ask_array, 7},
    {"13.array_layered", ask_array, 8},
    {"13.array_cubemap", ask_array, 9},
    {"13.array_sparse", ask_array, 10},
    {"13.array_bc1", ask_array, 11},
    {"13.array_nv12", ask_array, 12},
    {"13.mipmap", ask_mipmap, 0},
    {"13.mipmap_deferred", ask_mipmap, CUDA_ARRAY3D_DEFERRED_MAPPING},
    {"13.mipmap_sparse", ask_mipmap, CUDA_ARRAY3D_SPARSE},
    {"13.events", ask_objects, 0},
    {"13.streams", ask_objects, 1},
    {"13.modules", ask_objects, 2},
    {"13.graphs", ask_objects, 3},
    {"13.pool", ask_objects, 4},
    {"13.pools", ask_objects, 5},
    {"13.textures", ask_textures, 0},
    {"13.global_small", ask_global, SMALL_GLOBAL},
    {"13.global_large", ask_global, LARGE_GLOBAL},
    {"13.global_managed", ask_global, MANAGED_GLOBAL},
    {"13.global_in_library", ask_global, LARGE_IN_LIBRARY},
    {0},
};
