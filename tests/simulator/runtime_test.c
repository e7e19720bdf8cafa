/* The runtime's functions on the simulated device; linked once with the shared library and once with the archive.
 * Results are those of a real device (CUDA 13.0, driver 580.159). */
#include "support/unit_test.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <string.h>

#define assert_ok(call) assert_int_equal(call, cudaSuccess)

static void memory_is_taken_and_given_back(void **state)
{
    void *block = (void *)5;
    size_t free_now, total, pitch;
    struct cudaPitchedPtr pitched;
    (void)state;
    assert_ok(cudaFree(0));
    assert_ok(cudaMemGetInfo(&free_now, &total));
    assert_int_equal(free_now, 8037531648ull);
    assert_int_equal(total, 8589934592ull);
    assert_ok(cudaMalloc(&block, 0));
    assert_null(block);
    assert_int_equal(cudaMalloc(&block, 1ull << 50), cudaErrorMemoryAllocation);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    assert_ok(cudaGetLastError());
    assert_ok(cudaMalloc(&block, 100));
    assert_int_equal(cudaFree((char *)block + 4), cudaErrorInvalidValue);
    assert_ok(cudaFree(block));
    assert_int_equal(cudaFree(block), cudaErrorInvalidValue);
    assert_ok(cudaMallocPitch(&block, &pitch, 100, 10));
    assert_int_equal(pitch, 512);
    assert_ok(cudaFree(block));
    assert_ok(cudaMalloc3D(&pitched, (struct cudaExtent){100, 4, 3}));
    assert_int_equal(pitched.pitch, 512);
    assert_int_equal(pitched.xsize, 100);
    assert_int_equal(pitched.ysize, 4);
    assert_ok(cudaFree(pitched.ptr));
    assert_ok(cudaMallocHost(&block, 100));
    assert_int_equal(cudaFree(block), cudaErrorInvalidValue);
    assert_ok(cudaFreeHost(block));
    assert_ok(cudaFreeHost(NULL));
    assert_ok(cudaMallocManaged(&block, 100, cudaMemAttachGlobal));
    assert_ok(cudaFree(block));
    assert_ok(cudaMallocAsync(&block, 100, 0));
    assert_ok(cudaFreeAsync(block, 0));
    assert_int_equal(cudaFreeAsync(block, 0), cudaErrorInvalidValue);
    assert_ok(cudaDeviceSynchronize());
    assert_ok(cudaMemGetInfo(&free_now, &total));
    assert_int_equal(free_now, 8037531648ull);
    cudaGetLastError();
}

