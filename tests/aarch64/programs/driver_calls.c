/* The simulated driver's entry code: arguments in registers and on the stack arrive, and calls without a body answer.
 * Prints the results. */
#include "program.h"

static const char text[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry kernel(){ret;}\n";

static void launch(const char *what, CUfunction kernel, unsigned block_z, unsigned shared, CUstream stream)
{
    printf("%s: %d\n", what, cuLaunchKernel(kernel, 1, 2, 3, 4, 5, block_z, shared, stream, NULL, NULL));
}

int main(void)
{
    CUmodule module;
    CUfunction kernel;
    CUstream stream;
    CUdeviceptr block;
    unsigned char bytes[8] = {0};
    use_device();
    CU(cuModuleLoadData(&module, text));
    CU(cuModuleGetFunction(&kernel, module, "kernel"));
    CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    launch("launch", kernel, 6, 1024, stream);
    launch("launch in the default stream", kernel, 6, 1024, NULL);
    launch("launch in no stream", kernel, 6, 1024, (CUstream)0x1234560); /* the ninth argument */
    launch("launch of too much", kernel, 65, 1024, stream);              /* the seventh */
    launch("launch with too much memory", kernel, 6, 1u << 30, stream);  /* the eighth */
    printf("without a body: %d\n", cuGraphDebugDotPrint(NULL, "", 0));
    CU(cuMemAlloc(&block, 4096));
    CU(cuMemsetD2D8(block, 256, 7, 2, 3));
    CU(cuMemcpyDtoH(bytes, block + 256, sizeof bytes));
    printf("fill: %d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    CU(cuMemFree(block));
    return 0;
}
