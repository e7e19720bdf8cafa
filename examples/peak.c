/* Frees everything, and still needs 4 GiB for a moment: the table beside the index, not the index, is what a
 * smaller device has no room for.
 *
 *     $ gpumemtrace run --full --simulate 8GiB -- ./peak
 *     peak: 8 queries answered
 *     gpumemtrace: no leaks in ./peak (pid 4711, on the simulated device): 11 blocks were taken and all were freed; peak 4.00 GiB on device 0 (Simulated NVIDIA GPU)
 *
 *     Peak of device memory on device 0 (Simulated NVIDIA GPU): 4.00 GiB in 3 blocks, 0.000 s after the start; held by
 *        56 %  2.25 GiB in 1 block: cudaMalloc in take (examples/peak.c:29) < build_index (examples/peak.c:37) < main (examples/peak.c:54)
 *        25 %  1.00 GiB in 1 block: cudaMalloc in take (examples/peak.c:29) < main (examples/peak.c:53)
 *        19 %  768.0 MiB in 1 block: cudaMalloc in take (examples/peak.c:29) < build_index (examples/peak.c:38) < main (examples/peak.c:54)
 *
 *     Totals of device 0 (Simulated NVIDIA GPU), 8.00 GiB
 *       device memory: all freed, peak 4.00 GiB, taken in all 4.50 GiB in 11 blocks
 *
 *     Contexts
 *       device 0 (Simulated NVIDIA GPU), primary: made 0.000 s after the start by cudaMalloc in take (examples/peak.c:29) < main (examples/peak.c:53)
 *
 *     Coverage: 306 calls to 7 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 1.00 MiB of host memory and none of the device's.
 */
#include "check.h"

#define MIB ((size_t)1 << 20)

static void *take(size_t bytes)
{
    void *buffer;
    CHECK(cudaMalloc(&buffer, bytes));
    CHECK(cudaMemset(buffer, 0, bytes < MIB ? bytes : MIB));
    return buffer;
}

/* Needs a table beside its output: the largest moment of the program, over before anybody looks. */
static void *build_index(size_t bytes)
{
    void *table = take(3 * bytes);
    void *index = take(bytes);
    CHECK(cudaFree(table));
    return index;
}

static void search(void)
{
    for (int query = 0; query < 8; query++) {
        void *candidates = take(64 * MIB);
        CHECK(cudaFree(candidates));
    }
}

int main(void)
{
    void *vectors = take(1024 * MIB);
    void *index = build_index(768 * MIB);
    search();
    CHECK(cudaFree(index));
    CHECK(cudaFree(vectors));
    printf("peak: 8 queries answered\n");
    return 0;
}