static void copies_follow_their_direction(void **state)
{
    char host[16] = "hello", back[16] = "";
    void *block;
    (void)state;
    assert_ok(cudaMalloc(&block, 4096));
    assert_ok(cudaMemcpy(block, host, 16, cudaMemcpyHostToDevice));
    assert_ok(cudaMemcpy(back, block, 16, cudaMemcpyDefault));
    assert_string_equal(back, "hello");
    assert_int_equal(cudaMemcpy(back, block, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(back, host, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpy(back, host, 16, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    assert_ok(cudaMemset(block, 'x', 3));
    assert_ok(cudaMemcpy2D(back, 4, block, 64, 4, 1, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, "xxxl", 4);
    assert_int_equal(cudaMemset(block, 0, 5000), cudaErrorInvalidValue);
    assert_int_equal(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
    assert_ok(cudaFree(block));
    cudaGetLastError();
}

static void addresses_have_types(void **state)
{
    struct cudaPointerAttributes attributes;
    void *block;
    (void)state;
    assert_ok(cudaMalloc(&block, 100));
    assert_ok(cudaPointerGetAttributes(&attributes, block));
    assert_int_equal(attributes.type, cudaMemoryTypeDevice);
    assert_ptr_equal(attributes.devicePointer, block);
    assert_null(attributes.hostPointer);
    assert_ok(cudaFree(block));
    assert_ok(cudaPointerGetAttributes(&attributes, &block));
    assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
    assert_int_equal(attributes.device, -2);
    assert_ptr_equal(attributes.hostPointer, &block);
    assert_ok(cudaMallocManaged(&block, 100, cudaMemAttachGlobal));
    assert_ok(cudaPointerGetAttributes(&attributes, block));
    assert_int_equal(attributes.type, cudaMemoryTypeManaged);
    assert_ok(cudaFree(block));
}

static void devices_have_properties(void **state)
{
    struct cudaDeviceProp properties;
    int count = 0, device = 9, version = 0;
    (void)state;
    assert_ok(cudaGetDeviceCount(&count));
    assert_int_equal(count, 2);
    assert_ok(cudaGetDeviceProperties(&properties, 0));
    assert_string_equal(properties.name, "Simulated NVIDIA GPU");
    assert_int_equal(properties.totalGlobalMem, 8589934592ull);
    assert_int_equal(properties.multiProcessorCount, 132);
    assert_int_equal(properties.major, 9);
    assert_int_equal(cudaGetDeviceProperties(&properties, 7), cudaErrorInvalidDevice);
    assert_int_equal(cudaSetDevice(7), cudaErrorInvalidDevice);
    assert_ok(cudaSetDevice(1));
    assert_ok(cudaGetDevice(&device));
    assert_int_equal(device, 1);
    assert_ok(cudaDeviceReset());
    assert_ok(cudaSetDevice(0));
    assert_ok(cudaRuntimeGetVersion(&version));
    assert_int_equal(version, 13000);
    assert_string_equal(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
    assert_string_equal(cudaGetErrorString((cudaError_t)9999), "unrecognized error code");
    cudaGetLastError();
}

static void reset_takes_everything_along(void **state)
{
    size_t free_now, total;
    void *block;
    (void)state;
    assert_ok(cudaMalloc(&block, 1 << 30));
    assert_ok(cudaDeviceReset());
    assert_int_equal(cudaFree(block), cudaErrorInvalidValue);
    assert_ok(cudaMemGetInfo(&free_now, &total));
    assert_int_equal(free_now, 8037531648ull);
    cudaGetLastError();
}

static void driver_functions_are_handed_out(void **state)
{
    void *function = NULL;
    enum cudaDriverEntryPointQueryResult status;
    (void)state;
    assert_ok(cudaGetDriverEntryPoint("cuMemAlloc", &function, cudaEnableDefault, &status));
    assert_non_null(function);
    assert_int_equal(status, cudaDriverEntryPointSuccess);
    assert_ok(cudaGetDriverEntryPoint("cuNope", &function, cudaEnableDefault, &status));
    assert_null(function);
    assert_int_equal(status, cudaDriverEntryPointSymbolNotFound);
    assert_ok(cudaGetDriverEntryPointByVersion("cuMemAllocAsync", &function, 2000, cudaEnableDefault, &status));
    assert_int_equal(status, cudaDriverEntryPointVersionNotSufficent);
    assert_int_equal(cudaGetDriverEntryPointByVersion("cuInit", &function, 14000, cudaEnableDefault, &status),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaGetDriverEntryPoint("cuInit", &function, 99, &status), cudaErrorInvalidValue);
    cudaGetLastError();
}

static void what_is_missing_says_so(void **state)
{
    uint64_t (*counter)(void) =
        (uint64_t(*)(void))dlsym(RTLD_DEFAULT, "gpumemtrace_simulator_runtime_unsupported_calls");
    (void)state;
    uint64_t before = counter ? counter() : 0;
    assert_int_equal(cudaGraphDebugDotPrint(NULL, "", 0), cudaErrorNotSupported);
    if (counter)
        assert_int_equal(counter(), before + 1);
}

static void *frames[32];
static int frame_count;

/* Inside the driver's cuMemAlloc_v2, before it does anything. */
static int look_at_the_stack(const char *name, uint64_t nth, void *argument)
{
    (void)name;
    (void)nth;
    (void)argument;
    frame_count = backtrace(frames, 32);
    return -1;
}

/* Exported, so that its frame has a name. */
cudaError_t take_a_block(void **block);

__attribute__((noinline)) cudaError_t take_a_block(void **block)
{
    return cudaMalloc(block, 100);
}

/* The program's frame is found, and the one inside it is cudaMalloc's. */
static void stacks_show_what_was_called(void **state)
{
    int (*on_call)(const char *, int (*)(const char *, uint64_t, void *), void *) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *block;
    (void)state;
    assert_non_null(driver);
    *(void **)&on_call = dlsym(driver, "gpumemtrace_simulator_on_call");
    assert_non_null(on_call);
    assert_int_equal(on_call("cuMemAlloc_v2", look_at_the_stack, NULL), 0);
    assert_ok(take_a_block(&block));
    assert_int_equal(on_call("cuMemAlloc_v2", NULL, NULL), 0);
    assert_ok(cudaFree(block));
    const char *inner = NULL, *outer = NULL;
    for (int i = 0; i < frame_count && !outer; i++) {
        Dl_info info = {0};
        dladdr((char *)frames[i] - 1, &info);
        bool here = info.dli_sname && strcmp(info.dli_sname, "take_a_block") == 0;
        outer = here ? info.dli_sname : NULL;
        inner = here ? inner : info.dli_sname;
    }
    assert_non_null(outer);
    assert_string_equal(inner, "cudaMalloc");
    dlclose(driver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_taken_and_given_back), cmocka_unit_test(copies_follow_their_direction),
        cmocka_unit_test(addresses_have_types),           cmocka_unit_test(devices_have_properties),
        cmocka_unit_test(reset_takes_everything_along),   cmocka_unit_test(driver_functions_are_handed_out),
        cmocka_unit_test(what_is_missing_says_so),        cmocka_unit_test(stacks_show_what_was_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
