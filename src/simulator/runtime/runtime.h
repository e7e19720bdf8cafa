/* How a function of the simulated runtime is written, and what all of them share. The runtime knows the driver through
 * the pointers of cuGetProcAddress_v2 only, as the real one does.
 *
 *   GMT_RT_API cudaMalloc(void **p, size_t n) { ... return gmt_rt_end(error); }
 *
 * Success is 0, so that steps which only have to succeed one after another are joined by `?:`.
 *
 * Exported functions are never called from inside, so that the outermost frame in this library is what the program
 * called.
 */
#ifndef GMT_SIMULATOR_RUNTIME_H
#define GMT_SIMULATOR_RUNTIME_H

/* Exact ABI names: without it the header renames functions to their per-thread twins. */
#ifndef __CUDA_API_VERSION_INTERNAL
#error "compile the simulated runtime with -D__CUDA_API_VERSION_INTERNAL"
#endif
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#define GMT_RT_EXPORT __attribute__((visibility("default")))
#define GMT_RT_API GMT_RT_EXPORT cudaError_t

/* The driver as one table of pointers, none of them NULL: a function the driver lacks answers "not supported". */
struct gmt_rt_driver {
#define GMT_RT_DRIVER(name, version) PFN_##name##_v##version name;
#define GMT_RT_DRIVER_TWIN(name, version) PFN_##name##_v##version name;
#include "simulator/runtime/driver_functions.def"
#undef GMT_RT_DRIVER
#undef GMT_RT_DRIVER_TWIN
};

/* With the legacy and with the per-thread default stream. Valid after gmt_rt_start. */
extern struct gmt_rt_driver gmt_rt_legacy, gmt_rt_per_thread;
extern PFN_cuGetProcAddress_v12000 gmt_rt_get_proc_address;

/* The version that this library says it is, as CUDART_VERSION writes it. */
extern const int gmt_rt_version;

/* A driver function by name, as cudaGetDriverEntryPoint looks for it. `status` may be NULL. */
cudaError_t gmt_rt_look_up(const char *name, void **function, unsigned int version, unsigned long long flags,
                           bool per_thread, enum cudaDriverEntryPointQueryResult *status);

/* Tells the driver about a variable that the program registered; NULL where the driver does not want to know. */
extern int (*gmt_rt_declare_variable)(void *library, const char *name, size_t bytes, int managed);

/* An exported function and its per-thread twin: both call `<name>_with(driver, ...)`. */
#define GMT_RT_PAIR(name, twin, parameters, ...)                                                                       \
    GMT_RT_API name parameters                                                                                         \
    {                                                                                                                  \
        return name##_with(&gmt_rt_legacy, __VA_ARGS__);                                                               \
    }                                                                                                                  \
    GMT_RT_API twin parameters                                                                                         \
    {                                                                                                                  \
        return name##_with(&gmt_rt_per_thread, __VA_ARGS__);                                                           \
    }

/* Finds and initialises the driver, once. Thread-safe, as everything here. */
cudaError_t gmt_rt_start(void);

/* Starts, and makes a context current: the program's own, or the primary context of the thread's device. */
cudaError_t gmt_rt_begin(void);

/* Keeps an error as the thread's last one; the end of a function. */
cudaError_t gmt_rt_end(cudaError_t error);

/* The runtime's code for a driver's: the numbers are the same since CUDA 10.1. */
cudaError_t gmt_rt_error(CUresult result);

/* How many devices there are; valid after gmt_rt_start. */
int gmt_rt_device_count(void);

/* The device of the current context, else the one that the thread has set. */
cudaError_t gmt_rt_device(int *device_out);
cudaError_t gmt_rt_device_set(int device);
cudaError_t gmt_rt_device_reset(void);

/* What a kernel tells about itself, in the structure of the newest version. */
cudaError_t gmt_rt_function_attributes(struct cudaFuncAttributes *attributes, const void *function);

/* The driver's handle of a kernel: registered host functions are looked up, anything else is taken for a handle. */
cudaError_t gmt_rt_kernel(const void *function, CUfunction *kernel_out);

/* Where a registered variable is: cudaErrorInvalidSymbol for none. */
cudaError_t gmt_rt_variable(const void *symbol, CUdeviceptr *address_out, size_t *bytes_out);

static inline CUdeviceptr gmt_rt_address(const void *pointer)
{
    return (CUdeviceptr)(uintptr_t)pointer;
}

#endif
