/* What a hooked call leaves alone, and what it records beside its block. */
#include "hooked_case.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t calls_of(const char *name)
{
    return trace_counts_of(trace, name).calls;
}

/* errno is what the driver left, and where it left it alone, what the program had. */
static void errno_is_the_drivers(void)
{
    CUdeviceptr block;
    CUcontext context;
    void *function;
    static const int driver_sets[] = {0, 77};
    for (unsigned i = 0; i < 2; i++) {
        int expected = driver_sets[i] ? driver_sets[i] : 4711;
        table_driver_set_errno(driver_sets[i]);
        errno = 4711;
        cuInit(0); /* the first one opens the trace */
        EXPECT(errno == expected);
        errno = 4711;
        cuMemAlloc_v2(&block, 16);
        EXPECT(errno == expected);
        errno = 4711;
        cuMemFree_v2(block);
        EXPECT(errno == expected);
        errno = 4711;
        cuMemFree_v2(block); /* a stray one */
        EXPECT(errno == expected);
        errno = 4711;
        cuCtxCreate_v2(&context, 0, 0);
        EXPECT(errno == expected);
        errno = 4711;
        cuCtxDestroy_v2(context);
        EXPECT(errno == expected);
        errno = 4711;
        cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, NULL);
        EXPECT(errno == expected);
        table_driver_plan("cuMemAllocManaged", CUDA_ERROR_OUT_OF_MEMORY);
        errno = 4711;
        cuMemAllocManaged(&block, 16, 1);
        EXPECT(errno == expected);
    }
}

static void calls_before_the_trace_are_counted(void)
{
    void *function;
    for (unsigned i = 0; i < 3; i++)
        cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, NULL);
    table_driver_plan("cuInit", CUDA_ERROR_NO_DEVICE);
    EXPECT(cuInit(0) == CUDA_ERROR_NO_DEVICE);
    table_driver_plan("cuInit", CUDA_SUCCESS);
    open_trace();
    EXPECT(calls_of("cuGetProcAddress_v2") == 3);
    EXPECT(calls_of("cuInit") == 2);
    EXPECT(trace_counts_of(trace, "cuInit").errors == 1);
    EXPECT(cuInit(0) == CUDA_SUCCESS);
    EXPECT(calls_of("cuInit") == 3);
}

/* Looking functions up is no use of CUDA yet, and a machine without a GPU has nothing to trace. */
static void look_ups_and_a_failed_start(void)
{
    void *function;
    EXPECT(dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") != NULL);
    EXPECT(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, NULL) == CUDA_SUCCESS);
    table_driver_plan("cuInit", CUDA_ERROR_NO_DEVICE);
    EXPECT(cuInit(0) == CUDA_ERROR_NO_DEVICE);
    table_driver_plan("cuMemAlloc_v2", CUDA_ERROR_NOT_INITIALIZED);
    CUdeviceptr block;
    EXPECT(cuMemAlloc_v2(&block, 1) == CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuMemFree_v2(0) == CUDA_SUCCESS);
}

static void nothing(void) {}

