/* Two plug-ins of one shape at one base: the call lies at the same address in both, below frames of different size. */
#include "program.h"

__attribute__((visibility("default"))) void leak(size_t bytes)
{
    CUdeviceptr p;
    volatile char frame[FRAME_BYTES];
    frame[0] = 1;
    CU(cuMemAlloc(&p, bytes));
    frame[FRAME_BYTES - 1] = 2;
    if (frame[0] != 1)
        abort();
}
