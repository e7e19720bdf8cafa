/* Blocks, pools, events and memory of other APIs through the runtime. */
#include "simulator/other_process.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#define assert_ok(call) assert_int_equal(call, cudaSuccess)

static const char ours[16] = "from the test", theirs[16] = "from the other";

static void exchange(void *block)
{
    char read[sizeof ours] = "";
    CHECK(cudaMemcpy(read, block, sizeof read, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(memcmp(read, ours, sizeof read) == 0);
    CHECK(cudaMemcpy(block, theirs, sizeof theirs, cudaMemcpyHostToDevice) == cudaSuccess);
}

static void expect_theirs(const void *block)
{
    char read[sizeof theirs] = "";
    assert_ok(cudaMemcpy(read, block, sizeof read, cudaMemcpyDeviceToHost));
    assert_string_equal(read, "from the other");
}

/* What the test sends: a block with an event, and a block of a pool, of which the descriptor comes along. */
struct sent {
    cudaIpcMemHandle_t block;
    cudaIpcEventHandle_t event;
    struct cudaMemPoolPtrExportData pooled;
};

static int play(int socket)
{
    struct sent sent;
    cudaMemPool_t pool;
    cudaEvent_t event;
    void *block, *pooled;
    int fd = -1;
    CHECK(hear(socket, &sent, sizeof sent, &fd));
    CHECK(cudaIpcOpenMemHandle(&block, sent.block, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess);
    CHECK(cudaIpcOpenEventHandle(&event, sent.event) == cudaSuccess);
    CHECK(cudaEventSynchronize(event) == cudaSuccess);
    exchange(block);
    CHECK(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd, cudaMemHandleTypePosixFileDescriptor, 0) ==
          cudaSuccess);
    CHECK(cudaMemPoolImportPointer(&pooled, pool, &sent.pooled) == cudaSuccess);
    exchange(pooled);
    CHECK(cudaFreeAsync(pooled, 0) == cudaSuccess);
    CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
    CHECK(cudaIpcCloseMemHandle(block) == cudaSuccess);
    CHECK(cudaIpcCloseMemHandle(block) == cudaErrorInvalidValue);
    CHECK(cudaEventDestroy(event) == cudaSuccess);
    CHECK(tell(socket, "", 1, -1));
    return 0;
}

static void blocks_pools_and_events_are_shared(void **state)
{
    struct cudaMemPoolProps wanted = {.allocType = cudaMemAllocationTypePinned,
                                      .handleTypes = cudaMemHandleTypePosixFileDescriptor,
                                      .location = {.type = cudaMemLocationTypeDevice, .id = 0}};
    struct other_process other = start_other("all");
    struct sent sent;
    cudaMemPool_t pool;
    cudaEvent_t event;
    void *block, *pooled, *own;
    char done;
    int fd = -1;
    (void)state;
    assert_ok(cudaMalloc(&block, 1000));
    assert_ok(cudaMemcpy(block, ours, sizeof ours, cudaMemcpyHostToDevice));
    assert_ok(cudaIpcGetMemHandle(&sent.block, block));
    assert_int_equal(cudaIpcOpenMemHandle(&own, sent.block, cudaIpcMemLazyEnablePeerAccess),
                     cudaErrorDeviceUninitialized);
    assert_ok(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    assert_ok(cudaIpcGetEventHandle(&sent.event, event));
    assert_ok(cudaMemPoolCreate(&pool, &wanted));
    assert_ok(cudaMallocFromPoolAsync(&pooled, 1000, pool, 0));
    assert_ok(cudaMemcpy(pooled, ours, sizeof ours, cudaMemcpyHostToDevice));
    assert_ok(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    assert_ok(cudaMemPoolExportPointer(&sent.pooled, pooled));
    assert_true(tell(other.socket, &sent, sizeof sent, fd));
    assert_true(hear(other.socket, &done, 1, NULL));
    expect_theirs(block);
    expect_theirs(pooled);
    end_other(other);
    close(fd);
    assert_ok(cudaFree(block));
    assert_ok(cudaFreeAsync(pooled, 0));
    assert_ok(cudaMemPoolDestroy(pool));
    assert_ok(cudaEventDestroy(event));
    cudaGetLastError();
}

static void memory_of_other_apis_is_mapped(void **state)
{
    struct cudaExternalMemoryHandleDesc memory = {.type = cudaExternalMemoryHandleTypeOpaqueFd, .size = 1 << 20};
    struct cudaExternalMemoryBufferDesc part = {.offset = 65536, .size = 1000};
    struct cudaExternalMemoryMipmappedArrayDesc wanted = {
        .offset = 0, .formatDesc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned}, .extent = {64, 64, 0}, .numLevels = 1};
    cudaExternalMemory_t external;
    cudaMipmappedArray_t array;
    void *buffer;
    (void)state;
    memory.handle.fd = memfd_create("memory", 0);
    assert_int_equal(ftruncate(memory.handle.fd, 1 << 20), 0);
    assert_ok(cudaImportExternalMemory(&external, &memory));
    assert_ok(cudaExternalMemoryGetMappedBuffer(&buffer, external, &part));
    assert_ok(cudaMemset(buffer, 1, 1000));
    assert_ok(cudaFree(buffer));
    assert_ok(cudaExternalMemoryGetMappedMipmappedArray(&array, external, &wanted));
    assert_ok(cudaFreeMipmappedArray(array));
    assert_ok(cudaDestroyExternalMemory(external));
    assert_int_equal(cudaDestroyExternalMemory(external), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static void semaphores_of_other_apis_are_accepted(void **state)
{
    struct cudaExternalSemaphoreHandleDesc wanted = {.type = cudaExternalSemaphoreHandleTypeOpaqueFd};
    struct cudaExternalSemaphoreSignalParams signal = {.flags = 0};
    struct cudaExternalSemaphoreWaitParams wait = {.flags = 0};
    cudaExternalSemaphore_t semaphore;
    (void)state;
    wanted.handle.fd = memfd_create("semaphore", 0);
    assert_ok(cudaImportExternalSemaphore(&semaphore, &wanted));
    assert_ok(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, 0));
    assert_ok(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, 0));
    assert_ok(cudaDestroyExternalSemaphore(semaphore));
    assert_int_equal(cudaDestroyExternalSemaphore(semaphore), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_pools_and_events_are_shared),
        cmocka_unit_test(memory_of_other_apis_is_mapped),
        cmocka_unit_test(semaphores_of_other_apis_are_accepted),
    };
    if (argc == 3 && strcmp(argv[0], "other") == 0)
        return play(atoi(argv[2]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
