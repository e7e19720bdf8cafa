/* Memory trouble of many sorts, one each per run: `troubles NAME`. What a report has to say of each is in
 * troubles_test.py. Results are looked at by nobody, as in the programs that have such trouble. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define MIB ((size_t)1 << 20)
#define GRANULE (2 * MIB)
#define PLACE ((void *)0x700000000000)

NOINLINE static void *take(void)
{
    void *block = NULL;
    cudaMalloc(&block, MIB);
    return block;
}

NOINLINE static void give(void *block)
{
    cudaFree(block);
}

/* An event for each step, none destroyed. */
static void events(void)
{
    for (int i = 0; i < 20000; i++) {
        cudaEvent_t event;
        cudaEventCreate(&event);
        cudaEventRecord(event, NULL);
    }
}

static void second_free(void)
{
    void *block = take();
    give(block);
    give(block);
}

/* The address of the pointer, one inside of the block, one of malloc. */
static void wrong_pointers(void)
{
    void *block = take();
    cudaFree(&block);
    cudaFree((char *)block + 4096);
    char *host = malloc(100);
    cudaFree(host);
    free(host);
    give(block);
}

static void frees_of_null(void)
{
    for (int i = 0; i < 1500; i++)
        cudaFree(NULL);
}

static void *map_place(void)
{
    return mmap(PLACE, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* A registration that outlives its memory, and is in the way of the next at that address. */
static void stale_registration(void)
{
    cudaHostRegister(map_place(), MIB, cudaHostRegisterDefault);
    munmap(PLACE, MIB);
    cudaHostRegister(map_place(), MIB, cudaHostRegisterDefault);
    munmap(PLACE, MIB); /* while it is mapped again nobody can tell */
}

static void *work(void *unused)
{
    take();
    return unused;
}

static void threads(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    take();
}

static void early_return(void)
{
    void *block = take();
    if (cudaMemcpy(block, block, (size_t)1 << 50, cudaMemcpyDeviceToDevice) != cudaSuccess)
        return;
    give(block);
}

static void reset(void)
{
    cudaStream_t stream;
    take();
    cudaStreamCreate(&stream);
    cudaDeviceReset();
    give(take());
}

static void exported(void)
{
    cudaIpcMemHandle_t handle;
    void *block = take();
    cudaIpcGetMemHandle(&handle, block);
    give(block);
}

/* A context for nothing. */
static void idle_context(void)
{
    cudaFree(NULL);
}

static void pool_keeps_everything(void)
{
    cudaMemPool_t pool;
    unsigned long long most = ~0ull;
    void *block;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
    cudaMallocAsync(&block, 1024 * MIB, NULL);
    cudaFreeAsync(block, NULL);
    cudaStreamSynchronize(NULL);
    cudaMalloc(&block, (size_t)1 << 40);
}

static void stack_limit(void)
{
    void *block;
    cudaDeviceSetLimit(cudaLimitStackSize, 8192);
    cudaMalloc(&block, (size_t)1 << 40);
}

static const CUmemAllocationProp on_device = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                              .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};

static void half_a_mapping(void)
{
    CUdeviceptr range;
    CUmemGenericAllocationHandle handle;
    cudaDeviceSynchronize();
    cuMemAddressReserve(&range, 4 * GRANULE, 0, 0, 0);
    cuMemCreate(&handle, GRANULE, &on_device, 0);
    cuMemMap(range, GRANULE, 0, handle, 0);
    cuMemCreate(&handle, (size_t)1 << 40, &on_device, 0);
}

/* Two references, a mapping, and everything given back. */
static void counted_references(void)
{
    CUdeviceptr range;
    CUmemGenericAllocationHandle handle, again;
    cudaDeviceSynchronize();
    cuMemAddressReserve(&range, GRANULE, 0, 0, 0);
    cuMemCreate(&handle, GRANULE, &on_device, 0);
    cuMemMap(range, GRANULE, 0, handle, 0);
    cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)range);
    cuMemRelease(again);
    cuMemUnmap(range, GRANULE);
    cuMemRelease(handle);
    cuMemAddressFree(range, GRANULE);
}

/* Waits to be reported on, until its input ends. */
static void waits(void)
{
    threads();
    puts("ready");
    fflush(stdout);
    (void)getchar();
}

static const struct {
    const char *name;
    void (*make)(void);
} troubles[] = {
    {"events", events},
    {"second_free", second_free},
    {"wrong_pointers", wrong_pointers},
    {"frees_of_null", frees_of_null},
    {"stale_registration", stale_registration},
    {"threads", threads},
    {"early_return", early_return},
    {"reset", reset},
    {"exported", exported},
    {"idle_context", idle_context},
    {"pool_keeps_everything", pool_keeps_everything},
    {"stack_limit", stack_limit},
    {"half_a_mapping", half_a_mapping},
    {"counted_references", counted_references},
    {"waits", waits},
};

int main(int count, char **words)
{
    for (unsigned i = 0; i < sizeof troubles / sizeof troubles[0]; i++)
        if (count == 2 && strcmp(words[1], troubles[i].name) == 0) {
            troubles[i].make();
            return 0;
        }
    return 2;
}
