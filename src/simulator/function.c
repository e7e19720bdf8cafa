/* What a kernel tells about itself and lets be set. Registers and stack are the image's own, the rest is a small
 * kernel's. */
#include "simulator/code.h"
#include "simulator/context.h"

enum { THREADS_MAX = 1024, BINARY_VERSION = 90, DYNAMIC_SHARED_MAX = 232448 };

static CUresult get_attribute(int *value, CUfunction_attribute attribute, const struct gmt_sim_function *function)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = THREADS_MAX;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = function->registers;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)function->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = BINARY_VERSION;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = function->max_dynamic_shared;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = function->carveout;
        return CUDA_SUCCESS;
    default:
        *value = 0;
        return attribute < CU_FUNC_ATTRIBUTE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult set_attribute(struct gmt_sim_function *function, CUfunction_attribute attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        if (value < 0 || value > DYNAMIC_SHARED_MAX)
            return CUDA_ERROR_INVALID_VALUE;
        function->max_dynamic_shared = value;
        return CUDA_SUCCESS;
    }
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        function->carveout = value;
        return CUDA_SUCCESS;
    }
    bool hint = attribute >= CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET && attribute < CU_FUNC_ATTRIBUTE_MAX;
    return hint ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

GMT_SIM_BODY(cuFuncGetAttribute)(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    gmt_sim_lock();
    struct gmt_sim_function *function = gmt_sim_function_of(handle);
    if (!function)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    return gmt_sim_leave(value ? get_attribute(value, attribute, function) : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuFuncSetAttribute)(CUfunction handle, CUfunction_attribute attribute, int value)
{
    gmt_sim_lock();
    struct gmt_sim_function *function = gmt_sim_function_of(handle);
    return gmt_sim_leave(function ? set_attribute(function, attribute, value) : CUDA_ERROR_INVALID_HANDLE);
}

GMT_SIM_BODY(cuKernelGetAttribute)(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    (void)device;
    return gmt_sim_cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

GMT_SIM_BODY(cuKernelSetAttribute)(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    (void)device;
    return gmt_sim_cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

GMT_SIM_BODY(cuFuncSetCacheConfig)(CUfunction handle, CUfunc_cache config)
{
    (void)config;
    gmt_sim_lock();
    return gmt_sim_leave(gmt_sim_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

GMT_SIM_BODY(cuFuncSetSharedMemConfig)(CUfunction handle, CUsharedconfig config)
{
    (void)config;
    gmt_sim_lock();
    return gmt_sim_leave(gmt_sim_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

GMT_SIM_BODY(cuKernelSetCacheConfig)(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    (void)device;
    return gmt_sim_cuFuncSetCacheConfig((CUfunction)kernel, config);
}

GMT_SIM_BODY(cuFuncGetName)(const char **name, CUfunction handle)
{
    gmt_sim_lock();
    struct gmt_sim_function *function = gmt_sim_function_of(handle);
    if (!function)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (name)
        *name = function->name;
    return gmt_sim_leave(name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuKernelGetName)(const char **name, CUkernel kernel)
{
    return gmt_sim_cuFuncGetName(name, (CUfunction)kernel);
}

/* A kernel of a library has no module of its own until it is launched somewhere. */
GMT_SIM_BODY(cuFuncGetModule)(CUmodule *module, CUfunction handle)
{
    gmt_sim_lock();
    struct gmt_sim_function *function = gmt_sim_function_of(handle);
    if (!function || !function->code->context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (module)
        *module = (CUmodule)function->code;
    return gmt_sim_leave(module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuFuncIsLoaded)(CUfunctionLoadingState *state, CUfunction handle)
{
    gmt_sim_lock();
    if (!gmt_sim_function_of(handle))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (state)
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return gmt_sim_leave(state ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuFuncLoad)(CUfunction handle)
{
    gmt_sim_lock();
    return gmt_sim_leave(gmt_sim_function_of(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}
