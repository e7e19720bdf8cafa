/* Forgets a buffer on its error branch: every tenth frame is damaged, and each damaged one keeps 4 MiB.
 *
 *     $ gpumemtrace run --simulate 8GiB -- ./leak
 *     leak: 100 frames, 10 damaged
 *     gpumemtrace: LEAK in ./leak (pid 4711, on the simulated device): 10 blocks, 40.00 MiB, were never freed, at 1 call site
 *
 *     Leak 1 of 1: 40.00 MiB in 10 blocks of 4.00 MiB, device memory on device 0 (Simulated NVIDIA GPU), taken by cudaMalloc
 *         > process  examples/leak.c:33
 *           main     examples/leak.c:50
 *           90 other blocks from here were freed, the last by cudaFree in process (examples/leak.c:38) < main (examples/leak.c:50)
 *
 *     Peak of device memory on device 0 (Simulated NVIDIA GPU): 40.00 MiB in 10 blocks, 0.268 s after the start; held by
 *       100 %  40.00 MiB in 10 blocks: cudaMalloc in process (examples/leak.c:33) < main (examples/leak.c:50)
 *
 *     Totals of device 0 (Simulated NVIDIA GPU), 8.00 GiB
 *       device memory: never freed 40.00 MiB in 10 blocks, peak 40.00 MiB, taken in all 400.0 MiB in 100 blocks
 *
 *     Coverage: 653 calls to 8 functions went through the hooks. The driver's functions were asked for by libcudart.so.13 (1 by dlsym, 130 by cuGetProcAddress)
 *       The tracer used 1.00 MiB of host memory and none of the device's.
 *
 *     Next: free them; then keep it so with: gpumemtrace run --simulate 8GiB --leak-check -- ./leak
 */
#include "check.h"
#include <string.h>

#define FRAME_BYTES (4u << 20)
#define FRAMES 100

/* Sends a frame to the device and back. Returns -1 for a damaged frame. */
static int process(unsigned char *frame)
{
    void *device_frame;
    CHECK(cudaMalloc(&device_frame, FRAME_BYTES));
    CHECK(cudaMemcpy(device_frame, frame, FRAME_BYTES, cudaMemcpyHostToDevice));
    if (frame[0] == 0xff)
        return -1; /* the mistake: device_frame stays taken */
    CHECK(cudaMemcpy(frame, device_frame, FRAME_BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_frame));
    return 0;
}

int main(void)
{
    int damaged = 0;
    unsigned char *frame = malloc(FRAME_BYTES);
    if (frame == NULL)
        return 1;
    for (int i = 0; i < FRAMES; i++) {
        memset(frame, i % 10 == 9 ? 0xff : i, FRAME_BYTES);
        if (process(frame) != 0)
            damaged++;
    }
    free(frame);
    printf("leak: %d frames, %d damaged\n", FRAMES, damaged);
    return 0;
}
