/* What the small programs of the tests share. They print what they see; a script compares it with a run without the
 * tracer. */
#ifndef GMT_TESTS_PROGRAM_H
#define GMT_TESTS_PROGRAM_H

#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with a line when a driver call fails. */
#define CU(call)                                                                                                       \
    do {                                                                                                               \
        CUresult code_ = (call);                                                                                       \
        if (code_ != CUDA_SUCCESS) {                                                                                   \
            printf("%s: code %d\n", #call, (int)code_);                                                                \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Makes the device's primary context current in this thread. */
static inline void use_device(void)
{
    CUcontext context;
    CU(cuInit(0));
    CU(cuDevicePrimaryCtxRetain(&context, 0));
    CU(cuCtxSetCurrent(context));
}

#endif
