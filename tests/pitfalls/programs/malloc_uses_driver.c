/* A preload whose malloc calls the driver under its own lock, the process's first driver call included: an allocator
 * for host and device memory does that. Its lock does not recurse. */
#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#pragma GCC visibility push(default)

void *__libc_malloc(size_t bytes);
void __libc_free(void *memory);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside __attribute__((tls_model("initial-exec")));
volatile int malloc_may_use_driver;
static int ready;

static void take_and_give(void)
{
    CUcontext context = NULL;
    CUdeviceptr p;
    if (!ready) {
        ready = cuInit(0) == CUDA_SUCCESS && cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS;
        cuCtxSetCurrent(context);
    }
    if (ready && cuMemAlloc(&p, 64) == CUDA_SUCCESS)
        cuMemFree(p);
}

void *malloc(size_t bytes)
{
    if (!malloc_may_use_driver)
        return __libc_malloc(bytes);
    static const char accusation[] = "malloc was called from below its own driver call\n";
    if (inside) {
        if (write(1, accusation, sizeof accusation - 1) > 0)
            _exit(9);
    }
    pthread_mutex_lock(&mutex);
    inside = 1;
    take_and_give();
    inside = 0;
    pthread_mutex_unlock(&mutex);
    return __libc_malloc(bytes);
}

void free(void *memory)
{
    __libc_free(memory);
}
