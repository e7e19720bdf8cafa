/* Libraries: device code that every context can use, and the kernels in it. */
#include <stdlib.h>

#include "simulator/code.h"
#include "simulator/context.h"
#include "simulator/handle.h"
#include "simulator/image.h"
#include "simulator/simulator.h"

static struct gmt_sim_code *library_of(const void *handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_LIBRARY) ? (struct gmt_sim_code *)handle : NULL;
}

/* Lazily loaded code is not looked at yet, so bad code is accepted, as by a real driver. */
static CUresult load(CUlibrary *handle, const void *image)
{
    static const char nothing[] = "// not device code\n";
    struct gmt_sim_code *library;
    if (!handle || !image)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = gmt_sim_code_load(gmt_sim_image_valid(image) ? image : nothing, NULL, &library);
    if (result == CUDA_SUCCESS)
        *handle = (CUlibrary)library;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuLibraryLoadData)
(CUlibrary *handle, const void *image, CUjit_option *jit_options, void **jit_values, unsigned int jit_count,
 CUlibraryOption *options, void **values, unsigned int count)
{
    (void)jit_options;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    return load(handle, image);
}

GMT_SIM_BODY(cuLibraryLoadFromFile)
(CUlibrary *handle, const char *path, CUjit_option *jit_options, void **jit_values, unsigned int jit_count,
 CUlibraryOption *options, void **values, unsigned int count)
{
    (void)jit_options;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    void *image = path ? gmt_sim_image_read(path) : NULL;
    if (!image)
        return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    CUresult result = load(handle, image);
    free(image);
    return result;
}

GMT_SIM_BODY(cuLibraryUnload)(CUlibrary handle)
{
    gmt_sim_lock();
    struct gmt_sim_code *library = library_of(handle);
    if (!library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    gmt_sim_code_unload(library);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuLibraryGetKernel)(CUkernel *handle, CUlibrary library_handle, const char *name)
{
    struct gmt_sim_function *function;
    gmt_sim_lock();
    struct gmt_sim_code *library = library_of(library_handle);
    if (!library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!handle || !name)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = gmt_sim_code_function(library, name, &function);
    if (result == CUDA_SUCCESS)
        *handle = (CUkernel)function;
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuKernelGetFunction)(CUfunction *handle, CUkernel kernel)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!gmt_sim_function_of(kernel))
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!handle)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *handle = (CUfunction)kernel;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The module that stands for the library in the current context; made when first asked for. Lock held. */
static CUresult module_for(struct gmt_sim_code *library, struct gmt_sim_context *context,
                           struct gmt_sim_code **module_out)
{
    for (*module_out = library->modules; *module_out; *module_out = (*module_out)->next_module) {
        if ((*module_out)->context == context)
            return CUDA_SUCCESS;
    }
    struct gmt_sim_code *module = gmt_sim_handle_new(sizeof *module, GMT_SIM_MODULE);
    if (!module)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *module = (struct gmt_sim_code){
        .image = library->image, .context = context, .library = library, .next_module = library->modules};
    library->modules = module;
    *module_out = module;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuLibraryGetModule)(CUmodule *handle, CUlibrary library_handle)
{
    struct gmt_sim_context *context;
    struct gmt_sim_code *module;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_code *library = library_of(library_handle);
    if (!library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!handle)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    result = module_for(library, context, &module);
    if (result == CUDA_SUCCESS)
        *handle = (CUmodule)module;
    return gmt_sim_leave(result);
}

static CUresult get_variable(CUdeviceptr *address, size_t *bytes, CUlibrary handle, const char *name, bool managed)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_code *library = library_of(handle);
    if (!library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (!name)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return gmt_sim_leave(gmt_sim_code_variable(library, context, name, managed, address, bytes));
}

GMT_SIM_BODY(cuLibraryGetGlobal)(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return get_variable(address, bytes, library, name, false);
}

GMT_SIM_BODY(cuLibraryGetManaged)(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    return get_variable(address, bytes, library, name, true);
}

GMT_SIM_BODY(cuKernelGetLibrary)(CUlibrary *handle, CUkernel kernel)
{
    gmt_sim_lock();
    struct gmt_sim_function *function = gmt_sim_function_of(kernel);
    if (!function || function->code->context)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    if (handle)
        *handle = (CUlibrary)function->code;
    return gmt_sim_leave(handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

int gpumemtrace_simulator_declare_variable(void *handle, const char *name, size_t bytes, int managed)
{
    gmt_sim_lock();
    struct gmt_sim_code *library = library_of(handle);
    if (!library)
        return gmt_sim_leave(CUDA_ERROR_INVALID_HANDLE);
    return gmt_sim_leave(gmt_sim_code_declare(library, name, bytes, managed != 0));
}
