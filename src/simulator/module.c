/* Modules: device code loaded into one context. */
#include <stdlib.h>

#include "simulator/code.h"
#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/image.h"

static struct gmt_sim_code *module_of(CUmodule handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_MODULE) ? (struct gmt_sim_code *)handle : NULL;
}

/* A module that stands for a library shares what the library defines. */
static struct gmt_sim_code *owner_of(struct gmt_sim_code *module)
{
    return module->library ? module->library : module;
}

static CUresult load(CUmodule *handle, const void *image)
{
    struct gmt_sim_context *context;
    struct gmt_sim_code *module;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle || !image)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!gmt_sim_image_valid(image))
        return gmt_sim_leave(CUDA_ERROR_INVALID_IMAGE);
    result = gmt_sim_code_load(image, context, &module);
    if (result == CUDA_SUCCESS)
        *handle = (CUmodule)module;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuModuleLoadData)(CUmodule *handle, const void *image)
{
    return load(handle, image);
}

GMT_SIM_BODY(cuModuleLoadDataEx)
(CUmodule *handle, const void *image, unsigned int count, CUjit_option *options, void **values)
{
    (void)count;
    (void)options;
    (void)values;
    return load(handle, image);
}

GMT_SIM_BODY(cuModuleLoadFatBinary)(CUmodule *handle, const void *image)
{
    return load(handle, image);
}

GMT_SIM_BODY(cuModuleLoad)(CUmodule *handle, const char *path)
{
    void *image = path ? gmt_sim_image_read(path) : NULL;
    if (!image)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    CUresult result = load(handle, image);
    free(image);
    return result;
}

GMT_SIM_BODY(cuModuleUnload)(CUmodule handle)
{
    gmt_sim_lock();
    struct gmt_sim_code *module = module_of(handle);
    if (!module || module->library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    gmt_sim_code_unload(module);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuModuleGetLoadingMode)(CUmoduleLoadingMode *mode)
{
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuModuleGetFunction)(CUfunction *handle, CUmodule module_handle, const char *name)
{
    struct gmt_sim_function *function;
    gmt_sim_lock();
    struct gmt_sim_code *module = module_of(module_handle);
    if (!module)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!handle || !name)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = gmt_sim_code_function(owner_of(module), name, &function);
    if (result == CUDA_SUCCESS)
        *handle = (CUfunction)function;
    return gmt_sim_leave(result);
}

/* `old`: through the 32-bit entry, which knows the contexts of the 32-bit cuCtxCreate only. */
static CUresult get_global(CUdeviceptr *address, size_t *bytes, CUmodule handle, const char *name, bool old)
{
    gmt_sim_lock();
    struct gmt_sim_code *module = module_of(handle);
    if (!module)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!name)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!module->context->alive)
        return gmt_sim_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (old && module->context->api_version >= 3020)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT);
    struct gmt_sim_code *owner = owner_of(module);
    CUresult result = gmt_sim_code_variable(owner, module->context, name, false, address, bytes);
    if (result == CUDA_ERROR_NOT_FOUND)
        result = gmt_sim_code_variable(owner, module->context, name, true, address, bytes);
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuModuleGetGlobal_v2)(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name)
{
    return get_global(address, bytes, module, name, false);
}

GMT_SIM_BODY(cuModuleGetGlobal)(CUdeviceptr_v1 *address, unsigned int *bytes, CUmodule module, const char *name)
{
    CUdeviceptr found = 0;
    size_t size = 0;
    CUresult result = get_global(&found, &size, module, name, true);
    if (result == CUDA_SUCCESS && address)
        *address = (CUdeviceptr_v1)found;
    if (result == CUDA_SUCCESS && bytes)
        *bytes = (unsigned int)size;
    return result;
}
