/* Variables of device code by the address of their host shadow. */
#include "simulator/runtime/registration.h"

cudaError_t gmt_rt_variable(const void *host, CUdeviceptr *address_out, size_t *bytes_out)
{
    CUlibrary library;
    struct gmt_rt_symbol *symbol = gmt_rt_symbol_find(host);
    if (!symbol || !symbol->is_variable)
        return cudaErrorInvalidSymbol;
    cudaError_t error = gmt_rt_binary_load(symbol->binary, &library);
    if (error != cudaSuccess)
        return error;
    *bytes_out = symbol->bytes;
    CUresult result = symbol->managed ? gmt_rt_legacy.cuLibraryGetManaged(address_out, NULL, library, symbol->name)
                                      : gmt_rt_legacy.cuLibraryGetGlobal(address_out, NULL, library, symbol->name);
    return gmt_rt_error(result);
}

GMT_RT_API cudaGetSymbolAddress(void **address, const void *symbol)
{
    CUdeviceptr found;
    size_t bytes;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !address)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_variable(symbol, &found, &bytes);
    if (error == cudaSuccess)
        *address = (void *)found;
    return gmt_rt_end(error);
}

GMT_RT_API cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CUdeviceptr found;
    size_t bytes;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && !size)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = gmt_rt_variable(symbol, &found, &bytes);
    if (error == cudaSuccess)
        *size = bytes;
    return gmt_rt_end(error);
}

/* The place inside a variable, if all bytes fit there. */
static cudaError_t inside(const void *symbol, size_t bytes, size_t offset, CUdeviceptr *address_out)
{
    size_t size;
    cudaError_t error = gmt_rt_variable(symbol, address_out, &size);
    if (error == cudaSuccess && (offset > size || bytes > size - offset))
        error = cudaErrorInvalidValue;
    *address_out += error == cudaSuccess ? offset : 0;
    return error;
}

static cudaError_t to_symbol(const struct gmt_rt_driver *driver, const void *symbol, const void *from, size_t bytes,
                             size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUdeviceptr to = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess)
        error = inside(symbol, bytes, offset, &to);
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(driver->cuMemcpyAsync(to, gmt_rt_address(from), bytes, stream));
    return error;
}

static cudaError_t from_symbol(const struct gmt_rt_driver *driver, void *to, const void *symbol, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CUdeviceptr from = 0;
    cudaError_t error = gmt_rt_begin();
    if (error == cudaSuccess && kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        error = cudaErrorInvalidMemcpyDirection;
    if (error == cudaSuccess)
        error = inside(symbol, bytes, offset, &from);
    if (error == cudaSuccess && bytes > 0)
        error = gmt_rt_error(driver->cuMemcpyAsync(gmt_rt_address(to), from, bytes, stream));
    return error;
}

static cudaError_t cudaMemcpyToSymbol_with(const struct gmt_rt_driver *driver, const void *symbol, const void *from,
                                           size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return gmt_rt_end(to_symbol(driver, symbol, from, bytes, offset, kind, NULL));
}
GMT_RT_PAIR(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds,
            (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind), symbol, from,
            bytes, offset, kind)

static cudaError_t cudaMemcpyToSymbolAsync_with(const struct gmt_rt_driver *driver, const void *symbol,
                                                const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                                cudaStream_t stream)
{
    return gmt_rt_end(to_symbol(driver, symbol, from, bytes, offset, kind, stream));
}
GMT_RT_PAIR(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz,
            (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
             cudaStream_t stream),
            symbol, from, bytes, offset, kind, stream)

static cudaError_t cudaMemcpyFromSymbol_with(const struct gmt_rt_driver *driver, void *to, const void *symbol,
                                             size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    return gmt_rt_end(from_symbol(driver, to, symbol, bytes, offset, kind, NULL));
}
GMT_RT_PAIR(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds,
            (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind), to, symbol, bytes,
            offset, kind)

static cudaError_t cudaMemcpyFromSymbolAsync_with(const struct gmt_rt_driver *driver, void *to, const void *symbol,
                                                  size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                                  cudaStream_t stream)
{
    return gmt_rt_end(from_symbol(driver, to, symbol, bytes, offset, kind, stream));
}
GMT_RT_PAIR(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz,
            (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
            to, symbol, bytes, offset, kind, stream)
