/* Copies and fills really move bytes, and refuse what a real driver refuses. */
#include "simulator/simulated.h"

#include <string.h>

static CUdeviceptr device_block(size_t bytes)
{
    CUdeviceptr block;
    assert_ok(cuMemAlloc(&block, bytes));
    return block;
}

static void bytes_make_the_round_trip(void **state)
{
    CUdeviceptr first = device_block(64), second = device_block(64);
    char host[64] = "hello", back[64] = "";
    (void)state;
    assert_ok(cuMemcpyHtoD(first, host, 64));
    assert_ok(cuMemcpyDtoD(second, first, 64));
    assert_ok(cuMemcpyDtoH(back, second, 64));
    assert_memory_equal(host, back, 64);
    assert_ok(cuMemcpyHtoDAsync(first, "other", 6, 0));
    assert_ok(cuMemcpyAsync(second, first, 6, 0));
    assert_ok(cuMemcpyDtoHAsync(back, second, 6, 0));
    assert_string_equal(back, "other");
    assert_ok(cuMemcpy((CUdeviceptr)(uintptr_t)back, (CUdeviceptr)(uintptr_t)host, 64));
    assert_string_equal(back, "hello");
}

static void copies_stay_inside_their_block(void **state)
{
    CUdeviceptr block = device_block(64);
    char host[600] = "";
    (void)state;
    assert_int_equal(cuMemcpyHtoD(block, host, 513), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoD(block + 60, host, 8), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoD(0x1234, host, 5), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoD(block, NULL, 5), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyHtoD((CUdeviceptr)(uintptr_t)host, host + 8, 5), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemcpyDtoD(block, (CUdeviceptr)(uintptr_t)host, 5), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemcpyHtoD(block, host, 0));
    assert_ok(cuMemcpyHtoD(block + 60, host, 4));
}

static void fills_have_three_units(void **state)
{
    CUdeviceptr block = device_block(64);
    unsigned char expected[8] = {7, 7, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12}, found[8];
    (void)state;
    assert_ok(cuMemsetD8(block, 0, 64));
    assert_ok(cuMemsetD8(block, 7, 2));
    assert_ok(cuMemsetD16(block + 2, 0x1234, 1));
    assert_ok(cuMemsetD32(block + 4, 0x12345678, 1));
    assert_ok(cuMemcpyDtoH(found, block, 8));
    assert_memory_equal(found, expected, 8);
    assert_int_equal(cuMemsetD32(block + 1, 0, 4), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemsetD8(block, 0, 65), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemsetD8(0, 0, 4), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemsetD8((CUdeviceptr)(uintptr_t)expected, 0, 4), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemsetD8(block, 0, 0));
}

static void rows_keep_their_pitch(void **state)
{
    CUdeviceptr block;
    size_t pitch;
    char host[3][4] = {"abc", "def", "ghi"}, back[3][4], row[4];
    (void)state;
    assert_ok(cuMemAllocPitch(&block, &pitch, 4, 3, 4));
    CUDA_MEMCPY2D in = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = host,
                        .srcPitch = 4,
                        .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                        .dstDevice = block,
                        .dstPitch = pitch,
                        .WidthInBytes = 4,
                        .Height = 3};
    CUDA_MEMCPY2D out = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = block,
                         .srcPitch = pitch,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = back,
                         .dstPitch = 4,
                         .WidthInBytes = 4,
                         .Height = 3};
    assert_ok(cuMemcpy2D(&in));
    assert_ok(cuMemcpyDtoH(row, block + 512, 4));
    assert_string_equal(row, "def");
    assert_ok(cuMemcpy2DAsync(&out, 0));
    assert_memory_equal(host, back, sizeof host);
    assert_ok(cuMemsetD2D8(block, pitch, 'x', 2, 3));
    assert_ok(cuMemcpyDtoH(row, block + 1024, 4));
    assert_string_equal(row, "xxi");
    in.dstXInBytes = 510;
    in.dstY = 1;
    assert_int_equal(cuMemcpy2D(&in), CUDA_ERROR_INVALID_VALUE);
}

static void layers_keep_their_height(void **state)
{
    CUdeviceptr block = device_block(4 * 8 * 2);
    char host[64], back[64];
    (void)state;
    for (int i = 0; i < 64; i++)
        host[i] = (char)i;
    assert_ok(cuMemcpyHtoD(block, host, 64));
    /* The lower right 2 x 2 of both layers of 4 bytes by 8 rows. */
    CUDA_MEMCPY3D out = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                         .srcDevice = block,
                         .srcXInBytes = 2,
                         .srcY = 6,
                         .srcPitch = 4,
                         .srcHeight = 8,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = back,
                         .dstPitch = 2,
                         .dstHeight = 2,
                         .WidthInBytes = 2,
                         .Height = 2,
                         .Depth = 2};
    static const char expected[8] = {26, 27, 30, 31, 58, 59, 62, 63};
    assert_ok(cuMemcpy3D(&out));
    assert_memory_equal(back, expected, 8);
}

static void addresses_tell_what_they_are(void **state)
{
    CUdeviceptr block = device_block(600), base = 0;
    size_t bytes = 0;
    unsigned int type = 0, flags = 0;
    int ordinal = -1, here = 0;
    CUcontext context = NULL, current;
    void *pinned;
    (void)state;
    assert_ok(cuMemGetAddressRange(&base, &bytes, block + 10));
    assert_int_equal(base, block);
    assert_int_equal(bytes, 600);
    assert_int_equal(cuMemGetAddressRange(&base, &bytes, block + 700), CUDA_ERROR_NOT_FOUND);
    assert_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, block + 599));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    assert_ok(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, block));
    assert_int_equal(ordinal, 0);
    assert_ok(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, block));
    assert_ok(cuCtxGetCurrent(&current));
    assert_ptr_equal(context, current);
    CUdeviceptr unknown = (CUdeviceptr)(uintptr_t)&here;
    assert_int_equal(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, unknown), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemHostAlloc(&pinned, 100, CU_MEMHOSTALLOC_PORTABLE));
    assert_ok(cuMemHostGetFlags(&flags, pinned));
    assert_int_equal(flags, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    assert_ok(cuMemHostGetDevicePointer(&base, pinned, 0));
    assert_int_equal(base, (CUdeviceptr)(uintptr_t)pinned);
    assert_ok(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
}

static void host_memory_registers_once(void **state)
{
    static char pages[65536];
    (void)state;
    assert_ok(cuMemHostRegister(pages, 65536, 0));
    assert_int_equal(cuMemHostRegister(pages, 65536, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    assert_int_equal(cuMemHostRegister(pages + 4096, 100, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    assert_int_equal(cuMemHostUnregister(pages + 64), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemFreeHost(pages), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemsetD8((CUdeviceptr)(uintptr_t)pages, 1, 65536));
    assert_ok(cuMemHostUnregister(pages));
    assert_int_equal(cuMemHostUnregister(pages), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    assert_int_equal(cuMemHostUnregister(NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemHostRegister(pages, 0, 0), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuMemHostRegister(pages, 10, 0xffff), CUDA_ERROR_INVALID_VALUE);
}

#define copied(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        copied(bytes_make_the_round_trip),  copied(copies_stay_inside_their_block),
        copied(fills_have_three_units),     copied(rows_keep_their_pitch),
        copied(layers_keep_their_height),   copied(addresses_tell_what_they_are),
        copied(host_memory_registers_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
