/* Blocks by calls: where stream-ordered memory is, registrations in the way, frees of what is no block, late frees. */
#include "hooked_case.h"

#include <stdlib.h>
#include <sys/mman.h>

#define OUTER ((CUcontext)0xc0de10)
#define OTHER ((CUcontext)0xc0de20)

static CUstream create_stream(uint64_t handle)
{
    CUstream stream = NULL;
    table_driver_set_address(handle);
    EXPECT(cuStreamCreate(&stream, 0) == CUDA_SUCCESS && (uintptr_t)stream == handle);
    return stream;
}

static uint32_t device_of(uint64_t address)
{
    return site_of(live(address))->device;
}

static void allocate_async(uint64_t address, CUstream stream)
{
    CUdeviceptr block = 0;
    table_driver_set_address(address);
    EXPECT(cuMemAllocAsync(&block, 64, stream) == CUDA_SUCCESS && block == address);
}

/* The stream's context need not be the current one. */
static void stream_ordered_memory_is_where_its_stream_is(void)
{
    open_trace();
    table_driver_set_current((uintptr_t)OUTER, 0);
    CUstream first = create_stream(0x51);
    allocate_async(0x1000, first);
    EXPECT(device_of(0x1000) == 0 && live(0x1000)->bytes == 64);
    table_driver_set_current((uintptr_t)OTHER, 1);
    CUstream second = create_stream(0x52);
    allocate_async(0x2000, second);
    allocate_async(0x3000, first);
    allocate_async(0x4000, NULL);
    allocate_async(0x5000, CU_STREAM_PER_THREAD);
    allocate_async(0x6000, (CUstream)0x99); /* not seen: the current context's */
    EXPECT(device_of(0x2000) == 1);
    EXPECT(device_of(0x3000) == 0);
    EXPECT(device_of(0x4000) == 1);
    EXPECT(device_of(0x5000) == 1);
    EXPECT(device_of(0x6000) == 1);
    EXPECT(cuMemFreeAsync(0x3000, second) == CUDA_SUCCESS);
    EXPECT(!trace_live_block(trace, 0x3000) && failures() == 0);
}

static void memory_of_a_pool_is_where_its_pool_is(void)
{
    open_trace();
    CUmemPoolProps properties = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 3}};
    CUmemoryPool pool = NULL;
    CUdeviceptr block = 0;
    table_driver_set_address(0x9000);
    EXPECT(cuMemPoolCreate(&pool, &properties) == CUDA_SUCCESS);
    table_driver_set_address(0x1000);
    EXPECT(cuMemAllocFromPoolAsync(&block, 64, pool, NULL) == CUDA_SUCCESS);
    EXPECT(device_of(0x1000) == 3);
    table_driver_set_address(0x2000);
    EXPECT(cuMemAllocFromPoolAsync(&block, 64, (CUmemoryPool)0x9999, NULL) == CUDA_SUCCESS);
    EXPECT(device_of(0x2000) == 0);
}

