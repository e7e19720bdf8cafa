/* Memory, pools and events between two processes on the same device. */
#include "simulator/other_process.h"
#include "simulator/simulated.h"

static const char ours[16] = "from the test", theirs[16] = "from the other";

/* The second process reads what the test wrote and writes something else. */
static void exchange(CUdeviceptr address)
{
    char read[sizeof ours] = "";
    CHECK(cuMemcpyDtoH(read, address, sizeof read) == CUDA_SUCCESS);
    CHECK(memcmp(read, ours, sizeof read) == 0);
    CHECK(cuMemcpyHtoD(address, theirs, sizeof theirs) == CUDA_SUCCESS);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
}

static void write_ours(CUdeviceptr address)
{
    assert_ok(cuMemcpyHtoD(address, ours, sizeof ours));
    assert_ok(cuCtxSynchronize());
}

static void expect_theirs(CUdeviceptr address)
{
    char read[sizeof theirs] = "";
    assert_ok(cuMemcpyDtoH(read, address, sizeof read));
    assert_string_equal(read, "from the other");
}

/* Waits for the byte with which a side says that it is done. */
static bool hear_done(int socket)
{
    char done = 0;
    return hear(socket, &done, 1, NULL);
}

static bool tell_done(int socket)
{
    return tell(socket, "", 1, -1);
}

static CUdeviceptr map(CUmemGenericAllocationHandle handle, size_t bytes)
{
    CUdeviceptr address = 0;
    CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                              .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    if (cuMemAddressReserve(&address, bytes, 0, 0, 0) != CUDA_SUCCESS ||
        cuMemMap(address, bytes, 0, handle, 0) != CUDA_SUCCESS ||
        cuMemSetAccess(address, bytes, &access, 1) != CUDA_SUCCESS)
        return 0;
    return address;
}

static CUmemGenericAllocationHandle create(size_t bytes, CUmemAllocationHandleType type)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .requestedHandleTypes = type,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    assert_ok(cuMemCreate(&handle, bytes, &wanted, 0));
    return handle;
}

