/* What a kernel tells about itself and lets be set; libraries that the program loads itself. */
#include <string.h>

#include "simulator/runtime/runtime.h"

/* What is not asked for stays zero. */
static CUresult read_attributes(struct cudaFuncAttributes *attributes, CUfunction kernel)
{
    int value;
    CUresult result = CUDA_SUCCESS;
    memset(attributes, 0, sizeof *attributes);
#define READ(field, attribute)                                                                                         \
    if (result == CUDA_SUCCESS)                                                                                        \
        result = gmt_rt_legacy.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_##attribute, kernel);                      \
    if (result == CUDA_SUCCESS)                                                                                        \
        attributes->field = (typeof(attributes->field))value;
    READ(sharedSizeBytes, SHARED_SIZE_BYTES)
    READ(constSizeBytes, CONST_SIZE_BYTES)
    READ(localSizeBytes, LOCAL_SIZE_BYTES)
    READ(maxThreadsPerBlock, MAX_THREADS_PER_BLOCK)
    READ(numRegs, NUM_REGS)
    READ(ptxVersion, PTX_VERSION)
    READ(binaryVersion, BINARY_VERSION)
    READ(cacheModeCA, CACHE_MODE_CA)
    READ(maxDynamicSharedSizeBytes, MAX_DYNAMIC_SHARED_SIZE_BYTES)
    READ(preferredShmemCarveout, PREFERRED_SHARED_MEMORY_CARVEOUT)
#undef READ
    return result;
}

/* Begins, and gives the driver's handle of a kernel. */
static cudaError_t begin_kernel(const void *function, CUfunction *kernel_out)
{
    cudaError_t error = gmt_rt_begin();
    return error == cudaSuccess ? gmt_rt_kernel(function, kernel_out) : error;
}

cudaError_t gmt_rt_function_attributes(struct cudaFuncAttributes *attributes, const void *function)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = attributes ? gmt_rt_error(read_attributes(attributes, kernel)) : cudaErrorInvalidValue;
    return error;
}

/* The runtime's attributes have the driver's numbers. */
GMT_RT_API cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuFuncSetAttribute(kernel, (CUfunction_attribute)attribute, value));
    return gmt_rt_end(error);
}

GMT_RT_API cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuFuncSetCacheConfig(kernel, (CUfunc_cache)config));
    return gmt_rt_end(error);
}

GMT_RT_API cudaFuncGetName(const char **name, const void *function)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuFuncGetName(name, kernel));
    return gmt_rt_end(error);
}

static cudaError_t max_blocks(int *blocks, const void *function, int threads, size_t shared, unsigned int flags)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error != cudaSuccess)
        return error;
    return gmt_rt_error(
        gmt_rt_legacy.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, flags));
}

GMT_RT_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared)
{
    return gmt_rt_end(max_blocks(blocks, function, threads, shared, 0));
}

GMT_RT_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                  size_t shared, unsigned int flags)
{
    return gmt_rt_end(max_blocks(blocks, function, threads, shared, flags));
}

GMT_RT_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads)
{
    CUfunction kernel;
    cudaError_t error = begin_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuOccupancyAvailableDynamicSMemPerBlock(bytes, kernel, blocks, threads));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                               void **jit_values, unsigned int jit_count, enum cudaLibraryOption *options,
                               void **values, unsigned int count)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryLoadData((CUlibrary *)library, code, (CUjit_option *)jit_options,
                                                             jit_values, jit_count, (CUlibraryOption *)options, values,
                                                             count));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *jit_options,
                                   void **jit_values, unsigned int jit_count, enum cudaLibraryOption *options,
                                   void **values, unsigned int count)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryLoadFromFile((CUlibrary *)library, path,
                                                                 (CUjit_option *)jit_options, jit_values, jit_count,
                                                                 (CUlibraryOption *)options, values, count));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryUnload(cudaLibrary_t library)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryUnload((CUlibrary)library));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryGetKernel((CUkernel *)kernel, (CUlibrary)library, name));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryGetGlobal((CUdeviceptr *)address, bytes, (CUlibrary)library, name));
    return gmt_rt_end(error);
}

GMT_RT_API cudaLibraryGetManaged(void **address, size_t *bytes, cudaLibrary_t library, const char *name)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error =
            gmt_rt_error(gmt_rt_legacy.cuLibraryGetManaged((CUdeviceptr *)address, bytes, (CUlibrary)library, name));
    return gmt_rt_end(error);
}

GMT_RT_API cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device)
{
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess) {
        CUfunction_attribute wanted = (CUfunction_attribute)attribute;
        error = gmt_rt_error(gmt_rt_legacy.cuKernelSetAttribute(wanted, value, (CUkernel)kernel, device));
    }
    return gmt_rt_end(error);
}
