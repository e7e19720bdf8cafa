/* Which frames are folded and which is the first of the program's own code: stacks given as literals. */
#include "report/frame_class.h"

#include "support/unit_test.h"

static const struct gmt_module app = {.path = "/home/user/app", .name = "app"};
static const struct gmt_module cudart = {.path = "/cuda/libcudart.so.13", .name = "libcudart.so.13"};
static const struct gmt_module torch = {.path = "/py/libtorch_cuda.so", .name = "libtorch_cuda.so"};
static const struct gmt_module libstdcxx = {.path = "/usr/lib/libstdc++.so.6", .name = "libstdc++.so.6"};
static const struct gmt_module libc = {.path = "/lib/libc.so.6", .name = "libc.so.6"};

static void expect(struct gmt_frame *frames, unsigned count, int user, unsigned first, unsigned end)
{
    struct gmt_stack stack = {.frames = frames, .count = count};
    gmt_stack_classify(&stack, frames);
    assert_int_equal(stack.user, user);
    assert_int_equal(stack.shown_first, first);
    assert_int_equal(stack.shown_end, end);
}

#define EXPECT(frames, user, first, end) expect(frames, sizeof frames / sizeof frames[0], user, first, end)

static void folds_containers(void **state)
{
    (void)state;
    struct gmt_frame frames[] = {{.module = &cudart, .function = "cudaMalloc"},
                                 {.module = &app, .function = "operator new[]"},
                                 {.module = &app, .function = "__gnu_cxx::new_allocator<float>::allocate"},
                                 {.module = &app, .function = "std::allocator<float>::allocate", .inlined = true},
                                 {.module = &app, .function = "std::vector<float, pool<float> >::_M_realloc_insert"},
                                 {.module = &libstdcxx},
                                 {.module = &app, .function = "Batch::grow"},
                                 {.module = &app, .function = "main"}};
    EXPECT(frames, 6, 6, 8);
    assert_int_equal(frames[0].belongs_to, GMT_FRAME_CUDA);
    assert_int_equal(frames[1].belongs_to, GMT_FRAME_PLUMBING);
    assert_int_equal(frames[5].belongs_to, GMT_FRAME_PLUMBING);
    assert_int_equal(frames[6].belongs_to, GMT_FRAME_USER);
}

static void folds_gpu_libraries(void **state)
{
    (void)state;
    struct gmt_frame thrust[] = {{.module = &cudart, .function = "cudaMalloc"},
                                 {.module = &app, .function = "cuda::mr::allocate"},
                                 {.module = &app, .function = "thrust::detail::vector_base<int>::allocate"},
                                 {.module = &app, .function = "cub::CachingDeviceAllocator::DeviceAllocate"},
                                 {.module = &app, .function = "rmm::mr::cuda_memory_resource::do_allocate"},
                                 {.module = &app, .function = "sort_keys"}};
    EXPECT(thrust, 5, 5, 6);
    struct gmt_frame caching[] = {
        {.module = &cudart, .function = "cudaMalloc"},
        {.module = &torch, .function = "c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc"},
        {.module = &torch, .function = "at::detail::empty_cuda"}};
    EXPECT(caching, 2, 2, 3);
}

/* Names that only look like plumbing, and plumbing that the program's own code is called by. */
static void keeps_what_is_the_programs(void **state)
{
    (void)state;
    struct gmt_frame lookalikes[] = {{.module = &cudart, .function = "cudaMalloc"},
                                     {.module = &app, .function = "thrusters::fire"},
                                     {.module = &app, .function = "stdx::grow"}};
    EXPECT(lookalikes, 1, 1, 3);
    struct gmt_frame callback[] = {{.module = &cudart, .function = "cudaMalloc"},
                                   {.module = &app, .function = "visit"},
                                   {.module = &app, .function = "std::for_each<int*, void (*)(int)>"},
                                   {.module = &app, .function = "main"}};
    EXPECT(callback, 1, 1, 4);
    assert_int_equal(callback[2].belongs_to, GMT_FRAME_USER);
    /* Behind plumbing a cudaSomething is no runtime function any more. */
    struct gmt_frame pool[] = {{.module = &cudart, .function = "cudaMalloc"},
                               {.module = &app, .function = "rmm::mr::pool::expand"},
                               {.module = &app, .function = "cudaPoolMalloc"}};
    EXPECT(pool, 2, 2, 3);
    struct gmt_frame nothing_else[] = {{.module = &cudart, .function = "cudaMalloc"},
                                       {.module = &app, .function = "thrust::detail::allocate"}};
    EXPECT(nothing_else, -1, 0, 1);
}

static void cuts_start_up_off(void **state)
{
    (void)state;
    struct gmt_frame thread[] = {{.module = &cudart, .function = "cudaMalloc"},
                                 {.module = &app, .function = "worker"},
                                 {.module = &app, .function = "std::thread::_State_impl<void (*)()>::_M_run"},
                                 {.module = &libstdcxx},
                                 {.module = &libc, .function = "start_thread"}};
    EXPECT(thread, 1, 1, 2);
    struct gmt_frame stripped[] = {{.module = &cudart, .function = "cudaMalloc"},
                                   {.module = &app},
                                   {.module = &libc, .function = "__libc_start_main"},
                                   {.module = &app}};
    EXPECT(stripped, 1, 1, 2);
    struct gmt_stack open = {.frames = stripped, .count = 4, .incomplete = true}; /* it may be anything */
    gmt_stack_classify(&open, stripped);
    assert_int_equal(open.shown_end, 4);
}

static void tells_holders_by_module(void **state)
{
    (void)state;
    assert_int_equal(gmt_module_classify(&cudart), GMT_FRAME_CUDA);
    assert_int_equal(gmt_module_classify(&libstdcxx), GMT_FRAME_PLUMBING);
    assert_int_equal(gmt_module_classify(&libc), GMT_FRAME_SYSTEM);
    assert_int_equal(gmt_module_classify(&torch), GMT_FRAME_USER);
    assert_int_equal(gmt_module_classify(NULL), GMT_FRAME_USER);
}

/* The runtime gives contexts back at exit: libc calls it then, not the program. */
static void tells_calls_from_exit_handlers(void **state)
{
    (void)state;
    struct gmt_frame at_exit[] = {{.module = &cudart}, {.module = &libc}, {.module = &app, .function = "main"}};
    struct gmt_frame called[] = {
        {.module = &cudart, .function = "cudaDeviceReset"}, {.module = &app}, {.module = &libc}};
    struct gmt_stack stack = {.frames = at_exit, .count = 3};
    gmt_stack_classify(&stack, at_exit);
    assert_false(gmt_stack_is_call(&stack));
    stack.frames = called;
    gmt_stack_classify(&stack, called);
    assert_true(gmt_stack_is_call(&stack));
    assert_false(gmt_stack_is_call(NULL));
    stack.count = 0;
    assert_false(gmt_stack_is_call(&stack));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_containers),           cmocka_unit_test(folds_gpu_libraries),
        cmocka_unit_test(keeps_what_is_the_programs), cmocka_unit_test(cuts_start_up_off),
        cmocka_unit_test(tells_holders_by_module),    cmocka_unit_test(tells_calls_from_exit_handlers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