static int export_handle(CUmemGenericAllocationHandle handle)
{
    int fd = -1;
    assert_ok(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    assert_true(fd >= 0);
    return fd;
}

static CUresult import_handle(CUmemGenericAllocationHandle *handle, int fd)
{
    return cuMemImportFromShareableHandle(handle, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
}

static void physical_memory_has_one_count_in_its_process(void **state)
{
    CUmemGenericAllocationHandle handle = create(4 * MIB, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), imported;
    int fd = export_handle(handle);
    (void)state;
    assert_ok(import_handle(&imported, fd));
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    assert_ok(cuMemRelease(handle));
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    CUdeviceptr address = map(imported, 4 * MIB);
    assert_int_not_equal(address, 0);
    assert_ok(cuMemRelease(imported));
    close(fd);
    assert_ok(cuMemUnmap(address, 4 * MIB));
    assert_int_equal(free_bytes(), free_at_first());
    assert_ok(cuMemAddressFree(address, 4 * MIB));
}

/* Each import is a handle of its own; what the last of them leaves is the descriptor's until that is closed. */
static void a_descriptor_holds_what_was_exported(void **state)
{
    CUmemGenericAllocationHandle handle = create(64 * MIB, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR), once, again;
    CUmemAllocationProp told;
    int fd = export_handle(handle);
    (void)state;
    assert_ok(import_handle(&once, fd));
    assert_ok(import_handle(&again, fd));
    assert_true(once != handle && again != handle && again != once);
    assert_ok(cuMemGetAllocationPropertiesFromHandle(&told, handle));
    assert_int_equal(told.requestedHandleTypes, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    assert_ok(cuMemGetAllocationPropertiesFromHandle(&told, once));
    assert_int_equal(told.requestedHandleTypes, CU_MEM_HANDLE_TYPE_NONE);
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemRelease(once));
    assert_ok(cuMemRelease(again));
    assert_int_equal(free_bytes(), free_at_first() - 67108864);
    close(fd);
    assert_int_equal(free_bytes(), free_at_first());
    assert_int_equal(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
}

static void only_what_was_made_for_it_is_exported(void **state)
{
    CUmemGenericAllocationHandle handle = create(2 * MIB, CU_MEM_HANDLE_TYPE_NONE), imported;
    int fd = -1, pipes[2];
    (void)state;
    assert_int_equal(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                     CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemRelease(handle));
    assert_int_equal(pipe(pipes), 0);
    assert_int_equal(import_handle(&imported, pipes[0]), CUDA_ERROR_UNKNOWN);
    close(pipes[0]);
    close(pipes[1]);
    if (simulated()) /* not tried on a GPU */
        assert_int_equal(import_handle(&imported, pipes[0]), CUDA_ERROR_UNKNOWN);
}

static int other_physical(int socket)
{
    CUmemGenericAllocationHandle handle;
    char none;
    int fd = -1;
    CHECK(hear(socket, &none, 1, &fd));
    CHECK(import_handle(&handle, fd) == CUDA_SUCCESS);
    close(fd);
    CUdeviceptr address = map(handle, 4 * MIB);
    CHECK(address != 0);
    CHECK(cuMemRelease(handle) == CUDA_SUCCESS);
    exchange(address + 3 * MIB);
    CHECK(tell_done(socket));
    CHECK(cuMemUnmap(address, 4 * MIB) == CUDA_SUCCESS);
    CHECK(cuMemAddressFree(address, 4 * MIB) == CUDA_SUCCESS);
    return 0;
}

static void physical_memory_is_shared(void **state)
{
    CUmemGenericAllocationHandle handle = create(4 * MIB, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    CUdeviceptr address = map(handle, 4 * MIB);
    struct other_process other = start_other("physical");
    int fd = export_handle(handle);
    (void)state;
    write_ours(address + 3 * MIB);
    assert_true(tell(other.socket, "", 1, fd));
    assert_true(hear_done(other.socket));
    expect_theirs(address + 3 * MIB);
    end_other(other);
    close(fd);
    assert_ok(cuMemUnmap(address, 4 * MIB));
    assert_ok(cuMemRelease(handle));
    assert_ok(cuMemAddressFree(address, 4 * MIB));
}

static int other_block(int socket)
{
    CUipcMemHandle handle;
    CUdeviceptr address, again, base;
    size_t bytes = 0;
    CHECK(hear(socket, &handle, sizeof handle, NULL));
    CHECK(cuIpcOpenMemHandle(&address, handle, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_SUCCESS);
    CHECK(cuIpcOpenMemHandle(&again, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_SUCCESS);
    CHECK(again == address);
    CHECK(cuMemGetAddressRange(&base, &bytes, address + 100) == CUDA_SUCCESS);
    CHECK(base == address && bytes == 3000);
    CHECK(cuMemFree(address) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuIpcCloseMemHandle(address) == CUDA_SUCCESS);
    exchange(address);
    CHECK(tell_done(socket));
    CHECK(cuIpcCloseMemHandle(address) == CUDA_SUCCESS);
    CHECK(cuIpcCloseMemHandle(address) == CUDA_ERROR_INVALID_VALUE);
    memset(&handle, 0x5a, sizeof handle);
    if (simulated())
        CHECK(cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_ERROR_INVALID_VALUE);
    return 0;
}

static void a_block_is_opened_by_another_process(void **state)
{
    struct other_process other = start_other("block");
    CUdeviceptr neighbour, address, own;
    CUipcMemHandle handle, inner;
    (void)state;
    assert_ok(cuMemAlloc(&neighbour, 512));
    assert_ok(cuMemAlloc(&address, 3000));
    write_ours(address);
    assert_ok(cuIpcGetMemHandle(&handle, address));
    assert_ok(cuIpcGetMemHandle(&inner, address + 2999));
    assert_int_equal(cuIpcOpenMemHandle(&own, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), CUDA_ERROR_INVALID_CONTEXT);
    assert_true(tell(other.socket, &handle, sizeof handle, -1));
    assert_true(hear_done(other.socket));
    expect_theirs(address);
    end_other(other);
    assert_ok(cuMemFree(address));
    assert_ok(cuMemFree(neighbour));
    assert_int_equal(cuIpcGetMemHandle(&handle, address), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(free_bytes(), free_at_first());
}

/* The block is freed while it is open here, which ends neither this mapping nor its memory. */
static int other_holder(int socket)
{
    CUipcMemHandle handle;
    CUdeviceptr address, late;
    CHECK(hear(socket, &handle, sizeof handle, NULL));
    CHECK(cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_SUCCESS);
    CHECK(tell_done(socket));
    CHECK(hear_done(socket));
    exchange(address);
    CHECK(cuIpcCloseMemHandle(address) == CUDA_SUCCESS);
    CHECK(cuIpcOpenMemHandle(&late, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_ERROR_INVALID_VALUE);
    CHECK(tell_done(socket));
    return 0;
}

static void a_freed_block_stays_while_it_is_open(void **state)
{
    struct other_process other = start_other("holder");
    CUdeviceptr address;
    CUipcMemHandle handle;
    (void)state;
    assert_ok(cuMemAlloc(&address, 4 * MIB));
    write_ours(address);
    assert_ok(cuIpcGetMemHandle(&handle, address));
    uint64_t before = free_bytes();
    assert_true(tell(other.socket, &handle, sizeof handle, -1));
    assert_true(hear_done(other.socket));
    assert_ok(cuMemFree(address));
    if (simulated()) /* a GPU is shared with the other process's context */
        assert_int_equal(free_bytes(), before);
    assert_true(tell_done(other.socket));
    assert_true(hear_done(other.socket));
    if (simulated())
        assert_int_equal(free_bytes(), before + 4194304);
    end_other(other);
    assert_int_equal(cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
}

static int other_late(int socket)
{
    CUipcMemHandle handle;
    CUdeviceptr address;
    CHECK(hear(socket, &handle, sizeof handle, NULL));
    CHECK(cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) == CUDA_ERROR_INVALID_VALUE);
    CHECK(address == 0);
    return 0;
}

static void a_freed_block_is_not_opened(void **state)
{
    CUdeviceptr address;
    CUipcMemHandle handle;
    (void)state;
    if (!simulated())
        skip(); /* undefined */
    struct other_process other = start_other("late");
    assert_ok(cuMemAlloc(&address, 4 * MIB));
    assert_ok(cuIpcGetMemHandle(&handle, address));
    assert_ok(cuMemFree(address));
    assert_true(tell(other.socket, &handle, sizeof handle, -1));
    end_other(other);
}

static int other_pool(int socket)
{
    CUmemPoolPtrExportData data;
    CUmemoryPool pool;
    CUdeviceptr address, again, taken;
    CUstream stream;
    int fd = -1;
    CHECK(hear(socket, &data, sizeof data, &fd));
    CHECK(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                             0) == CUDA_SUCCESS);
    close(fd);
    CHECK(cuStreamCreate(&stream, 0) == CUDA_SUCCESS);
    CHECK(cuMemAllocFromPoolAsync(&taken, 100, pool, stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuDeviceSetMemPool(0, pool) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemPoolImportPointer(&address, pool, &data) == CUDA_SUCCESS);
    CHECK(cuMemPoolImportPointer(&again, pool, &data) == CUDA_SUCCESS);
    CHECK(again == address);
    exchange(address);
    CHECK(cuMemFreeAsync(address, stream) == CUDA_SUCCESS);
    CHECK(cuMemFreeAsync(address, stream) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(cuMemPoolDestroy(pool) == CUDA_SUCCESS);
    CHECK(tell_done(socket));
    return 0;
}

static void a_pool_and_its_block_are_shared(void **state)
{
    struct other_process other = start_other("pool");
    CUmemPoolProps wanted = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                             .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                             .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    CUmemoryPool pool;
    CUmemPoolPtrExportData data;
    CUdeviceptr first, address;
    int fd = -1;
    (void)state;
    assert_ok(cuMemPoolCreate(&pool, &wanted));
    assert_ok(cuMemAllocFromPoolAsync(&first, 100, pool, 0));
    assert_ok(cuMemAllocFromPoolAsync(&address, 5000, pool, 0));
    write_ours(address);
    assert_ok(cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    assert_ok(cuMemPoolExportPointer(&data, address));
    assert_true(tell(other.socket, &data, sizeof data, fd));
    assert_true(hear_done(other.socket));
    expect_theirs(address);
    end_other(other);
    close(fd);
    assert_ok(cuMemFreeAsync(address, 0));
    assert_ok(cuMemFreeAsync(first, 0));
    assert_ok(cuMemPoolDestroy(pool));
    assert_ok(cuCtxSynchronize());
    assert_int_equal(free_bytes(), free_at_first());
}

static void a_pool_made_for_one_process_stays_there(void **state)
{
    CUmemoryPool pool;
    CUdeviceptr block;
    CUmemPoolPtrExportData data;
    int fd = -1;
    (void)state;
    assert_ok(cuDeviceGetDefaultMemPool(&pool, 0));
    assert_int_equal(cuMemPoolExportToShareableHandle(&fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
                     CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemAllocAsync(&block, 100, 0));
    assert_int_equal(cuMemPoolExportPointer(&data, block), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFreeAsync(block, 0));
    assert_ok(cuCtxSynchronize());
}

static int other_event(int socket)
{
    CUipcEventHandle handle;
    CUevent event;
    CHECK(hear(socket, &handle, sizeof handle, NULL));
    CHECK(cuIpcOpenEventHandle(&event, handle) == CUDA_SUCCESS);
    CHECK(cuEventSynchronize(event) == CUDA_SUCCESS);
    CHECK(cuEventQuery(event) == CUDA_SUCCESS);
    CHECK(cuEventRecord(event, 0) == CUDA_SUCCESS);
    CHECK(cuEventDestroy(event) == CUDA_SUCCESS);
    CHECK(tell_done(socket));
    return 0;
}

static void an_event_is_shared(void **state)
{
    struct other_process other = start_other("event");
    CUevent event, plain, own;
    CUipcEventHandle handle;
    (void)state;
    assert_ok(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    assert_int_equal(cuIpcGetEventHandle(&handle, plain), CUDA_ERROR_INVALID_HANDLE);
    assert_ok(cuEventDestroy(plain));
    assert_ok(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    assert_ok(cuIpcGetEventHandle(&handle, event));
    assert_ok(cuEventRecord(event, 0));
    assert_int_equal(cuIpcOpenEventHandle(&own, handle), CUDA_ERROR_INVALID_CONTEXT);
    assert_true(tell(other.socket, &handle, sizeof handle, -1));
    assert_true(hear_done(other.socket));
    assert_ok(cuEventSynchronize(event));
    end_other(other);
    assert_ok(cuEventDestroy(event));
}

/* Each process adds its own first device. */
static int other_member(int socket)
{
    CUmemGenericAllocationHandle object;
    char none;
    int fd = -1;
    CHECK(hear(socket, &none, 1, &fd));
    CHECK(import_handle(&object, fd) == CUDA_SUCCESS);
    close(fd);
    usleep(50000);
    CHECK(tell_done(socket)); /* before the test can go on */
    CHECK(cuMulticastAddDevice(object, 0) == CUDA_SUCCESS);
    CHECK(cuMulticastAddDevice(object, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemRelease(object) == CUDA_SUCCESS);
    return 0;
}

static void a_multicast_team_spans_processes(void **state)
{
    CUmulticastObjectProp wanted = {
        .numDevices = 2, .size = 2 * MIB, .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR};
    CUmemGenericAllocationHandle object, private, shared;
    (void)state;
    if (!simulated())
        skip(); /* takes one GPU for each process */
    private = create(2 * MIB, CU_MEM_HANDLE_TYPE_NONE);
    shared = create(2 * MIB, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    struct other_process other = start_other("member");
    assert_ok(cuMulticastCreate(&object, &wanted));
    int fd = export_handle(object);
    assert_ok(cuMulticastAddDevice(object, 0));
    assert_true(tell(other.socket, "", 1, fd));
    assert_ok(cuMulticastBindMem(object, 0, shared, 0, 2 * MIB, 0)); /* waits for the other process */
    assert_true(hear_done(other.socket));
    assert_ok(cuMulticastUnbind(object, 0, 0, 2 * MIB));
    assert_int_equal(cuMulticastBindMem(object, 0, private, 0, 2 * MIB, 0), CUDA_ERROR_INVALID_VALUE);
    end_other(other);
    close(fd);
    assert_ok(cuMemRelease(object));
    assert_ok(cuMemRelease(shared));
    assert_ok(cuMemRelease(private));
    assert_int_equal(free_bytes(), free_at_first());
}

static int play(const char *part, int socket)
{
    static const struct {
        const char *name;
        int (*play)(int socket);
    } parts[] = {{"physical", other_physical}, {"block", other_block}, {"holder", other_holder}, {"late", other_late},
                 {"pool", other_pool},         {"event", other_event}, {"member", other_member}};
    CUcontext context;
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(parts[i].name, part) == 0)
            return parts[i].play(socket);
    }
    return 1;
}

#define shared(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        shared(physical_memory_has_one_count_in_its_process),
        shared(a_descriptor_holds_what_was_exported),
        shared(only_what_was_made_for_it_is_exported),
        shared(physical_memory_is_shared),
        shared(a_block_is_opened_by_another_process),
        shared(a_freed_block_stays_while_it_is_open),
        shared(a_freed_block_is_not_opened),
        shared(a_pool_and_its_block_are_shared),
        shared(a_pool_made_for_one_process_stays_there),
        shared(an_event_is_shared),
        shared(a_multicast_team_spans_processes),
    };
    if (argc == 3 && strcmp(argv[0], "other") == 0)
        return play(argv[1], atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
