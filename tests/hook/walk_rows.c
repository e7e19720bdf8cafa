/* See walk_rows.h. A new row of entry_points.def needs one here: walk_test fails until it is there. */
#include "walk_rows.h"

#include <stddef.h>

const struct walk_row walk_rows[] = {
    {"cuInit", WALK_INIT, "0", "cuInit", 2000, 0, 0, 0, 0},
    {"cuGetProcAddress", WALK_LOOK_UP, "yfv0", "cuGetProcAddress", 11030, 0, 0, 0, 0},
    {"cuGetProcAddress_v2", WALK_LOOK_UP, "yfv0t", "cuGetProcAddress", 12000, 0, 0, 0, 0},

    {"cuMemAlloc", WALK_ALLOCATE, "on", "cuMemAlloc", 3000, 0, GMT_KIND_DEVICE, 4096, 4096},
    {"cuMemAlloc_v2", WALK_ALLOCATE, "on", "cuMemAlloc", 3020, 0, GMT_KIND_DEVICE, 4096, 4096},
    {"cuMemAllocPitch", WALK_ALLOCATE, "opwh0", "cuMemAllocPitch", 3010, 0, GMT_KIND_PITCHED, 3584, 700},
    {"cuMemAllocPitch_v2", WALK_ALLOCATE, "opwh0", "cuMemAllocPitch", 13000, 0, GMT_KIND_PITCHED, 3584, 700},
    {"cuMemAllocManaged", WALK_ALLOCATE, "on0", "cuMemAllocManaged", 6000, 0, GMT_KIND_MANAGED, 4096, 4096},
    {"cuMemAllocHost", WALK_ALLOCATE, "on", "cuMemAllocHost", 2000, 0, GMT_KIND_PINNED, 4096, 4096},
    {"cuMemAllocHost_v2", WALK_ALLOCATE, "on", "cuMemAllocHost", 12000, 0, GMT_KIND_PINNED, 4096, 4096},
    {"cuMemHostAlloc", WALK_ALLOCATE, "on0", "cuMemHostAlloc", 2020, 0, GMT_KIND_PINNED, 4096, 4096},
    {"cuMemAllocAsync", WALK_ALLOCATE, "ons", "cuMemAllocAsync", 11020, 0, GMT_KIND_STREAM_ORDERED, 4096, 4096},
    {"cuMemAllocAsync_ptsz", WALK_ALLOCATE, "ons", "cuMemAllocAsync", 11020, 2, GMT_KIND_STREAM_ORDERED, 4096, 4096},
    {"cuMemAllocFromPoolAsync", WALK_ALLOCATE, "onms", "cuMemAllocFromPoolAsync", 11020, 0, GMT_KIND_STREAM_ORDERED,
     4096, 4096},
    {"cuMemAllocFromPoolAsync_ptsz", WALK_ALLOCATE, "onms", "cuMemAllocFromPoolAsync", 13000, 2,
     GMT_KIND_STREAM_ORDERED, 4096, 4096},

    {"cuMemFree", WALK_FREE, "a", "cuMemFree", 2000, 0, 0, 0, 0},
    {"cuMemFree_v2", WALK_FREE, "a", "cuMemFree", 11030, 0, 0, 0, 0},
    {"cuMemFreeHost", WALK_FREE, "a", "cuMemFreeHost", 2000, 0, 0, 0, 0},
    {"cuMemFreeAsync", WALK_FREE, "as", "cuMemFreeAsync", 11020, 0, 0, 0, 0},
    {"cuMemFreeAsync_ptsz", WALK_FREE, "as", "cuMemFreeAsync", 12000, 2, 0, 0, 0},

    {"cuCtxCreate", WALK_CREATE, "c00", "cuCtxCreate", 2000, 0, 0, 0, 0},
    {"cuCtxCreate_v2", WALK_CREATE, "c00", "cuCtxCreate", 11030, 0, 0, 0, 0},
    {"cuCtxCreate_v3", WALK_CREATE, "c0000", "cuCtxCreate", 12000, 0, 0, 0, 0},
    {"cuCtxCreate_v4", WALK_CREATE, "c000", "cuCtxCreate", 13000, 0, 0, 0, 0},
    {"cuCtxAttach", WALK_RETAIN, "c0", "cuCtxAttach", 2000, 0, 0, 0, 0},
    {"cuCtxDetach", WALK_RELEASE, "k", "cuCtxDetach", 2000, 0, 0, 0, 0},
    {"cuCtxDestroy", WALK_DESTROY, "k", "cuCtxDestroy", 3020, 0, 0, 0, 0},
    {"cuCtxDestroy_v2", WALK_DESTROY, "k", "cuCtxDestroy", 4000, 0, 0, 0, 0},
    {"cuDevicePrimaryCtxRetain", WALK_PRIMARY_RETAIN, "c0", "cuDevicePrimaryCtxRetain", 7000, 0, 0, 0, 0},
    {"cuDevicePrimaryCtxRelease", WALK_PRIMARY_RELEASE, "0", "cuDevicePrimaryCtxRelease", 7000, 0, 0, 0, 0},
    {"cuDevicePrimaryCtxRelease_v2", WALK_PRIMARY_RELEASE, "0", "cuDevicePrimaryCtxRelease", 11000, 0, 0, 0, 0},
    {"cuDevicePrimaryCtxReset", WALK_PRIMARY_RESET, "0", "cuDevicePrimaryCtxReset", 7000, 0, 0, 0, 0},
    {"cuDevicePrimaryCtxReset_v2", WALK_PRIMARY_RESET, "0", "cuDevicePrimaryCtxReset", 12000, 0, 0, 0, 0},
};

const unsigned walk_row_count = sizeof walk_rows / sizeof walk_rows[0];
