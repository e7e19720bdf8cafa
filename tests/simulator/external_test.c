/* Memory and semaphores of other APIs, by file descriptor; what is exported from here, or any file, stands for theirs.
 * Run on the simulated device only: a GPU's driver wants the other API's own. */
#include "simulator/simulated.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static CUDA_EXTERNAL_MEMORY_HANDLE_DESC described(int fd, uint64_t bytes)
{
    return (CUDA_EXTERNAL_MEMORY_HANDLE_DESC){
        .type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, .handle = {.fd = fd}, .size = bytes};
}

/* A descriptor of 4 MiB of the device, which count while the handle is not released. */
static int exported(CUmemGenericAllocationHandle *handle)
{
    CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                  .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
    int fd = -1;
    assert_ok(cuMemCreate(handle, 4 * MIB, &wanted, 0));
    assert_ok(cuMemExportToShareableHandle(&fd, *handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    return fd;
}

static void buffers_are_parts_of_the_memory(void **state)
{
    CUmemGenericAllocationHandle handle;
    int fd = exported(&handle);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = described(fd, 4 * MIB);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole = {.offset = 0, .size = 4 * MIB},
                                     part = {.offset = 1000 * 1000, .size = 100 * 1000},
                                     outside = {.offset = 4 * MIB - 10, .size = 11};
    CUexternalMemory external;
    CUdeviceptr all, some, none;
    char read[10] = "";
    (void)state;
    assert_ok(cuImportExternalMemory(&external, &memory));
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    assert_ok(cuExternalMemoryGetMappedBuffer(&all, external, &whole));
    assert_ok(cuExternalMemoryGetMappedBuffer(&some, external, &part));
    assert_int_equal(cuExternalMemoryGetMappedBuffer(&none, external, &outside), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    assert_ok(cuMemcpyHtoD(all + 1000 * 1000 + 5, "inside", 7));
    assert_ok(cuMemcpyDtoH(read, some + 5, 7));
    assert_string_equal(read, "inside");
    assert_int_equal(cuMemcpyDtoH(read, some + 100 * 1000 - 1, 2), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuMemFree(some));
    assert_ok(cuMemFree(all));
    assert_int_equal(cuMemFree(all), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuDestroyExternalMemory(external));
    assert_int_equal(fcntl(fd, F_GETFD), -1); /* the driver has closed it */
    assert_int_equal(cuDestroyExternalMemory(external), CUDA_ERROR_INVALID_HANDLE);
    assert_ok(cuMemRelease(handle));
    assert_int_equal(free_bytes(), free_at_first());
}

static void a_mipmapped_array_lies_in_the_memory(void **state)
{
    CUmemGenericAllocationHandle handle;
    int fd = exported(&handle);
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = described(fd, 4 * MIB);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole = {.offset = 0, .size = 4 * MIB};
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC wanted = {
        .offset = 65536, .arrayDesc = {256, 256, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, .numLevels = 2};
    CUexternalMemory external;
    CUmipmappedArray mipmap;
    CUarray level;
    CUdeviceptr all;
    char read[10] = "";
    (void)state;
    assert_ok(cuImportExternalMemory(&external, &memory));
    assert_ok(cuExternalMemoryGetMappedMipmappedArray(&mipmap, external, &wanted));
    assert_int_equal(free_bytes(), free_at_first() - 4194304);
    assert_ok(cuMipmappedArrayGetLevel(&level, mipmap, 0));
    assert_ok(cuMemcpyHtoA(level, 0, "texels", 7));
    assert_ok(cuExternalMemoryGetMappedBuffer(&all, external, &whole));
    assert_ok(cuMemcpyDtoH(read, all + 65536, 7));
    assert_string_equal(read, "texels");
    assert_ok(cuMemFree(all));
    assert_ok(cuMipmappedArrayDestroy(mipmap));
    wanted.arrayDesc.Height = 65536;
    assert_int_equal(cuExternalMemoryGetMappedMipmappedArray(&mipmap, external, &wanted), CUDA_ERROR_INVALID_VALUE);
    assert_ok(cuDestroyExternalMemory(external));
    assert_ok(cuMemRelease(handle));
}

static void any_file_stands_for_another_apis_memory(void **state)
{
    int fd = memfd_create("memory", 0), pipes[2];
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory = described(fd, 100000);
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC end = {.offset = 90000, .size = 10000};
    CUexternalMemory external;
    CUdeviceptr buffer;
    char read[4] = "";
    (void)state;
    assert_int_equal(ftruncate(fd, 100000), 0);
    assert_int_equal(pwrite(fd, "abc", 4, 99996), 4);
    assert_ok(cuImportExternalMemory(&external, &memory));
    assert_ok(cuExternalMemoryGetMappedBuffer(&buffer, external, &end));
    assert_ok(cuMemcpyDtoH(read, buffer + 9996, 4));
    assert_string_equal(read, "abc");
    assert_ok(cuDestroyExternalMemory(external));
    assert_ok(cuMemFree(buffer));
    assert_int_equal(pipe(pipes), 0);
    memory = described(pipes[0], 4096);
    assert_int_equal(cuImportExternalMemory(&external, &memory), CUDA_ERROR_OPERATING_SYSTEM);
    assert_int_equal(close(pipes[0]), 0);
    close(pipes[1]);
}

static void semaphores_are_accepted(void **state)
{
    int pipes[2];
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC wanted = {.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD};
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {.params = {.fence = {.value = 1}}};
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {.params = {.fence = {.value = 1}}};
    CUexternalSemaphore semaphore;
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    wanted.handle.fd = pipes[0];
    assert_ok(cuImportExternalSemaphore(&semaphore, &wanted));
    assert_ok(cuSignalExternalSemaphoresAsync(&semaphore, &signal, 1, 0));
    assert_ok(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, 0));
    assert_ok(cuDestroyExternalSemaphore(semaphore));
    assert_int_equal(fcntl(pipes[0], F_GETFD), -1);
    assert_int_equal(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, 0), CUDA_ERROR_INVALID_HANDLE);
    assert_int_equal(cuDestroyExternalSemaphore(semaphore), CUDA_ERROR_INVALID_HANDLE);
    close(pipes[1]);
}

#define external(test) cmocka_unit_test_setup_teardown(test, use_primary, release_primary)

int main(void)
{
    const struct CMUnitTest tests[] = {
        external(buffers_are_parts_of_the_memory),
        external(a_mipmapped_array_lies_in_the_memory),
        external(any_file_stands_for_another_apis_memory),
        external(semaphores_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
