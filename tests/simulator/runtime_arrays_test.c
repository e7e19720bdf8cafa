/* Arrays and texture objects through the runtime. */
#include "support/unit_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <string.h>

#define assert_ok(call) assert_int_equal(call, cudaSuccess)

static const struct cudaChannelFormatDesc bytes = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
static const struct cudaChannelFormatDesc vectors = {32, 32, 32, 32, cudaChannelFormatKindFloat};

/* First of all: a destroy of what is no object succeeds, and makes the primary context. */
static void a_destroy_of_nothing_holds_the_context(void **state)
{
    int (*get_state)(int, unsigned int *, int *) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    unsigned int flags;
    int active = -1;
    (void)state;
    assert_non_null(driver);
    *(void **)&get_state = dlsym(driver, "cuDevicePrimaryCtxGetState");
    assert_ok(cudaDestroyTextureObject(0x1234));
    assert_int_equal(get_state(0, &flags, &active), 0);
    assert_int_equal(active, 1);
    assert_ok(cudaDeviceReset());
    assert_ok(cudaDestroySurfaceObject(0x1234));
    assert_int_equal(get_state(0, &flags, &active), 0);
    assert_int_equal(active, 1);
}

static void arrays_are_taken_and_described(void **state)
{
    struct cudaChannelFormatDesc found, odd = {8, 16, 0, 0, cudaChannelFormatKindUnsigned};
    struct cudaExtent extent;
    cudaMipmappedArray_t mipmapped;
    cudaArray_t array, level;
    unsigned int flags;
    (void)state;
    assert_ok(cudaMallocArray(&array, &vectors, 64, 32, cudaArraySurfaceLoadStore));
    assert_ok(cudaArrayGetInfo(&found, &extent, &flags, array));
    assert_memory_equal(&found, &vectors, sizeof found);
    assert_int_equal(extent.width, 64);
    assert_int_equal(extent.height, 32);
    assert_int_equal(extent.depth, 0);
    assert_int_equal(flags, cudaArraySurfaceLoadStore);
    assert_ok(cudaFreeArray(array));
    assert_ok(cudaFreeArray(NULL));
    assert_ok(cudaMalloc3DArray(&array, &bytes, (struct cudaExtent){16, 16, 6}, cudaArrayCubemap));
    assert_ok(cudaFreeArray(array));
    assert_ok(cudaMallocMipmappedArray(&mipmapped, &bytes, (struct cudaExtent){64, 64, 0}, 7, 0));
    assert_ok(cudaGetMipmappedArrayLevel(&level, mipmapped, 6));
    assert_ok(cudaGetChannelDesc(&found, level));
    assert_int_equal(found.x, 8);
    assert_ok(cudaFreeMipmappedArray(mipmapped));
    assert_int_equal(cudaMallocArray(&array, &odd, 64, 32, 0), cudaErrorInvalidChannelDescriptor);
    cudaGetLastError();
}

