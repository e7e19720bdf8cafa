/* See walk_rows.h. A new row of entry_points.def that is not only watched needs one here: walk_test fails without. */
#include "walk_rows.h"

#include <stddef.h>
#include <string.h>

#define KIND(name) GMT_KIND_##name
#define LIBRARY_ARGUMENTS "o0000000"

const struct walk_row walk_rows[] = {
    {"cuInit", WALK_INIT, "0", 0, 0, 0, NULL},
    {"cuGetProcAddress", WALK_LOOK_UP, "yfv0", 0, 0, 0, NULL},
    {"cuGetProcAddress_v2", WALK_LOOK_UP, "yfv0t", 0, 0, 0, NULL},

    {"cuMemAlloc", WALK_ALLOCATE, "on", KIND(DEVICE), 4096, 4096, NULL},
    {"cuMemAlloc_v2", WALK_ALLOCATE, "on", KIND(DEVICE), 4096, 4096, NULL},
    {"cuMemAllocPitch", WALK_ALLOCATE, "opwh0", KIND(PITCHED), 3584, 700, NULL},
    {"cuMemAllocPitch_v2", WALK_ALLOCATE, "opwh0", KIND(PITCHED), 3584, 700, NULL},
    {"cuMemAllocManaged", WALK_ALLOCATE, "on0", KIND(MANAGED), 4096, 4096, NULL},
    {"cuMemAllocHost", WALK_ALLOCATE, "on", KIND(PINNED), 4096, 4096, NULL},
    {"cuMemAllocHost_v2", WALK_ALLOCATE, "on", KIND(PINNED), 4096, 4096, NULL},
    {"cuMemHostAlloc", WALK_ALLOCATE, "on0", KIND(PINNED), 4096, 4096, NULL},
    {"cuMemAllocAsync", WALK_ALLOCATE, "ons", KIND(STREAM_ORDERED), 4096, 4096, NULL},
    {"cuMemAllocAsync_ptsz", WALK_ALLOCATE, "ons", KIND(STREAM_ORDERED), 4096, 4096, NULL},
    {"cuMemAllocFromPoolAsync", WALK_ALLOCATE, "onms", KIND(STREAM_ORDERED), 4096, 4096, NULL},
    {"cuMemAllocFromPoolAsync_ptsz", WALK_ALLOCATE, "onms", KIND(STREAM_ORDERED), 4096, 4096, NULL},
    {"cuMemFree", WALK_FREE, "a", 0, 0, 0, "cuMemAlloc_v2"},
    {"cuMemFree_v2", WALK_FREE, "a", 0, 0, 0, "cuMemAlloc_v2"},
    {"cuMemFreeHost", WALK_FREE, "a", 0, 0, 0, "cuMemHostAlloc"},
    {"cuMemFreeAsync", WALK_FREE, "as", 0, 0, 0, "cuMemAllocAsync"},
    {"cuMemFreeAsync_ptsz", WALK_FREE, "as", 0, 0, 0, "cuMemAllocAsync"},

    {"cuMemHostRegister", WALK_ALLOCATE, "an0", KIND(REGISTERED), 4096, 4096, NULL},
    {"cuMemHostRegister_v2", WALK_ALLOCATE, "an0", KIND(REGISTERED), 4096, 4096, NULL},
    {"cuMemHostUnregister", WALK_FREE, "a", 0, 0, 0, "cuMemHostRegister_v2"},

    {"cuArrayCreate", WALK_ALLOCATE, "oA", KIND(ARRAY), 2400, 2400, NULL},
    {"cuArrayCreate_v2", WALK_ALLOCATE, "oB", KIND(ARRAY), 2400, 2400, NULL},
    {"cuArray3DCreate", WALK_ALLOCATE, "oC", KIND(ARRAY), 4096, 4096, NULL},
    {"cuArray3DCreate_v2", WALK_ALLOCATE, "oD", KIND(ARRAY), 4096, 4096, NULL},
    {"cuArrayDestroy", WALK_FREE, "a", 0, 0, 0, "cuArrayCreate_v2"},
    {"cuMipmappedArrayCreate", WALK_ALLOCATE, "oD3", KIND(MIPMAP), 4672, 4672, NULL},
    {"cuMipmappedArrayDestroy", WALK_FREE, "a", 0, 0, 0, "cuMipmappedArrayCreate"},

    {"cuMemPoolCreate", WALK_POOL, "oP", KIND(POOL), 0, 0, NULL},
    {"cuMemPoolImportFromShareableHandle", WALK_POOL, "o000", KIND(POOL), 0, 0, NULL},
    {"cuMemPoolDestroy", WALK_FREE, "a", 0, 0, 0, "cuMemPoolCreate"},
    {"cuMemPoolSetAttribute", WALK_THRESHOLD, "aeT", 0, 0, 0, "cuMemPoolCreate"},
    {"cuMemPoolTrimTo", WALK_TRIM, "an", 0, 0, 0, "cuMemPoolCreate"},
    {"cuDeviceGraphMemTrim", WALK_TRIM, "0", 0, 0, 0, NULL},
    {"cuDeviceGetDefaultMemPool", WALK_POOL_OF, "o0", 0, 0, 0, NULL},
    {"cuDeviceGetMemPool", WALK_POOL_OF, "o0", 0, 0, 0, NULL},
    {"cuMemPoolExportToShareableHandle", WALK_EXPORT, "0a00", 0, 0, 0, "cuMemPoolCreate"},
    {"cuMemPoolExportPointer", WALK_EXPORT, "0a", 0, 0, 0, "cuMemAllocAsync"},
    {"cuMemPoolImportPointer", WALK_ALLOCATE, "om0", KIND(POOL_IMPORT), 8192, 0, NULL},

    {"cuMemCreate", WALK_ALLOCATE, "onH0", KIND(PHYSICAL), 4096, 4096, NULL},
    {"cuMemImportFromShareableHandle", WALK_REFERENCE, "o00", KIND(PHYSICAL_IMPORT), 0, 0, NULL},
    {"cuMemRetainAllocationHandle", WALK_RETAIN, "or", 0, 0, 0, "cuMemMap"},
    {"cuMemExportToShareableHandle", WALK_EXPORT, "0a00", 0, 0, 0, "cuMemCreate"},
    {"cuMemRelease", WALK_FREE, "a", 0, 0, 0, "cuMemCreate"},
    {"cuMemAddressReserve", WALK_ALLOCATE, "on000", KIND(RESERVATION), 4096, 4096, NULL},
    {"cuMemAddressFree", WALK_FREE, "an", 0, 0, 0, "cuMemAddressReserve"},
    {"cuMemMap", WALK_MAP, "rn0a0", KIND(MAPPING), 4096, 4096, "cuMemCreate"},
    {"cuMemUnmap", WALK_UNMAP, "rn", 0, 0, 0, "cuMemMap"},
    {"cuMemSetAccess", WALK_ACCESS, "rn00", 0, 0, 0, "cuMemMap"},
    {"cuMulticastCreate", WALK_ALLOCATE, "o0", KIND(MULTICAST), 0, 0, NULL},

    {"cuIpcGetMemHandle", WALK_EXPORT, "0a", 0, 0, 0, "cuMemAlloc_v2"},
    {"cuIpcOpenMemHandle", WALK_REFERENCE, "o0", KIND(IPC), 8192, 0, NULL},
    {"cuIpcOpenMemHandle_v2", WALK_REFERENCE, "o0", KIND(IPC), 8192, 0, NULL},
    {"cuIpcCloseMemHandle", WALK_FREE, "a", 0, 0, 0, "cuIpcOpenMemHandle_v2"},
    {"cuImportExternalMemory", WALK_ALLOCATE, "oF", KIND(EXTERNAL_MEMORY), 65536, 65536, NULL},
    {"cuDestroyExternalMemory", WALK_FREE, "a", 0, 0, 0, "cuImportExternalMemory"},
    {"cuExternalMemoryGetMappedBuffer", WALK_ALLOCATE, "o0E", KIND(MAPPED_BUFFER), 12288, 12288, NULL},
    {"cuExternalMemoryGetMappedMipmappedArray", WALK_ALLOCATE, "o00", KIND(MIPMAP), 0, 0, NULL},
    {"cuImportExternalSemaphore", WALK_ALLOCATE, "o0", KIND(EXTERNAL_SEMAPHORE), 0, 0, NULL},
    {"cuDestroyExternalSemaphore", WALK_FREE, "a", 0, 0, 0, "cuImportExternalSemaphore"},

    {"cuModuleLoad", WALK_ALLOCATE, "o0", KIND(MODULE), 0, 0, NULL},
    {"cuModuleLoadData", WALK_ALLOCATE, "o0", KIND(MODULE), 0, 0, NULL},
    {"cuModuleLoadDataEx", WALK_ALLOCATE, "o0000", KIND(MODULE), 0, 0, NULL},
    {"cuModuleLoadFatBinary", WALK_ALLOCATE, "o0", KIND(MODULE), 0, 0, NULL},
    {"cuModuleUnload", WALK_FREE, "a", 0, 0, 0, "cuModuleLoadData"},
    {"cuModuleGetGlobal", WALK_VARIABLE, "ou00", KIND(VARIABLE), 48, 0, NULL},
    {"cuModuleGetGlobal_v2", WALK_VARIABLE, "ou00", KIND(VARIABLE), 48, 0, NULL},
    {"cuLibraryLoadData", WALK_ALLOCATE, LIBRARY_ARGUMENTS, KIND(LIBRARY), 0, 0, NULL},
    {"cuLibraryLoadFromFile", WALK_ALLOCATE, LIBRARY_ARGUMENTS, KIND(LIBRARY), 0, 0, NULL},
    {"cuLibraryUnload", WALK_FREE, "a", 0, 0, 0, "cuLibraryLoadData"},
    {"cuLibraryGetGlobal", WALK_VARIABLE, "ou00", KIND(VARIABLE), 48, 0, NULL},
    {"cuLibraryGetManaged", WALK_VARIABLE, "ou00", KIND(MANAGED_VARIABLE), 48, 0, NULL},

    {"cuStreamCreate", WALK_ALLOCATE, "o0", KIND(STREAM), 0, 0, NULL},
    {"cuStreamCreateWithPriority", WALK_ALLOCATE, "o00", KIND(STREAM), 0, 0, NULL},
    {"cuGreenCtxStreamCreate", WALK_ALLOCATE, "o000", KIND(STREAM), 0, 0, NULL},
    {"cuStreamDestroy", WALK_FREE, "a", 0, 0, 0, "cuStreamCreate"},
    {"cuStreamDestroy_v2", WALK_FREE, "a", 0, 0, 0, "cuStreamCreate"},
    {"cuEventCreate", WALK_ALLOCATE, "o0", KIND(EVENT), 0, 0, NULL},
    {"cuIpcOpenEventHandle", WALK_ALLOCATE, "o", KIND(EVENT), 0, 0, NULL},
    {"cuEventDestroy", WALK_FREE, "a", 0, 0, 0, "cuEventCreate"},
    {"cuEventDestroy_v2", WALK_FREE, "a", 0, 0, 0, "cuEventCreate"},
    {"cuGreenCtxCreate", WALK_ALLOCATE, "o000", KIND(GREEN_CONTEXT), 0, 0, NULL},
    {"cuGreenCtxDestroy", WALK_FREE, "a", 0, 0, 0, "cuGreenCtxCreate"},
    {"cuTexObjectCreate", WALK_ALLOCATE, "o000", KIND(TEXTURE), 0, 0, NULL},
    {"cuTexObjectDestroy", WALK_FREE, "a", 0, 0, 0, "cuTexObjectCreate"},
    {"cuSurfObjectCreate", WALK_ALLOCATE, "o0", KIND(SURFACE), 0, 0, NULL},
    {"cuSurfObjectDestroy", WALK_FREE, "a", 0, 0, 0, "cuSurfObjectCreate"},
    {"cuTexRefCreate", WALK_ALLOCATE, "o", KIND(TEXTURE_REFERENCE), 0, 0, NULL},
    {"cuTexRefDestroy", WALK_FREE, "a", 0, 0, 0, "cuTexRefCreate"},

    /* What nodes and launches do to memory is not seen before a launch of a graph that has them: call_graphs_test.c. */
    {"cuGraphCreate", WALK_ALLOCATE, "o0", KIND(GRAPH), 0, 0, NULL},
    {"cuGraphClone", WALK_ALLOCATE, "og", KIND(GRAPH), 0, 0, NULL},
    {"cuGraphDestroy", WALK_FREE, "a", 0, 0, 0, "cuGraphCreate"},
    {"cuGraphAddMemAllocNode", WALK_WATCH, "0g00N", 0, 0, 0, NULL},
    {"cuGraphAddMemFreeNode", WALK_WATCH, "0g00a", 0, 0, 0, NULL},
    {"cuGraphAddChildGraphNode", WALK_WATCH, "0g00a", 0, 0, 0, NULL},
    {"cuGraphAddNode", WALK_WATCH, "0g00G", 0, 0, 0, NULL},
    {"cuGraphAddNode_v2", WALK_WATCH, "0g000G", 0, 0, 0, NULL},
    {"cuGraphInstantiate", WALK_ALLOCATE, "oa000", KIND(GRAPH_EXEC), 0, 0, NULL},
    {"cuGraphInstantiate_v2", WALK_ALLOCATE, "oa000", KIND(GRAPH_EXEC), 0, 0, NULL},
    {"cuGraphInstantiateWithFlags", WALK_ALLOCATE, "oa0", KIND(GRAPH_EXEC), 0, 0, NULL},
    {"cuGraphInstantiateWithParams", WALK_ALLOCATE, "oa0", KIND(GRAPH_EXEC), 0, 0, NULL},
    {"cuGraphInstantiateWithParams_ptsz", WALK_ALLOCATE, "oa0", KIND(GRAPH_EXEC), 0, 0, NULL},
    {"cuGraphExecDestroy", WALK_FREE, "a", 0, 0, 0, "cuGraphInstantiate_v2"},
    {"cuGraphLaunch", WALK_WATCH, "xs", 0, 0, 0, NULL},
    {"cuGraphLaunch_ptsz", WALK_WATCH, "xs", 0, 0, 0, NULL},
    {"cuStreamBeginCapture", WALK_WATCH, "s", 0, 0, 0, NULL},
    {"cuStreamBeginCapture_ptsz", WALK_WATCH, "s", 0, 0, 0, NULL},
    {"cuStreamBeginCapture_v2", WALK_WATCH, "s0", 0, 0, 0, NULL},
    {"cuStreamBeginCapture_v2_ptsz", WALK_WATCH, "s0", 0, 0, 0, NULL},
    {"cuStreamBeginCaptureToGraph", WALK_WATCH, "sg0000", 0, 0, 0, NULL},
    {"cuStreamBeginCaptureToGraph_ptsz", WALK_WATCH, "sg0000", 0, 0, 0, NULL},
    {"cuStreamEndCapture", WALK_ALLOCATE, "so", KIND(GRAPH), 0, 0, NULL},
    {"cuStreamEndCapture_ptsz", WALK_ALLOCATE, "so", KIND(GRAPH), 0, 0, NULL},

    {"cuCtxSetLimit", WALK_LIMIT, "lq", 0, 0, 0, NULL},
    {"cuCtxCreate", WALK_CONTEXT_CREATE, "c00", 0, 0, 0, NULL},
    {"cuCtxCreate_v2", WALK_CONTEXT_CREATE, "c00", 0, 0, 0, NULL},
    {"cuCtxCreate_v3", WALK_CONTEXT_CREATE, "c0000", 0, 0, 0, NULL},
    {"cuCtxCreate_v4", WALK_CONTEXT_CREATE, "c000", 0, 0, 0, NULL},
    {"cuCtxAttach", WALK_CONTEXT_RETAIN, "c0", 0, 0, 0, "cuCtxCreate_v2"},
    {"cuCtxDetach", WALK_CONTEXT_RELEASE, "k", 0, 0, 0, "cuCtxCreate_v2"},
    {"cuCtxDestroy", WALK_CONTEXT_DESTROY, "k", 0, 0, 0, "cuCtxCreate_v2"},
    {"cuCtxDestroy_v2", WALK_CONTEXT_DESTROY, "k", 0, 0, 0, "cuCtxCreate_v2"},
    {"cuDevicePrimaryCtxRetain", WALK_PRIMARY_RETAIN, "c0", 0, 0, 0, NULL},
    {"cuDevicePrimaryCtxRelease", WALK_PRIMARY_RELEASE, "0", 0, 0, 0, "cuDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxRelease_v2", WALK_PRIMARY_RELEASE, "0", 0, 0, 0, "cuDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxReset", WALK_PRIMARY_RESET, "0", 0, 0, 0, "cuDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxReset_v2", WALK_PRIMARY_RESET, "0", 0, 0, 0, "cuDevicePrimaryCtxRetain"},
};

const unsigned walk_row_count = sizeof walk_rows / sizeof walk_rows[0];

const struct walk_meaning walk_meanings[] = {
#define GMT_MEANING(symbol, version, per_thread, exported) {symbol, version, per_thread, #exported},
#include "meanings.def"
#undef GMT_MEANING
};

const unsigned walk_meaning_count = sizeof walk_meanings / sizeof walk_meanings[0];

const struct walk_row *walk_row_of(const char *name)
{
    for (unsigned i = 0; i < walk_row_count; i++) {
        if (strcmp(walk_rows[i].name, name) == 0)
            return &walk_rows[i];
    }
    return NULL;
}
