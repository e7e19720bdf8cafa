/* What nvcc's start-up code registers: fat binaries with their kernels and variables. Prototypes as crt/host_runtime.h
 * has them, which cannot be included outside nvcc.
 */
#ifndef GMT_SIMULATOR_RUNTIME_REGISTRATION_H
#define GMT_SIMULATOR_RUNTIME_REGISTRATION_H

#include "simulator/runtime/runtime.h"

struct gmt_rt_symbol {
    const void *host; /* what the program passes: the host function, the host variable */
    struct gmt_rt_binary *binary;
    struct gmt_rt_symbol *next; /* of the same binary */
    char *name;
    bool is_variable, managed;
    size_t bytes;
    void **managed_address; /* where a managed variable's address is kept, for the program to read */
    CUkernel kernel;        /* of a function, once asked for */
};

/* The registered symbol of a host address, or whose managed memory starts there; NULL for none. Thread-safe. */
struct gmt_rt_symbol *gmt_rt_symbol_find(const void *host);

/* Loads the binary into the driver if that has not happened yet, and places its managed variables. Thread-safe. */
cudaError_t gmt_rt_binary_load(struct gmt_rt_binary *binary, CUlibrary *library_out);

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int thread_limit,
                            uint3 *thread, uint3 *block, dim3 *block_dim, dim3 *grid_dim, int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
                              int constant, int global);
char __cudaInitModule(void **handle);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                                    cudaStream_t stream);

#endif