static void copies_count_elements(void **state)
{
    char text[] = "abcdefghijklmnop", back[17] = "";
    cudaArray_t array, other;
    (void)state;
    assert_ok(cudaMallocArray(&array, &bytes, 4, 4, 0));
    assert_ok(cudaMallocArray(&other, &bytes, 8, 2, 0));
    assert_ok(cudaMemcpy2DToArray(array, 0, 0, text, 4, 4, 4, cudaMemcpyHostToDevice));
    assert_ok(cudaMemcpy2DFromArray(back, 2, array, 1, 2, 2, 2, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, "jkno", 4);
    assert_ok(cudaMemcpy2DArrayToArray(other, 4, 0, array, 0, 0, 4, 2, cudaMemcpyDeviceToDevice));
    assert_ok(cudaMemcpy2DFromArray(back, 8, other, 0, 1, 8, 1, cudaMemcpyDeviceToHost));
    assert_memory_equal(back + 4, "efgh", 4);
    assert_int_equal(cudaMemcpy2DToArray(array, 1, 0, text, 4, 4, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    struct cudaMemcpy3DParms copy = {.srcArray = array,
                                     .srcPos = {0, 3, 0},
                                     .dstPtr = {back, 4, 4, 1},
                                     .extent = {4, 1, 1},
                                     .kind = cudaMemcpyDeviceToHost};
    assert_ok(cudaMemcpy3D(&copy));
    assert_memory_equal(back, "mnop", 4);
    copy.srcPtr = copy.dstPtr; /* an array and memory at one end */
    assert_int_equal(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    assert_ok(cudaMemcpyFromArray(back, array, 2, 0, 8, cudaMemcpyDeviceToHost)); /* over the ends of rows */
    assert_memory_equal(back, "cdefghij", 8);
    assert_ok(cudaMemcpyToArray(other, 6, 0, text, 6, cudaMemcpyHostToDevice));
    assert_ok(cudaMemcpyFromArray(back, other, 6, 0, 6, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, "abcdef", 6);
    assert_ok(cudaMemcpyArrayToArray(array, 3, 0, other, 6, 0, 6, cudaMemcpyDeviceToDevice));
    assert_ok(cudaMemcpyFromArray(back, array, 3, 0, 6, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, "abcdef", 6);
    assert_ok(cudaFreeArray(array));
    assert_ok(cudaFreeArray(other));
    cudaGetLastError();
}

static void textures_tell_how_they_read(void **state)
{
    struct cudaTextureDesc how = {.addressMode = {cudaAddressModeClamp, cudaAddressModeBorder},
                                  .filterMode = cudaFilterModeLinear,
                                  .readMode = cudaReadModeNormalizedFloat,
                                  .normalizedCoords = 1,
                                  .seamlessCubemap = 1},
                           found_how;
    struct cudaResourceDesc what = {.resType = cudaResourceTypePitch2D}, found;
    cudaTextureObject_t texture;
    void *block;
    size_t pitch;
    (void)state;
    assert_ok(cudaMallocPitch(&block, &pitch, 64, 8));
    what.res.pitch2D.devPtr = block;
    what.res.pitch2D.desc = bytes;
    what.res.pitch2D.width = 64;
    what.res.pitch2D.height = 8;
    what.res.pitch2D.pitchInBytes = pitch;
    assert_ok(cudaCreateTextureObject(&texture, &what, &how, NULL));
    assert_ok(cudaGetTextureObjectResourceDesc(&found, texture));
    assert_int_equal(found.resType, cudaResourceTypePitch2D);
    assert_int_equal(found.res.pitch2D.desc.x, 8);
    assert_ptr_equal(found.res.pitch2D.devPtr, block);
    assert_ok(cudaGetTextureObjectTextureDesc(&found_how, texture));
    assert_int_equal(found_how.normalizedCoords, 1);
    assert_int_equal(found_how.seamlessCubemap, 1);
    assert_int_equal(found_how.sRGB, 0);
    assert_int_equal(found_how.addressMode[1], cudaAddressModeBorder);
    assert_int_equal(found_how.readMode, cudaReadModeNormalizedFloat);
    assert_ok(cudaDestroyTextureObject(texture));
    assert_ok(cudaFree(block));
}

/* A failure script lets objects run out, which a GPU does after a million of them. */
static void textures_run_out(void **state)
{
    int (*set_script)(const char *) = NULL;
    struct cudaTextureDesc how = {.readMode = cudaReadModeElementType};
    struct cudaResourceDesc what = {.resType = cudaResourceTypeArray};
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    cudaTextureObject_t texture;
    (void)state;
    *(void **)&set_script = dlsym(driver, "gpumemtrace_simulator_set_script");
    assert_non_null(set_script);
    assert_ok(cudaMallocArray(&what.res.array.array, &bytes, 4, 4, 0));
    assert_int_equal(set_script("fail cuTexObjectCreate 1-1000000 CUDA_ERROR_OUT_OF_MEMORY"), 0);
    assert_int_equal(cudaCreateTextureObject(&texture, &what, &how, NULL), cudaErrorMemoryAllocation);
    assert_int_equal(set_script(NULL), 0);
    assert_ok(cudaCreateTextureObject(&texture, &what, &how, NULL));
    assert_ok(cudaDestroyTextureObject(texture));
    assert_ok(cudaFreeArray(what.res.array.array));
    cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_destroy_of_nothing_holds_the_context),
        cmocka_unit_test(arrays_are_taken_and_described),
        cmocka_unit_test(copies_count_elements),
        cmocka_unit_test(textures_tell_how_they_read),
        cmocka_unit_test(textures_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
