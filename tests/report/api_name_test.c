/* Whose code a frame is, and which CUDA function the user called: stacks given as literals. */
#include "report/api_name.h"

#include <string.h>

#include "report/frame_class.h"
#include "support/unit_test.h"

static struct gmt_heap heap;
static const struct gmt_module app = {.path = "/home/user/app", .name = "app"};
static const struct gmt_module cudart = {.path = "/cuda/libcudart.so.13", .name = "libcudart.so.13"};
static const struct gmt_module driver = {.path = "/usr/lib/libcuda.so.1", .name = "libcuda.so.1"};
static const struct gmt_module tracer = {.path = "/opt/libgpumemtrace.so", .name = "libgpumemtrace.so"};
static const struct gmt_module libc = {.path = "/lib/libc.so.6", .name = "libc.so.6"};
static const struct gmt_module cublas = {.path = "/cuda/libcublas.so.13", .name = "libcublas.so.13"};

struct expectation {
    const char *api;
    int user;
    unsigned first, end;
};

static void expect(struct gmt_frame *frames, unsigned count, struct expectation expected)
{
    struct gmt_stack stack = {.frames = frames, .count = count};
    gmt_stack_classify(&stack, frames);
    assert_string_equal(gmt_api_name(&stack, "cuMemAlloc_v2", &heap), expected.api);
    assert_int_equal(stack.user, expected.user);
    assert_int_equal(stack.shown_first, expected.first);
    assert_int_equal(stack.shown_end, expected.end);
}

#define EXPECT(frames, ...) expect(frames, sizeof frames / sizeof frames[0], (struct expectation){__VA_ARGS__})

static void shared_runtime(void **state)
{
    (void)state;
    struct gmt_frame stripped[] = {{.module = &cudart},
                                   {.module = &cudart, .function = "cudaMalloc"},
                                   {.module = &app, .function = "load"},
                                   {.module = &app, .function = "main"},
                                   {.module = &libc, .function = "__libc_start_main"},
                                   {.module = &app, .function = "_start"}};
    EXPECT(stripped, "cudaMalloc", 2, 2, 4);
    /* One runtime function made of another: the outer one is what the user wrote. */
    struct gmt_frame nested[] = {{.module = &tracer, .function = "wrap"},
                                 {.module = &cudart, .function = "cudaMalloc"},
                                 {.module = &cudart, .function = "cudaMalloc3D"},
                                 {.module = &app, .function = "load"}};
    EXPECT(nested, "cudaMalloc3D", 3, 3, 4);
    struct gmt_frame per_thread[] = {{.module = &cudart, .function = "cudaMallocAsync_ptsz"},
                                     {.module = &app, .function = "f"}};
    EXPECT(per_thread, "cudaMallocAsync", 1, 1, 2);
}

static void static_runtime(void **state)
{
    (void)state;
    struct gmt_frame frames[] = {
        {.module = &app, .function = "cudart::contextState::alloc"},
        {.module = &app, .function = "libcudart_static_0123abcd"},
        {.module = &app, .function = "__cudart577"},
        {.module = &app, .function = "cudaMalloc"},
        {.module = &app, .function = "cudaMalloc<float>", .file = "/cuda/include/cuda_runtime.h"},
        {.module = &app, .function = "load"}};
    EXPECT(frames, "cudaMalloc", 5, 5, 6);
    /* Names of a stripped program say nothing: the driver's name it is. */
    struct gmt_frame stripped[] = {{.module = &app}, {.module = &app}};
    EXPECT(stripped, "cuMemAlloc", 0, 0, 2);
}

/* A program's own cudaSomething further out is its own code. */
static void own_wrappers(void **state)
{
    (void)state;
    struct gmt_frame frames[] = {{.module = &cudart, .function = "cudaMalloc"},
                                 {.module = &app, .function = "Pool::grow"},
                                 {.module = &app, .function = "cudaPoolMalloc"}};
    EXPECT(frames, "cudaMalloc", 1, 1, 3);
    struct gmt_frame library[] = {{.module = &cublas, .function = NULL},
                                  {.module = &cublas, .function = "cublasCreate_v2"}};
    EXPECT(library, "cuMemAlloc", 0, 0, 2);
}

static void nothing_but_plumbing(void **state)
{
    (void)state;
    struct gmt_frame frames[] = {{.module = &driver, .function = "cuMemAlloc_v2"},
                                 {.module = &libc, .function = "start_thread"}};
    EXPECT(frames, "cuMemAlloc", -1, 0, 1);
    assert_string_equal(gmt_api_name(NULL, "cuMemAllocAsync_ptsz", &heap), "cuMemAllocAsync");
    assert_string_equal(gmt_api_name(NULL, "cuCtxCreate_v4", &heap), "cuCtxCreate");
    assert_string_equal(gmt_api_name(NULL, "cuGraphInstantiate_v2_ptsz", &heap), "cuGraphInstantiate");
    assert_string_equal(gmt_api_name(NULL, NULL, &heap), "an unknown function");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_runtime),
        cmocka_unit_test(static_runtime),
        cmocka_unit_test(own_wrappers),
        cmocka_unit_test(nothing_but_plumbing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gmt_heap_drop(&heap);
    return failed;
}
