/* Bytes of arrays, as numbers worked out by hand. */
#include "support/unit_test.h"

#include "hook/array_bytes.h"

static uint64_t bytes_of(size_t width, size_t height, size_t depth, CUarray_format format, unsigned channels,
                         unsigned flags, unsigned levels)
{
    CUDA_ARRAY3D_DESCRIPTOR array = {width, height, depth, format, channels, flags};
    return gmt_array_3d_bytes(&array, levels);
}

static void elements_times_their_size(void **state)
{
    (void)state;
    assert_int_equal(bytes_of(100, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, 1), 100);
    assert_int_equal(bytes_of(100, 0, 0, CU_AD_FORMAT_FLOAT, 4, 0, 1), 1600);
    assert_int_equal(bytes_of(640, 480, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1), 1228800);
    assert_int_equal(bytes_of(64, 32, 16, CU_AD_FORMAT_HALF, 2, 0, 1), 131072);
    assert_int_equal(bytes_of(0, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0, 1), 0);
}

static void layers_are_not_halved(void **state)
{
    (void)state;
    /* A row of 10 layers, a stack of 4, a cube of 6 faces, three cubes. */
    assert_int_equal(bytes_of(100, 0, 10, CU_AD_FORMAT_UNSIGNED_INT16, 1, CUDA_ARRAY3D_LAYERED, 1), 2000);
    assert_int_equal(bytes_of(16, 16, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, 1), 4096);
    assert_int_equal(bytes_of(16, 16, 6, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_CUBEMAP, 1), 6144);
    assert_int_equal(
        bytes_of(16, 16, 18, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED, 1), 18432);
    /* 16x16 + 8x8 of 4 layers each. */
    assert_int_equal(bytes_of(16, 16, 4, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_LAYERED, 2), 5120);
}

static void each_level_has_half_the_extents(void **state)
{
    (void)state;
    /* 64x64 + 32x32 + 16x16 + 8x8 + 4x4 + 2x2 + 1x1 elements. */
    assert_int_equal(bytes_of(64, 64, 0, CU_AD_FORMAT_FLOAT, 1, 0, 7), 21844);
    /* 16x8x4 + 8x4x2 + 4x2x1 + 2x1x1. */
    assert_int_equal(bytes_of(16, 8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, 4), 586);
    /* 5 + 2 + 1, and no more than 1 remains of an extent. */
    assert_int_equal(bytes_of(5, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, 3), 8);
    assert_int_equal(bytes_of(5, 0, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, 4), 9);
    assert_int_equal(bytes_of(5, 5, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0, 0), 0);
}

static void compressed_formats_take_whole_blocks(void **state)
{
    (void)state;
    assert_int_equal(bytes_of(64, 64, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1), 2048);
    assert_int_equal(bytes_of(61, 62, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1), 2048);
    assert_int_equal(bytes_of(64, 64, 0, CU_AD_FORMAT_BC7_UNORM, 4, 0, 1), 4096);
    assert_int_equal(bytes_of(1, 1, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1), 8);
    /* 8x8 + 4x4 + a block each for 2x2 and 1x1. */
    assert_int_equal(bytes_of(8, 8, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 4), 56);
}

static void planes_of_pictures(void **state)
{
    (void)state;
    assert_int_equal(bytes_of(1920, 1080, 0, CU_AD_FORMAT_NV12, 3, 0, 1), 3110400);
    assert_int_equal(bytes_of(1920, 1080, 0, CU_AD_FORMAT_P010, 3, 0, 1), 6220800);
    assert_int_equal(bytes_of(1920, 1080, 0, CU_AD_FORMAT_Y444_PLANAR8, 3, 0, 1), 6220800);
}

/* Their memory is mapped there later, and has records of its own. */
static void sparse_and_deferred_arrays_have_none(void **state)
{
    (void)state;
    assert_int_equal(bytes_of(640, 480, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE, 1), 0);
    assert_int_equal(bytes_of(640, 480, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING, 1), 0);
}

static void the_other_descriptors(void **state)
{
    CUDA_ARRAY_DESCRIPTOR flat = {640, 480, CU_AD_FORMAT_FLOAT, 2};
    CUDA_ARRAY_DESCRIPTOR_v1 flat_v1 = {640, 0, CU_AD_FORMAT_SIGNED_INT16, 2};
    CUDA_ARRAY3D_DESCRIPTOR_v1 deep_v1 = {10, 10, 10, CU_AD_FORMAT_SIGNED_INT8, 1, 0};
    (void)state;
    assert_int_equal(gmt_array_bytes(&flat), 2457600);
    assert_int_equal(gmt_array_v1_bytes(&flat_v1), 2560);
    assert_int_equal(gmt_array_3d_v1_bytes(&deep_v1), 1000);
}

static void damaged_descriptors(void **state)
{
    (void)state;
    assert_int_equal(gmt_array_bytes(NULL), 0);
    assert_int_equal(gmt_array_v1_bytes(NULL), 0);
    assert_int_equal(gmt_array_3d_bytes(NULL, 3), 0);
    assert_int_equal(gmt_array_3d_v1_bytes(NULL), 0);
    assert_int_equal(bytes_of(10, 10, 0, (CUarray_format)0x7777, 1, 0, 1), 0);
    assert_true(bytes_of(SIZE_MAX, SIZE_MAX, SIZE_MAX, CU_AD_FORMAT_FLOAT, 4, 0, 1) == UINT64_MAX);
    assert_true(bytes_of(SIZE_MAX, 0, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0, 1) == UINT64_MAX);
    assert_true(bytes_of(SIZE_MAX / 4, SIZE_MAX / 4, 0, CU_AD_FORMAT_FLOAT, 1, 0, 3) == UINT64_MAX);
    assert_true(bytes_of(4, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0, UINT32_MAX) < 1000);
}

static void areas_end_at_the_largest_number(void **state)
{
    (void)state;
    assert_int_equal(gmt_area(512, 7), 3584);
    assert_int_equal(gmt_area(0, 7), 0);
    assert_true(gmt_area((uint64_t)1 << 32, (uint64_t)1 << 31) == (uint64_t)1 << 63);
    assert_true(gmt_area((uint64_t)1 << 32, (uint64_t)1 << 32) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_times_their_size),
        cmocka_unit_test(layers_are_not_halved),
        cmocka_unit_test(each_level_has_half_the_extents),
        cmocka_unit_test(compressed_formats_take_whole_blocks),
        cmocka_unit_test(planes_of_pictures),
        cmocka_unit_test(sparse_and_deferred_arrays_have_none),
        cmocka_unit_test(the_other_descriptors),
        cmocka_unit_test(damaged_descriptors),
        cmocka_unit_test(areas_end_at_the_largest_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
