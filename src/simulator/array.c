/* The life of arrays and mipmapped arrays. Their memory costs what a device block of the same size costs. */
#include "simulator/array.h"

#include "simulator/assumed_answers.h"
#include "simulator/context.h"
#include "simulator/handle.h"

struct gmt_sim_array *gmt_sim_array_of(CUarray handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_ARRAY) ? (struct gmt_sim_array *)handle : NULL;
}

struct gmt_sim_array *gmt_sim_mipmapped_array_of(CUmipmappedArray handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_MIPMAPPED_ARRAY) ? (struct gmt_sim_array *)handle : NULL;
}

static void drop_handles(struct gmt_sim_array *array)
{
    gmt_sim_handle_remove(array);
    for (int i = 0; i < array->part_count; i++)
        gmt_sim_handle_remove(array->parts[i]);
}

static bool add_handles(struct gmt_sim_array *array)
{
    bool added = gmt_sim_handle_add(array, array->mipmapped ? GMT_SIM_MIPMAPPED_ARRAY : GMT_SIM_ARRAY);
    for (int i = 0; i < array->part_count && added; i++)
        added = gmt_sim_handle_add(array->parts[i], GMT_SIM_ARRAY);
    if (!added)
        drop_handles(array);
    return added;
}

static void return_to_heap(struct gmt_sim_array *array)
{
    gmt_sim_heap_return(array->arena, array->span);
}

static void set_address(struct gmt_sim_array *array, uint64_t address)
{
    array->address = address;
    for (int i = 0; i < array->part_count; i++)
        array->parts[i]->address = address + array->parts[i]->offset;
}

/* Sparse and deferred arrays have their memory mapped into them later, which is not simulated. */
static CUresult take_memory(struct gmt_sim_context *context, struct gmt_sim_array *array)
{
    if (array->asked.Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING))
        return CUDA_SUCCESS;
    uint64_t bytes = (array->bytes + GMT_SIM_ARRAY_UNIT - 1) / GMT_SIM_ARRAY_UNIT * GMT_SIM_ARRAY_UNIT;
    if (!gmt_sim_heap_cut(&context->device_heap, bytes, &array->arena, &array->span))
        return CUDA_ERROR_OUT_OF_MEMORY;
    array->release = return_to_heap;
    set_address(array, array->arena->address + array->span->offset);
    return CUDA_SUCCESS;
}

static void enlist(struct gmt_sim_context *context, struct gmt_sim_array *array)
{
    array->context = context;
    array->next = context->arrays;
    if (array->next)
        array->next->before = array;
    context->arrays = array;
}

/* Lock held; lets go in either case. */
static CUresult create(struct gmt_sim_context *context, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked, unsigned int levels,
                       struct gmt_sim_array **array_out)
{
    struct gmt_sim_array *array;
    CUresult result = gmt_sim_array_describe(asked, levels, &array);
    if (result != CUDA_SUCCESS)
        return gmt_sim_leave(result);
    result = take_memory(context, array);
    if (result == CUDA_SUCCESS && !add_handles(array)) {
        if (array->release)
            array->release(array);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result != CUDA_SUCCESS) {
        gmt_sim_array_free(array);
        return gmt_sim_leave(result);
    }
    enlist(context, array);
    *array_out = array;
    return gmt_sim_leave(CUDA_SUCCESS);
}

CUresult gmt_sim_array_over(struct gmt_sim_context *context, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked,
                            unsigned int levels, uint64_t address, uint64_t memory_bytes,
                            void (*release)(struct gmt_sim_array *array), struct gmt_sim_array **array_out)
{
    struct gmt_sim_array *array;
    CUresult result = gmt_sim_array_describe(asked, levels, &array);
    if (result != CUDA_SUCCESS)
        return result;
    bool fits = array->bytes <= memory_bytes;
    if (!fits || !add_handles(array)) {
        gmt_sim_array_free(array);
        return fits ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    }
    set_address(array, address);
    array->release = release;
    enlist(context, array);
    *array_out = array;
    return CUDA_SUCCESS;
}

static void destroy(struct gmt_sim_array *array)
{
    drop_handles(array);
    if (array->before)
        array->before->next = array->next;
    else
        array->context->arrays = array->next;
    if (array->next)
        array->next->before = array->before;
    if (array->release)
        array->release(array);
    gmt_sim_array_free(array);
}

void gmt_sim_arrays_end(struct gmt_sim_context *context)
{
    while (context->arrays)
        destroy(context->arrays);
}

GMT_SIM_BODY(cuArray3DCreate_v2)(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    return handle && asked ? create(context, asked, 0, (struct gmt_sim_array **)handle)
                           : gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuArrayCreate_v2)(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR_v2 *asked)
{
    if (!asked)
        return gmt_sim_cuArray3DCreate_v2(handle, NULL);
    CUDA_ARRAY3D_DESCRIPTOR_v2 flat = {
        .Width = asked->Width, .Height = asked->Height, .Format = asked->Format, .NumChannels = asked->NumChannels};
    return gmt_sim_cuArray3DCreate_v2(handle, &flat);
}

/* The 32-bit entries. */
GMT_SIM_BODY(cuArray3DCreate)(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR_v1 *asked)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle || !asked)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR_v2 wide = {.Width = asked->Width,
                                       .Height = asked->Height,
                                       .Depth = asked->Depth,
                                       .Format = asked->Format,
                                       .NumChannels = asked->NumChannels,
                                       .Flags = asked->Flags};
    return create(context, &wide, 0, (struct gmt_sim_array **)handle);
}

GMT_SIM_BODY(cuArrayCreate)(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR_v1 *asked)
{
    if (!asked)
        return gmt_sim_cuArray3DCreate(handle, NULL);
    CUDA_ARRAY3D_DESCRIPTOR_v1 flat = {
        .Width = asked->Width, .Height = asked->Height, .Format = asked->Format, .NumChannels = asked->NumChannels};
    return gmt_sim_cuArray3DCreate(handle, &flat);
}

GMT_SIM_BODY(cuMipmappedArrayCreate)
(CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked, unsigned int levels)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle || !asked)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    return create(context, asked, levels ?: GMT_SIM_LEVELS_OF_NONE, (struct gmt_sim_array **)handle);
}

/* Like cuMemFree these need no current context. */
GMT_SIM_BODY(cuArrayDestroy)(CUarray handle)
{
    gmt_sim_lock();
    struct gmt_sim_array *array = gmt_sim_array_of(handle);
    if (!array || array->whole)
        return gmt_sim_leave(GMT_SIM_ARRAY_UNKNOWN);
    destroy(array);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMipmappedArrayDestroy)(CUmipmappedArray handle)
{
    gmt_sim_lock();
    struct gmt_sim_array *array = gmt_sim_mipmapped_array_of(handle);
    if (!array)
        return gmt_sim_leave(CUDA_ERROR_INVALID_CONTEXT); /* measured after a reset, which had ended it */
    destroy(array);
    return gmt_sim_leave(CUDA_SUCCESS);
}
