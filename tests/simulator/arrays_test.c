/* Arrays, mipmapped arrays, texture and surface objects: sizes, copies, life. */
#include "simulator/simulated.h"

#include <string.h>

static CUDA_ARRAY3D_DESCRIPTOR shape(size_t width, size_t height, size_t depth, CUarray_format format,
                                     unsigned int channels, unsigned int flags)
{
    return (CUDA_ARRAY3D_DESCRIPTOR){width, height, depth, format, channels, flags};
}

/* Bytes that an array takes of the device. A GPU pads rows and layers, so that there it may be more. */
static void assert_takes(CUDA_ARRAY3D_DESCRIPTOR wanted, uint64_t bytes)
{
    CUarray array;
    uint64_t before = free_bytes();
    assert_ok(cuArray3DCreate(&array, &wanted));
    uint64_t taken = before - free_bytes();
    if (simulated())
        assert_int_equal(taken, bytes);
    else
        assert_true(taken >= bytes);
    assert_ok(cuArrayDestroy(array));
    assert_int_equal(free_bytes(), before);
}

static void sizes_follow_format_and_extents(void **state)
{
    (void)state;
    assert_takes(shape(1 << 16, 0, 0, CU_AD_FORMAT_FLOAT, 4, 0), 2097152);
    assert_takes(shape(1024, 1024, 0, CU_AD_FORMAT_FLOAT, 4, 0), 16777216);
    assert_takes(shape(1024, 1024, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2, 0), 2097152);
    assert_takes(shape(1025, 1024, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2, 0), 4194304);
    assert_takes(shape(256, 256, 256, CU_AD_FORMAT_HALF, 1, 0), 33554432);
    assert_takes(shape(512, 512, 10, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED), 10485760);
    assert_takes(shape(4096, 0, 512, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_LAYERED), 8388608);
    assert_takes(shape(512, 512, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP), 6291456);
    assert_takes(shape(512, 512, 12, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED), 12582912);
    assert_takes(shape(4096, 4096, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0), 8388608);
    assert_takes(shape(4096, 4096, 0, CU_AD_FORMAT_BC7_UNORM, 4, 0), 16777216);
    if (simulated()) /* perhaps not on every GPU */
        assert_takes(shape(4096, 2048, 0, CU_AD_FORMAT_NV12, 3, CUDA_ARRAY3D_VIDEO_ENCODE_DECODE), 12582912);
    assert_takes(shape(4096, 4096, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING), 0);
    assert_takes(shape(4096, 4096, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE), 0);
}

static void small_arrays_share_chunks(void **state)
{
    CUDA_ARRAY_DESCRIPTOR wanted = {64, 64, CU_AD_FORMAT_FLOAT, 1};
    CUarray first, second;
    (void)state;
    uint64_t before = free_bytes();
    assert_ok(cuArrayCreate(&first, &wanted));
    assert_int_equal(free_bytes(), before - 2097152);
    assert_ok(cuArrayCreate(&second, &wanted));
    assert_int_equal(free_bytes(), before - 2097152);
    assert_ok(cuArrayDestroy(first));
    assert_int_equal(free_bytes(), before - 2097152);
    assert_ok(cuArrayDestroy(second));
    assert_int_equal(free_bytes(), before);
}

static void tiny_arrays_take_pages(void **state)
{
    enum { MANY = 1000 };
    CUDA_ARRAY_DESCRIPTOR wanted = {100, 0, CU_AD_FORMAT_FLOAT, 1};
    static CUarray arrays[MANY];
    (void)state;
    uint64_t before = free_bytes();
    for (int i = 0; i < MANY; i++)
        assert_ok(cuArrayCreate(&arrays[i], &wanted));
    assert_int_equal(free_bytes(), before - 4194304);
    for (int i = 0; i < MANY; i++)
        assert_ok(cuArrayDestroy(arrays[i]));
    assert_int_equal(free_bytes(), before);
}

static void assert_refused(CUDA_ARRAY3D_DESCRIPTOR wanted)
{
    CUarray array;
    assert_int_equal(cuArray3DCreate(&array, &wanted), CUDA_ERROR_INVALID_VALUE);
}

