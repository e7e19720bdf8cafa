/* What the runtime answers to frees that come at the end of the process, before and after its own exit handlers.
 *
 *     cc -DLATE_LIBRARY -shared -fPIC late_free.c -o liblate_free.so
 *     cc late_free.c -I CUDA/include CUDA/lib/libcudart.so.13 liblate_free.so -o late_free
 *
 * The library is named after the runtime, so that its destructor runs after the runtime's. */
#include <stddef.h>

/* To be called by the library's destructor. */
void late_free_register(void (*function)(const char *when));

#ifdef LATE_LIBRARY

static void (*registered)(const char *when);

void late_free_register(void (*function)(const char *when))
{
    registered = function;
}

__attribute__((destructor)) static void end(void)
{
    if (registered)
        registered("library_after_runtime");
}

#else

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOMENTS 6

static struct {
    void *block, *stream_block, *pinned;
    cudaStream_t stream;
    cudaEvent_t event;
    int is_made;
} owned[MOMENTS];
static int moment;

static void make(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        cudaError_t code = cudaMalloc(&owned[i].block, 4 << 20);
        if (code == cudaSuccess)
            code = cudaStreamCreate(&owned[i].stream);
        if (code != cudaSuccess) {
            printf("fact 9.late: cannot: cudaMalloc_or_cudaStreamCreate=%d\n", code);
            fflush(stdout);
            _exit(0);
        }
        code = cudaMallocAsync(&owned[i].stream_block, 1 << 20, owned[i].stream);
        cudaError_t host_code = cudaMallocHost(&owned[i].pinned, 1 << 20);
        cudaError_t event_code = cudaEventCreate(&owned[i].event);
        if (i == 0)
            printf("fact 9.late: made cudaMallocAsync=%d cudaMallocHost=%d cudaEventCreate=%d\n", code, host_code,
                   event_code);
        owned[i].is_made = 1;
    }
}

static void tell(const char *when, const char *call, cudaError_t code)
{
    printf("fact 9.late: %s %s=%d\n", when, call, code);
    fflush(stdout);
}

static void give(const char *when)
{
    int i = moment++;
    if (!owned[i].is_made)
        return;
    tell(when, "cudaFree", cudaFree(owned[i].block));
    tell(when, "cudaFreeAsync", cudaFreeAsync(owned[i].stream_block, owned[i].stream));
    tell(when, "cudaFreeHost", cudaFreeHost(owned[i].pinned));
    tell(when, "cudaEventDestroy", cudaEventDestroy(owned[i].event));
    tell(when, "cudaStreamDestroy", cudaStreamDestroy(owned[i].stream));
    tell(when, "cudaGetLastError", cudaGetLastError());
}

static void before_runtime(void)
{
    give("atexit_after_first_call");
}

static void after_runtime(void)
{
    give("atexit_before_first_call");
}

static void from_constructor(void)
{
    give("atexit_in_constructor");
}

__attribute__((constructor)) static void start(void)
{
    atexit(from_constructor);
}

__attribute__((destructor)) static void end(void)
{
    give("destructor_of_program");
}

int main(void)
{
    late_free_register(give);
    atexit(after_runtime);
    make();
    atexit(before_runtime);
    give("in_main");
    return 0;
}

#endif