static void a_refused_registration_names_the_earlier_one(void)
{
    open_trace();
    char *range = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(cuMemHostRegister_v2(range, 2 * 4096, 0) == CUDA_SUCCESS);
    EXPECT(cuMemHostRegister_v2(range + 4 * 4096, 4096, 0) == CUDA_SUCCESS);
    munmap(range, 2 * 4096); /* freed without unregistering */
    table_driver_plan("cuMemHostRegister_v2", CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT(cuMemHostRegister_v2(range + 4096, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT(failures() == 1 && failure(0)->code == 712);
    EXPECT(failure(0)->near_address == (uintptr_t)range && failure(0)->near_bytes == 8192);
    EXPECT(live((uintptr_t)range)->flags == GMT_BLOCK_UNMAPPED);
    EXPECT(live((uintptr_t)range + 4 * 4096)->flags == 0);
    table_driver_plan("cuMemHostRegister_v2", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemHostRegister_v2(range, 4096, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(1)->near_site == GMT_NONE && failure(1)->last_bytes == 4096);
}

static void what_was_unmapped_is_looked_for_ever_more_seldom(void)
{
    open_trace();
    char *range = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(cuMemHostRegister_v2(range, 4096, 0) == CUDA_SUCCESS);
    table_driver_plan("cuMemHostRegister_v2", CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    for (unsigned i = 1; i <= 4; i++) {
        if (i == 3)
            munmap(range, 4096);
        EXPECT(cuMemHostRegister_v2(range, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        EXPECT(live((uintptr_t)range)->flags == (i < 4 ? 0 : GMT_BLOCK_UNMAPPED));
    }
}

/* A free that went through is of something that was taken past the hooks: nothing is to be explained. */
static void a_free_of_what_was_not_seen_is_not_explained(void)
{
    open_trace();
    char *heap = malloc(100);
    EXPECT(cuMemFree_v2((uintptr_t)heap) == CUDA_SUCCESS);
    EXPECT(failure(0)->kind == GMT_FAILURE_STRAY && failure(0)->address_is == GMT_ADDRESS_UNKNOWN);
    free(heap);
}

static void a_stray_address_is_told_by_what_it_is(void)
{
    open_trace();
    int local = 0;
    char *heap = malloc(100);
    allocate(0x20000000, 256);
    table_driver_plan("cuMemFree_v2", CUDA_ERROR_INVALID_VALUE);
    static const uint64_t inside = 0x200000ff;
    EXPECT(cuMemFree_v2((uintptr_t)&local) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(0)->address_is == GMT_ADDRESS_STACK && failure(0)->last_address == (uintptr_t)&local);
    EXPECT(cuMemFree_v2((uintptr_t)heap) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(1)->address_is == GMT_ADDRESS_HOST);
    EXPECT(cuMemFree_v2(inside) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(2)->address_is == GMT_ADDRESS_INSIDE_BLOCK && failure(2)->near_address == 0x20000000);
    EXPECT(cuMemFree_v2(0x30000000) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(3)->address_is == GMT_ADDRESS_UNKNOWN && failure(3)->near_address == 0x20000000);
    free(heap);
    create_stream(0x77);
    EXPECT(cuMemFree_v2(0x77) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(4)->address_is == GMT_ADDRESS_OTHER_FAMILY);
}

static void a_free_of_null_is_one_failure_also_when_it_is_nested(void)
{
    open_trace();
    EXPECT(cuMemFree_v2(0) == CUDA_SUCCESS);
    EXPECT(failures() == 1 && failure(0)->kind == GMT_FAILURE_NULL && failure(0)->count == 1);
    table_driver_nest("cuMemFree_v2");
    EXPECT(cuMemFree_v2(0) == CUDA_SUCCESS);
    uint64_t count = 0;
    for (unsigned i = 0; i < failures(); i++)
        count += failure(i)->kind == GMT_FAILURE_NULL ? failure(i)->count : 100;
    EXPECT(count == 2);
}

/* What outlived the driver, and what its context had taken along before. */
static void a_free_after_the_end_of_the_driver_is_late(void)
{
    open_trace();
    allocate(0x20000000, 256);
    table_driver_plan("cuMemFree_v2", CUDA_ERROR_DEINITIALIZED);
    EXPECT(cuMemFree_v2(0x20000000) == CUDA_ERROR_DEINITIALIZED);
    EXPECT(failures() == 1 && failure(0)->kind == GMT_FAILURE_LATE && failure(0)->near_address == 0x20000000);
    EXPECT(trace_reader_BLOCKS(trace)[0].state == GMT_BLOCK_LATE);
    EXPECT(cuMemFree_v2(0x30000000) == CUDA_ERROR_DEINITIALIZED);
    EXPECT(failures() == 2 && failure(1)->kind == GMT_FAILURE_LATE && failure(1)->near_site == GMT_NONE);
}

static void an_error_marks_what_the_thread_took_last(void)
{
    open_trace();
    allocate(0x20000000, 256);
    table_driver_plan("cuLaunchKernel", CUDA_ERROR_LAUNCH_FAILED);
    EXPECT(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == CUDA_ERROR_LAUNCH_FAILED);
    EXPECT(live(0x20000000)->failed_next == 0 && failure(0)->code == 719);
}

static void a_thread_without_a_context_is_told(void)
{
    open_trace();
    table_driver_set_current(0, 0);
    table_driver_plan("cuMemAlloc_v2", CUDA_ERROR_INVALID_CONTEXT);
    CUdeviceptr block;
    EXPECT(cuMemAlloc_v2(&block, 10) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(failure(0)->no_context == 1);
}

static CUtexObject make_texture(uint64_t number)
{
    CUtexObject texture = 0;
    table_driver_set_address(number);
    EXPECT(cuTexObjectCreate(&texture, NULL, NULL, NULL) == CUDA_SUCCESS && texture == number);
    return texture;
}

/* Each context counts its texture objects from 1 on, so that equal numbers of two contexts are two objects. */
static void textures_of_two_contexts_have_equal_numbers(void)
{
    open_trace();
    table_driver_set_current(0xc0, 0);
    CUtexObject texture = make_texture(1);
    table_driver_set_current(0xc1, 1);
    EXPECT(make_texture(1) == texture);
    EXPECT(trace->troubles[GMT_TROUBLE_ADDRESS_REUSED] == 0);
    EXPECT(cuTexObjectDestroy(texture) == CUDA_SUCCESS);
    EXPECT(live(1)->state == GMT_BLOCK_LIVE && site_of(live(1))->device == 0);
    EXPECT(failures() == 0);
    EXPECT(cuTexObjectDestroy(texture) == CUDA_SUCCESS);
    EXPECT(failures() == 1 && failure(0)->kind == GMT_FAILURE_DOUBLE);
    EXPECT(failure(0)->last_address == 1 && failure(0)->near_address == 1);
    table_driver_set_current(0xc0, 0);
    EXPECT(cuTexObjectDestroy(texture) == CUDA_SUCCESS);
    EXPECT(failures() == 1 && !trace_live_block(trace, 1));
}

static const struct hooked_case cases[] = {
    {"stream ordered memory is where its stream is", stream_ordered_memory_is_where_its_stream_is, {0}, 1},
    {"memory of a pool is where its pool is", memory_of_a_pool_is_where_its_pool_is, {0}, 1},
    {"a refused registration names the earlier one", a_refused_registration_names_the_earlier_one, {0}, 1},
    {"what was unmapped is looked for ever more seldom", what_was_unmapped_is_looked_for_ever_more_seldom, {0}, 1},
    {"a free of what was not seen is not explained", a_free_of_what_was_not_seen_is_not_explained, {0}, 1},
    {"a stray address is told by what it is", a_stray_address_is_told_by_what_it_is, {0}, 1},
    {"a free of null is one failure also when it is nested",
     a_free_of_null_is_one_failure_also_when_it_is_nested,
     {0},
     1},
    {"a free after the end of the driver is late", a_free_after_the_end_of_the_driver_is_late, {0}, 1},
    {"an error marks what the thread took last", an_error_marks_what_the_thread_took_last, {0}, 1},
    {"a thread without a context is told", a_thread_without_a_context_is_told, {0}, 1},
    {"textures of two contexts have equal numbers", textures_of_two_contexts_have_equal_numbers, {0}, 1},
};

int main(int argc, char **argv)
{
    return hooked_main(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
