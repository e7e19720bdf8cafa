/* Kernel launches, from the call with triple angle brackets on. */
#include "simulator/runtime/registration.h"

enum { CONFIGURATIONS_MAX = 16 };

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

/* Between `<<<...>>>` and the stub of the kernel; nested when an argument's constructor launches a kernel itself. */
static _Thread_local struct configuration configurations[CONFIGURATIONS_MAX];
static _Thread_local int configuration_count;

GMT_RT_EXPORT unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
    if (configuration_count == CONFIGURATIONS_MAX)
        return 1;
    configurations[configuration_count++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

GMT_RT_API __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (configuration_count == 0)
        return gmt_rt_end(cudaErrorMissingConfiguration);
    struct configuration *top = &configurations[--configuration_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *(cudaStream_t *)stream = top->stream;
    return cudaSuccess;
}

/* A kernel belongs to a library of the driver, which loads it into a context at its first launch there. */
cudaError_t gmt_rt_kernel(const void *function, CUfunction *kernel_out)
{
    CUlibrary library;
    struct gmt_rt_symbol *symbol = gmt_rt_symbol_find(function);
    *kernel_out = (CUfunction)(uintptr_t)function;
    if (!symbol || symbol->is_variable)
        return cudaSuccess;
    cudaError_t error = gmt_rt_binary_load(symbol->binary, &library);
    CUkernel kernel = __atomic_load_n(&symbol->kernel, __ATOMIC_ACQUIRE);
    if (error == cudaSuccess && !kernel)
        error = gmt_rt_error(gmt_rt_legacy.cuLibraryGetKernel(&kernel, library, symbol->name));
    if (error == cudaSuccess)
        __atomic_store_n(&symbol->kernel, kernel, __ATOMIC_RELEASE);
    *kernel_out = (CUfunction)kernel;
    return error;
}

static cudaError_t get_kernel(cudaKernel_t *kernel, const void *function)
{
    CUfunction found;
    cudaError_t error = kernel ? gmt_rt_start() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &found);
    if (error == cudaSuccess)
        *kernel = (cudaKernel_t)found;
    return error;
}

GMT_RT_API __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    return gmt_rt_end(get_kernel(kernel, function));
}

GMT_RT_API cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    return gmt_rt_end(get_kernel(kernel, function));
}

GMT_RT_API cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    CUfunction kernel;
    cudaError_t error = function ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(symbol, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(gmt_rt_legacy.cuKernelGetFunction(function, (CUkernel)kernel));
    return gmt_rt_end(error);
}

static cudaError_t launch(const struct gmt_rt_driver *driver, const void *function, dim3 grid, dim3 block,
                          void **arguments, size_t shared, cudaStream_t stream)
{
    CUfunction kernel;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && shared > UINT32_MAX)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                    (unsigned int)shared, stream, arguments, NULL));
    return error;
}

static cudaError_t cudaLaunchKernel_with(const struct gmt_rt_driver *driver, const void *function, dim3 grid,
                                         dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return gmt_rt_end(launch(driver, function, grid, block, arguments, shared, stream));
}
GMT_RT_PAIR(cudaLaunchKernel, cudaLaunchKernel_ptsz,
            (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream),
            function, grid, block, arguments, shared, stream)

static cudaError_t __cudaLaunchKernel_with(const struct gmt_rt_driver *driver, cudaKernel_t kernel, dim3 grid,
                                           dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return gmt_rt_end(launch(driver, kernel, grid, block, arguments, shared, stream));
}
GMT_RT_PAIR(__cudaLaunchKernel, __cudaLaunchKernel_ptsz,
            (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream), kernel,
            grid, block, arguments, shared, stream)

static cudaError_t cudaLaunchCooperativeKernel_with(const struct gmt_rt_driver *driver, const void *function, dim3 grid,
                                                    dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    CUfunction kernel;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &kernel);
    if (error == cudaSuccess)
        error = gmt_rt_error(driver->cuLaunchCooperativeKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y,
                                                               block.z, (unsigned int)shared, stream, arguments));
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz,
            (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream),
            function, grid, block, arguments, shared, stream)

/* Attributes of a launch are laid out alike in driver and runtime. */
static CUlaunchConfig driver_config(const cudaLaunchConfig_t *config)
{
    return (CUlaunchConfig){.gridDimX = config->gridDim.x,
                            .gridDimY = config->gridDim.y,
                            .gridDimZ = config->gridDim.z,
                            .blockDimX = config->blockDim.x,
                            .blockDimY = config->blockDim.y,
                            .blockDimZ = config->blockDim.z,
                            .sharedMemBytes = (unsigned int)config->dynamicSmemBytes,
                            .hStream = config->stream,
                            .attrs = (CUlaunchAttribute *)config->attrs,
                            .numAttrs = config->numAttrs};
}

static cudaError_t cudaLaunchKernelExC_with(const struct gmt_rt_driver *driver, const cudaLaunchConfig_t *config,
                                            const void *function, void **arguments)
{
    CUfunction kernel;
    cudaError_t error = config ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &kernel);
    if (error == cudaSuccess) {
        CUlaunchConfig wanted = driver_config(config);
        error = gmt_rt_error(driver->cuLaunchKernelEx(&wanted, kernel, arguments, NULL));
    }
    return gmt_rt_end(error);
}
GMT_RT_PAIR(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz,
            (const cudaLaunchConfig_t *config, const void *function, void **arguments), config, function, arguments)

GMT_RT_API cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *config)
{
    CUfunction kernel;
    cudaError_t error = config ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &kernel);
    if (error == cudaSuccess) {
        CUlaunchConfig wanted = driver_config(config);
        error = gmt_rt_error(gmt_rt_legacy.cuOccupancyMaxPotentialClusterSize(size, kernel, &wanted));
    }
    return gmt_rt_end(error);
}

GMT_RT_API cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *config)
{
    CUfunction kernel;
    cudaError_t error = config ? gmt_rt_begin() : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_kernel(function, &kernel);
    if (error == cudaSuccess) {
        CUlaunchConfig wanted = driver_config(config);
        error = gmt_rt_error(gmt_rt_legacy.cuOccupancyMaxActiveClusters(clusters, kernel, &wanted));
    }
    return gmt_rt_end(error);
}