static void look_up_results_pass(void)
{
    void *function = (void *)1;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    EXPECT(cuGetProcAddress_v2("cuMemAllocAsync", &function, 11010, 0, &status) == CUDA_SUCCESS);
    EXPECT(function == NULL && status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT(cuGetProcAddress_v2("cuMemAlloc_v2", &function, 13000, 0, &status) == CUDA_SUCCESS);
    EXPECT(function == NULL && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT(cuGetProcAddress_v2("cuDriverGetVersion", &function, 13000, 0, NULL) == CUDA_SUCCESS);
    EXPECT(function == (void *)0xd01);
    EXPECT(cuGetProcAddress_v2("cuMemFree", &function, 13000, 0, &status) == CUDA_SUCCESS);
    EXPECT(function == dlsym(RTLD_DEFAULT, "cuMemFree_v2") && status == CU_GET_PROC_ADDRESS_SUCCESS);
    table_driver_plan("cuGetProcAddress_v2", 999);
    function = (void *)2;
    EXPECT(cuGetProcAddress_v2("cuMemFree", &function, 13000, 0, &status) == 999);
    EXPECT(function == (void *)2);
    open_trace();
    EXPECT(trace->bypassed == 0);
}

static void frees_that_are_none(void)
{
    open_trace();
    allocate(0x20000000, 256);
    EXPECT(cuMemFree_v2(0) == CUDA_SUCCESS);
    EXPECT(failure(0)->kind == GMT_FAILURE_NULL && failure(0)->code == 0 && failure(0)->count == 1);
    EXPECT(cuMemFree_v2(0x20000010) == CUDA_SUCCESS); /* this driver takes anything */
    EXPECT(failure(1)->kind == GMT_FAILURE_STRAY && failure(1)->code == 0);
    EXPECT(failure(1)->last_address == 0x20000010 && failure(1)->near_address == 0x20000000);
    table_driver_plan("cuMemFree_v2", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree_v2(0x20000000) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(failure(2)->kind == GMT_FAILURE_FAILED && failure(2)->code == 1);
    EXPECT(trace_live_block(trace, 0x20000000) != NULL);
    table_driver_plan("cuMemFree_v2", CUDA_SUCCESS);
    EXPECT(cuMemFree_v2(0x20000000) == CUDA_SUCCESS);
    EXPECT(trace_live_block(trace, 0x20000000) == NULL);
    table_driver_plan("cuMemFree_v2", CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree_v2(0x20000000) == CUDA_ERROR_INVALID_VALUE); /* twice */
    EXPECT(failure(3)->kind == GMT_FAILURE_DOUBLE && failure(3)->code == 1);
    EXPECT(failure(3)->near_address == 0x20000000 && failure(3)->near_bytes == 256);
    EXPECT(failure(3)->near_stack != GMT_NONE && failure(3)->near_stack != failure(3)->stack);
    EXPECT(trace_reader_used(trace, GMT_SECTION_FAILURES) == 4);
}

static void out_of_memory_is_kept_and_passed_on(void)
{
    CUdeviceptr block = 7;
    open_trace();
    allocate(0x20000000, 256);
    table_driver_plan("cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(cuMemAlloc_v2(&block, 5000) == CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT(block == 7);
    EXPECT(trace_reader_used(trace, GMT_SECTION_OOMS) == 1);
    const struct gmt_oom_record *oom = &trace_reader_OOMS(trace)[0];
    EXPECT(oom->request_bytes == 5000 && oom->code == 2 && oom->device == 0);
    EXPECT(oom->free_bytes == 1048576 && oom->total_bytes == 1073741824);
    EXPECT(oom->top_count == 1 && oom->top[0].live_bytes == 256 && oom->later_success == 0);
    EXPECT(failure(0)->kind == GMT_FAILURE_FAILED && failure(0)->count == 1 && failure(0)->last_bytes == 5000);
    table_driver_plan("cuMemAlloc_v2", CUDA_SUCCESS);
    allocate(0x20001000, 16);
    EXPECT(oom->later_success == 1);
}

static void a_driver_that_has_shut_down_is_no_failure(void)
{
    open_trace();
    table_driver_plan("cuDevicePrimaryCtxRelease_v2", CUDA_ERROR_DEINITIALIZED);
    EXPECT(cuDevicePrimaryCtxRelease_v2(0) == CUDA_ERROR_DEINITIALIZED);
    EXPECT(trace_reader_used(trace, GMT_SECTION_FAILURES) == 0);
}

static void device_and_driver_are_known(void)
{
    open_trace();
    allocate(0x20000000, 256);
    const struct gmt_device_record *device = &trace_reader_DEVICES(trace)[0];
    EXPECT(trace->driver_version == 13000);
    EXPECT(!(trace->flags & GMT_TRACE_SIMULATED));
    EXPECT(device->state == 1 && device->total_bytes == 1073741824);
    EXPECT(strcmp(trace_reader_string(trace, device->name), "Table device") == 0);
    EXPECT(device->uuid[0] == 9 && device->uuid[15] == 9);
    EXPECT(device->totals[GMT_SPACE_DEVICE].live_bytes == 256);
    EXPECT(trace->first_init_stack != GMT_NONE);
}

/* Not inlined, and with something left to do: it must have a frame. */
__attribute__((noinline)) static int allocate_here(void)
{
    allocate(0x20000000, 256);
    return (int)calls_of("cuMemAlloc_v2");
}

static void the_stack_begins_at_the_caller(void)
{
    char program[4096] = "";
    open_trace();
    EXPECT(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    EXPECT(allocate_here() == 1);
    const struct gmt_block_record *block = trace_live_block(trace, 0x20000000);
    const struct gmt_stack_record *stack = &trace_reader_STACKS(trace)[trace_reader_SITES(trace)[block->site].stack];
    EXPECT(stack->depth > 3 && stack->flags == 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct gmt_frame_record *frame = &trace_reader_FRAMES(trace)[stack->first_frame + i];
        EXPECT(frame->module != GMT_NONE);
        EXPECT(strcmp(trace_reader_string(trace, trace_reader_MODULES(trace)[frame->module].path), program) == 0);
    }
}

static void clients_are_known_by_door(void)
{
    void *function;
    dlsym(RTLD_DEFAULT, "cuMemAlloc_v2");
    dlsym(RTLD_DEFAULT, "cuMemFree_v2");
    cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, NULL);
    open_trace();
    cuGetProcAddress_v2("cuMemFree", &function, 13000, 0, NULL);
    EXPECT(trace_reader_used(trace, GMT_SECTION_CLIENTS) == 1);
    const struct gmt_client_record *client = &trace_reader_CLIENTS(trace)[0];
    EXPECT(client->uses[GMT_DOOR_DLSYM] == 2);
    EXPECT(client->uses[GMT_DOOR_GET_PROC_ADDRESS] == 2);
    EXPECT(client->uses[GMT_DOOR_SYMBOL] == 2); /* cuInit and cuGetProcAddress_v2, once each */
}

/* The name of a bypass is kept until there is a trace; the program's copy of it may be gone by then. */
static void a_bypass_is_counted_by_name(void)
{
    char *name = strdup("cuMemAlloc_v2");
    void *other = dlopen(getenv("GMT_INTERPOSER"), RTLD_NOW | RTLD_LOCAL);
    void *function = dlsym(other, name);
    EXPECT(function != NULL && function != dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
    memset(name, 'x', strlen(name));
    open_trace();
    EXPECT(trace->bypassed == 1);
    EXPECT(strcmp(trace_reader_string(trace, trace->bypassed_name), "cuMemAlloc_v2") == 0);
    free(name);
}

static void interposers_keep_their_turn(void)
{
    unsigned (*count)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "interposer_count");
    CUresult (*found)(CUdeviceptr *, size_t) = (CUresult(*)(CUdeviceptr *, size_t))dlsym(RTLD_DEFAULT, "cuMemAlloc_v2");
    CUdeviceptr block;
    open_trace();
    EXPECT(count != NULL && count() == 0);
    allocate(0x20000000, 256);
    EXPECT(count() == 1);
    table_driver_set_address(0x20001000);
    EXPECT(found(&block, 128) == CUDA_SUCCESS && block == 0x20001000);
    EXPECT(count() == 2);
    EXPECT(table_driver_calls("cuMemAlloc_v2") == 2);
    EXPECT(trace->next_sequence == 2);
    EXPECT(trace_live_block(trace, 0x20000000) && trace_live_block(trace, 0x20001000));
}

static void a_fork_child_starts_empty(void)
{
    open_trace();
    allocate(0x20000000, 256);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        table_driver_set_address(0x20000000);
        CUdeviceptr block;
        _exit(cuMemAlloc_v2(&block, 16) == CUDA_SUCCESS && trace_counts_of(trace, "cuInit").live == 1 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT(status == 0);
    EXPECT(trace->next_sequence == 1); /* the parent's file is the parent's */
    child = fork();
    if (child == 0)
        _exit(0); /* no CUDA, no file */
    waitpid(child, &status, 0);
    EXPECT(status == 0);
}

static const struct hooked_case cases[] = {
    {"errno is the driver's", errno_is_the_drivers, {0}, 1},
    {"calls before the trace are counted", calls_before_the_trace_are_counted, {0}, 1},
    {"look-ups and a failed start leave no file", look_ups_and_a_failed_start, {0}, 0},
    {"a process without CUDA leaves no file", nothing, {0}, 0},
    {"look-up results pass", look_up_results_pass, {0}, 1},
    {"frees that are none", frees_that_are_none, {0}, 1},
    {"out of memory is kept and passed on", out_of_memory_is_kept_and_passed_on, {0}, 1},
    {"a driver that has shut down is no failure", a_driver_that_has_shut_down_is_no_failure, {0}, 1},
    {"device and driver are known", device_and_driver_are_known, {0}, 1},
    {"the stack begins at the caller", the_stack_begins_at_the_caller, {0}, 1},
    {"clients are known by door", clients_are_known_by_door, {0}, 1},
    {"a bypass is counted by name", a_bypass_is_counted_by_name, {0}, 1},
    {"an interposer before the tracer", interposers_keep_their_turn, {.before = "GMT_INTERPOSER"}, 1},
    {"an interposer behind the tracer", interposers_keep_their_turn, {.after = "GMT_INTERPOSER"}, 1},
    {"a fork child starts empty", a_fork_child_starts_empty, {0}, 2},
    {"a constructor before the tracer's", nothing, {.after = "GMT_EARLY_CALLER"}, 1},
    {"a constructor before the tracer's, off", nothing, {.after = "GMT_EARLY_CALLER", .options = "off=1"}, 0},
};

int main(int argc, char **argv)
{
    return hooked_main(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