static void impossible_arrays_are_refused(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR large = shape(16384, 16384, 16384, CU_AD_FORMAT_FLOAT, 4, 0);
    CUarray array;
    (void)state;
    assert_refused(shape(0, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_refused(shape(16, 0, 0, CU_AD_FORMAT_FLOAT, 3, 0));
    assert_refused(shape(16, 16, 0, (CUarray_format)0x77, 1, 0));
    assert_refused(shape(131073, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_refused(shape(16, 65537, 0, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_refused(shape(16385, 16, 16, CU_AD_FORMAT_FLOAT, 1, 0));
    assert_refused(shape(16, 16, 2049, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED));
    assert_refused(shape(16, 16, 5, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP));
    assert_refused(shape(16, 8, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP));
    assert_int_equal(cuArray3DCreate(&array, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArray3DCreate(&array, &large), CUDA_ERROR_OUT_OF_MEMORY);
    if (simulated()) { /* a GPU may crash with what is no handle */
        assert_int_equal(cuArrayDestroy(NULL), CUDA_ERROR_INVALID_HANDLE);
        assert_int_equal(cuArrayDestroy((CUarray)(uintptr_t)0x1234), CUDA_ERROR_INVALID_HANDLE);
    }
}

static void arrays_tell_what_they_are(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(32, 16, 8, CU_AD_FORMAT_HALF, 2, CUDA_ARRAY3D_SURFACE_LDST), found;
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUDA_ARRAY_SPARSE_PROPERTIES properties;
    CUDA_ARRAY_DESCRIPTOR flat;
    CUarray array;
    (void)state;
    assert_ok(cuArray3DCreate(&array, &wanted));
    assert_ok(cuArray3DGetDescriptor(&found, array));
    assert_int_equal(found.Width, 32);
    assert_int_equal(found.Height, 16);
    assert_int_equal(found.Depth, 8);
    assert_int_equal(found.Format, CU_AD_FORMAT_HALF);
    assert_int_equal(found.NumChannels, 2);
    assert_int_equal(found.Flags, CUDA_ARRAY3D_SURFACE_LDST);
    assert_ok(cuArrayGetDescriptor(&flat, array));
    assert_int_equal(flat.Width, 32);
    assert_int_equal(flat.Height, 16);
    assert_int_equal(flat.NumChannels, 2);
    assert_int_equal(cuArrayGetMemoryRequirements(&needs, array, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuArrayGetSparseProperties(&properties, array), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuArrayDestroy(array));
    wanted = shape(1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING);
    assert_ok(cuArray3DCreate(&array, &wanted));
    assert_ok(cuArrayGetMemoryRequirements(&needs, array, 0));
    assert_int_equal(needs.size, 4194304);
    assert_ok(cuArrayDestroy(array));
    wanted = shape(1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE);
    assert_ok(cuArray3DCreate(&array, &wanted));
    assert_ok(cuArrayGetSparseProperties(&properties, array));
    assert_int_equal(properties.tileExtent.width, 128);
    assert_int_equal(properties.tileExtent.height, 128);
    assert_int_equal(properties.tileExtent.depth, 1);
    assert_ok(cuArrayDestroy(array));
}

static void levels_are_halved(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(1024, 512, 0, CU_AD_FORMAT_FLOAT, 4, 0), found;
    CUmipmappedArray mipmapped;
    CUarray level;
    (void)state;
    uint64_t before = free_bytes();
    assert_ok(cuMipmappedArrayCreate(&mipmapped, &wanted, 0));
    if (simulated()) { /* how many levels a GPU makes of none is not known */
        assert_ok(cuMipmappedArrayGetLevel(&level, mipmapped, 0));
        assert_int_equal(cuMipmappedArrayGetLevel(&level, mipmapped, 1), CUDA_ERROR_INVALID_VALUE);
    }
    assert_ok(cuMipmappedArrayDestroy(mipmapped));
    assert_ok(cuMipmappedArrayCreate(&mipmapped, &wanted, 99)); /* clamped to the 11 that there are */
    if (simulated())
        assert_int_equal(before - free_bytes(), 12582912); /* 8 MiB and a third more, in chunks */
    assert_ok(cuMipmappedArrayGetLevel(&level, mipmapped, 10));
    assert_ok(cuArray3DGetDescriptor(&found, level));
    assert_int_equal(found.Width, 1);
    assert_int_equal(found.Height, 1);
    assert_int_equal(cuMipmappedArrayGetLevel(&level, mipmapped, 11), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMipmappedArrayGetLevel(&level, mipmapped, 1));
    assert_ok(cuArray3DGetDescriptor(&found, level));
    assert_int_equal(found.Width, 512);
    assert_int_equal(found.Height, 256);
    if (simulated())
        assert_int_equal(cuArrayDestroy(level), CUDA_ERROR_INVALID_HANDLE);
    assert_ok(cuMipmappedArrayDestroy(mipmapped));
    if (simulated())
        assert_int_equal(cuArray3DGetDescriptor(&found, level), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(free_bytes(), before);
}

static void bytes_go_in_and_come_out(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(8, 4, 3, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0);
    CUDA_ARRAY_DESCRIPTOR line = {64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    unsigned char in[96], out[96] = {0};
    CUdeviceptr block;
    CUarray volume, row;
    (void)state;
    for (int i = 0; i < 96; i++)
        in[i] = (unsigned char)(i + 1);
    assert_ok(cuArray3DCreate(&volume, &wanted));
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = in,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = volume,
                          .WidthInBytes = 8,
                          .Height = 4,
                          .Depth = 3};
    assert_ok(cuMemcpy3D(&copy));
    copy = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                           .srcArray = volume,
                           .srcXInBytes = 2,
                           .srcY = 1,
                           .srcZ = 2,
                           .dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = out,
                           .WidthInBytes = 3,
                           .Height = 2,
                           .Depth = 1};
    assert_ok(cuMemcpy3D(&copy));
    const unsigned char expected[] = {75, 76, 77, 83, 84, 85};
    assert_memory_equal(out, expected, 6);
    copy.srcXInBytes = 6; /* one byte too many in the row */
    assert_int_equal(cuMemcpy3D(&copy), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuArrayCreate(&row, &line));
    assert_ok(cuMemAlloc(&block, 64));
    assert_ok(cuMemcpyHtoA(row, 4, in, 8));
    assert_ok(cuMemcpyAtoD(block, row, 6, 4));
    assert_ok(cuMemcpyDtoA(row, 60, block, 4));
    assert_ok(cuMemcpyAtoH(out, row, 60, 4));
    const unsigned char moved[] = {3, 4, 5, 6};
    assert_memory_equal(out, moved, 4);
    assert_ok(cuMemcpyAtoA(row, 0, row, 60, 4));
    assert_ok(cuMemcpyAtoH(out + 8, row, 0, 4));
    assert_memory_equal(out + 8, moved, 4);
    assert_int_equal(cuMemcpyHtoA(row, 60, in, 5), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(block));
    assert_ok(cuArrayDestroy(row));
    assert_ok(cuArrayDestroy(volume));
}

static void planes_are_arrays(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(64, 32, 0, CU_AD_FORMAT_NV12, 3, 0), found;
    CUarray video, plane;
    (void)state;
    assert_int_equal(cuArray3DCreate(&video, &wanted), CUDA_ERROR_INVALID_VALUE);
    if (!simulated())
        skip(); /* perhaps not on every GPU */
    wanted.Flags = CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
    assert_ok(cuArray3DCreate(&video, &wanted));
    assert_ok(cuArrayGetPlane(&plane, video, 1));
    assert_ok(cuArray3DGetDescriptor(&found, plane));
    assert_int_equal(found.Width, 32);
    assert_int_equal(found.Height, 16);
    assert_int_equal(found.Format, CU_AD_FORMAT_UNSIGNED_INT8);
    assert_int_equal(found.NumChannels, 2);
    assert_int_equal(cuArrayGetPlane(&plane, video, 2), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuArrayDestroy(video));
}

static void arrays_end_with_their_context(void **state)
{
    CUDA_ARRAY_DESCRIPTOR wanted = {4096, 4096, CU_AD_FORMAT_FLOAT, 1};
    CUcontext context;
    CUarray array;
    (void)state;
    uint64_t before = free_bytes();
    assert_ok(cuCtxCreate(&context, NULL, 0, 0));
    assert_ok(cuArrayCreate(&array, &wanted));
    assert_ok(cuCtxDestroy(context));
    if (simulated())
        assert_int_equal(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(free_bytes(), before);
}

static void objects_remember_what_they_show(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT, .flags = CU_TRSF_READ_AS_INTEGER}, found_how;
    CUDA_RESOURCE_DESC what = {.resType = CU_RESOURCE_TYPE_ARRAY}, found;
    CUDA_RESOURCE_VIEW_DESC view;
    CUtexObject texture, linear;
    CUsurfObject surface;
    CUdeviceptr block;
    (void)state;
    assert_ok(cuArray3DCreate(&what.res.array.hArray, &wanted));
    assert_ok(cuTexObjectCreate(&texture, &what, &how, NULL));
    assert_ok(cuTexObjectGetResourceDesc(&found, texture));
    assert_ptr_equal(found.res.array.hArray, what.res.array.hArray);
    assert_ok(cuTexObjectGetTextureDesc(&found_how, texture));
    assert_int_equal(found_how.flags, 1);
    assert_ok(cuTexObjectGetResourceViewDesc(&view, texture)); /* there is none */
    if (simulated())                                           /* what a GPU tells of it is not known */
        assert_int_equal(view.format, CU_RES_VIEW_FORMAT_NONE);
    assert_ok(cuSurfObjectCreate(&surface, &what));
    assert_ok(cuSurfObjectGetResourceDesc(&found, surface));
    assert_ptr_equal(found.res.array.hArray, what.res.array.hArray);
    assert_ok(cuSurfObjectDestroy(surface));
    assert_ok(cuTexObjectDestroy(texture));
    assert_ok(cuMemAlloc(&block, 4096));
    CUDA_RESOURCE_DESC row = {.resType = CU_RESOURCE_TYPE_LINEAR};
    row.res.linear.devPtr = block;
    row.res.linear.format = CU_AD_FORMAT_FLOAT;
    row.res.linear.numChannels = 4;
    row.res.linear.sizeInBytes = 4096;
    assert_ok(cuTexObjectCreate(&linear, &row, &how, NULL));
    assert_ok(cuTexObjectDestroy(linear));
    if (simulated())
        assert_int_equal(cuSurfObjectCreate(&surface, &row), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(block));
    assert_ok(cuArrayDestroy(what.res.array.hArray));
}

/* Objects are numbers of their context; what is none is destroyed all the same. */
static void objects_run_out(void **state)
{
    enum { MOST = 1040383 };
    CUDA_ARRAY3D_DESCRIPTOR wanted = shape(16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_RESOURCE_DESC what = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUtexObject first = 0, texture = 0;
    CUcontext context;
    (void)state;
    assert_ok(cuArray3DCreate(&what.res.array.hArray, &wanted));
    uint64_t before = free_bytes();
    assert_ok(cuTexObjectCreate(&first, &what, &how, NULL));
    if (simulated())
        assert_int_equal(first, 1);
    for (int i = 1; i < MOST; i++) {
        if (cuTexObjectCreate(&texture, &what, &how, NULL) != CUDA_SUCCESS)
            fail_msg("object %d is refused", i + 1);
        if (i + 1 == 1000)
            assert_int_equal(free_bytes(), before);
        if (i + 1 == 100000)
            assert_int_equal(free_bytes(), before - 4194304);
        if (i + 1 == 500000)
            assert_int_equal(free_bytes(), before - 29360128);
    }
    assert_int_equal(free_bytes(), before - 62914560);
    assert_int_equal(cuTexObjectCreate(&texture, &what, &how, NULL), CUDA_ERROR_OUT_OF_MEMORY);
    assert_ok(cuTexObjectDestroy(first));
    assert_ok(cuTexObjectDestroy(first));
    assert_ok(cuTexObjectDestroy(0x12345678));
    if (simulated()) /* what the second destroy does to a driver is not known */
        assert_ok(cuTexObjectCreate(&texture, &what, &how, NULL));
    assert_ok(cuArrayDestroy(what.res.array.hArray));
    assert_ok(cuCtxGetCurrent(&context));
    assert_ok(cuCtxSetCurrent(NULL));
    assert_int_equal(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_CONTEXT);
    assert_int_equal(cuSurfObjectDestroy(0), CUDA_ERROR_INVALID_CONTEXT);
    assert_ok(cuCtxSetCurrent(context));
}

static void references_exist(void **state)
{
    CUtexref reference;
    (void)state;
    assert_ok(cuTexRefCreate(&reference));
    assert_ok(cuTexRefDestroy(reference));
    if (simulated())
        assert_int_equal(cuTexRefDestroy(reference), CUDA_ERROR_INVALID_VALUE);
}

#define placed(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        placed(sizes_follow_format_and_extents),
        placed(small_arrays_share_chunks),
        placed(tiny_arrays_take_pages),
        placed(impossible_arrays_are_refused),
        placed(arrays_tell_what_they_are),
        placed(levels_are_halved),
        placed(bytes_go_in_and_come_out),
        placed(planes_are_arrays),
        placed(arrays_end_with_their_context),
        placed(objects_remember_what_they_show),
        placed(objects_run_out),
        placed(references_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
