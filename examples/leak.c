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
