/* The life of texture and surface objects, and of texture references as far as that. */
#include "simulator/texture.h"

#include <stdlib.h>

#include "simulator/array.h"
#include "simulator/assumed_answers.h"
#include "simulator/handle.h"
#include "simulator/live_block.h"
#include "simulator/texture_table.h"

struct gmt_sim_texture {
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;    /* not of a surface */
    CUDA_RESOURCE_VIEW_DESC view; /* zeros for none */
};

static bool linear_valid(const CUDA_RESOURCE_DESC *resource)
{
    uint64_t bytes = resource->res.linear.sizeInBytes;
    uint64_t element = gmt_sim_format_bytes(resource->res.linear.format, resource->res.linear.numChannels);
    return element && bytes && bytes / element <= GMT_SIM_LINEAR_TEXELS &&
           gmt_sim_blocks_cover(resource->res.linear.devPtr, bytes);
}

static bool pitched_valid(const CUDA_RESOURCE_DESC *resource)
{
    uint64_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    uint64_t pitch = resource->res.pitch2D.pitchInBytes;
    uint64_t row = width * gmt_sim_format_bytes(resource->res.pitch2D.format, resource->res.pitch2D.numChannels);
    return row && height && pitch >= row &&
           gmt_sim_blocks_cover(resource->res.pitch2D.devPtr, pitch * (height - 1) + row);
}

/* Whether there is something to read. Lock held. */
static bool resource_valid(const CUDA_RESOURCE_DESC *resource)
{
    switch (resource->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        return gmt_sim_array_of(resource->res.array.hArray) != NULL;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return gmt_sim_mipmapped_array_of(resource->res.mipmap.hMipmappedArray) != NULL;
    case CU_RESOURCE_TYPE_LINEAR:
        return linear_valid(resource);
    case CU_RESOURCE_TYPE_PITCH2D:
        return pitched_valid(resource);
    default:
        return false;
    }
}

/* A surface is an array that was made for it. */
static bool surface_valid(const CUDA_RESOURCE_DESC *resource)
{
    const struct gmt_sim_array *array =
        resource->resType == CU_RESOURCE_TYPE_ARRAY ? gmt_sim_array_of(resource->res.array.hArray) : NULL;
    return array && (array->asked.Flags & CUDA_ARRAY3D_SURFACE_LDST);
}

static CUresult add(struct gmt_sim_context *context, const struct gmt_sim_texture *wanted, unsigned long long *handle)
{
    struct gmt_sim_texture *texture = malloc(sizeof *texture);
    if (!texture)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *texture = *wanted;
    CUresult result = gmt_sim_texture_table_add(context, texture, handle);
    if (result != CUDA_SUCCESS)
        free(texture);
    return result;
}

static struct gmt_sim_texture *find(const struct gmt_sim_context *context, unsigned long long handle, bool surface)
{
    struct gmt_sim_texture *texture = gmt_sim_texture_table_at(context, handle);
    return texture && texture->surface == surface ? texture : NULL;
}

void gmt_sim_textures_end(struct gmt_sim_context *context)
{
    for (uint32_t i = 0; context->textures && i < context->textures->numbers; i++)
        free(context->textures->objects[i]);
    gmt_sim_texture_table_end(context);
}

GMT_SIM_BODY(cuTexObjectCreate)
(CUtexObject *handle, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
 const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle || !resource || !texture || !resource_valid(resource))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_texture wanted = {.resource = *resource, .texture = *texture};
    if (view)
        wanted.view = *view;
    return gmt_sim_leave(add(context, &wanted, handle));
}

GMT_SIM_BODY(cuSurfObjectCreate)(CUsurfObject *handle, const CUDA_RESOURCE_DESC *resource)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle || !resource || !surface_valid(resource))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_texture wanted = {.surface = true, .resource = *resource};
    return gmt_sim_leave(add(context, &wanted, handle));
}

/* What is no object of the current context is destroyed successfully as well (measured). */
static CUresult destroy(unsigned long long handle, bool surface)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct gmt_sim_texture *texture = find(context, handle, surface);
    if (texture)
        gmt_sim_texture_table_remove(context, handle);
    free(texture);
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuTexObjectDestroy)(CUtexObject handle)
{
    return destroy(handle, false);
}

GMT_SIM_BODY(cuSurfObjectDestroy)(CUsurfObject handle)
{
    return destroy(handle, true);
}

/* Takes the lock and gives the object, or returns why not, without the lock. */
static CUresult enter_texture(unsigned long long handle, bool surface, bool asked, struct gmt_sim_texture **texture_out)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *texture_out = find(context, handle, surface);
    if (!*texture_out)
        return gmt_sim_leave(GMT_SIM_TEXTURE_UNKNOWN);
    return asked ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuTexObjectGetResourceDesc)(CUDA_RESOURCE_DESC *resource, CUtexObject handle)
{
    struct gmt_sim_texture *texture;
    CUresult result = enter_texture(handle, false, resource, &texture);
    if (result != CUDA_SUCCESS)
        return result;
    *resource = texture->resource;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuSurfObjectGetResourceDesc)(CUDA_RESOURCE_DESC *resource, CUsurfObject handle)
{
    struct gmt_sim_texture *texture;
    CUresult result = enter_texture(handle, true, resource, &texture);
    if (result != CUDA_SUCCESS)
        return result;
    *resource = texture->resource;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuTexObjectGetTextureDesc)(CUDA_TEXTURE_DESC *description, CUtexObject handle)
{
    struct gmt_sim_texture *texture;
    CUresult result = enter_texture(handle, false, description, &texture);
    if (result != CUDA_SUCCESS)
        return result;
    *description = texture->texture;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuTexObjectGetResourceViewDesc)(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject handle)
{
    struct gmt_sim_texture *texture;
    CUresult result = enter_texture(handle, false, view, &texture);
    if (result != CUDA_SUCCESS)
        return result;
    *view = texture->view;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuDeviceGetTexture1DLinearMaxWidth)
(size_t *width, CUarray_format format, unsigned int channels, CUdevice ordinal)
{
    gmt_sim_lock();
    if (!gmt_sim_device(ordinal))
        return gmt_sim_leave(CUDA_ERROR_INVALID_DEVICE);
    if (!width || gmt_sim_format_bytes(format, channels) == 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    *width = GMT_SIM_LINEAR_TEXELS;
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* References of the old texture interface: they exist, and nothing can be bound to them. */
GMT_SIM_BODY(cuTexRefCreate)(CUtexref *handle)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (!handle)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    void *reference = gmt_sim_handle_new(1, GMT_SIM_TEXTURE_REFERENCE);
    if (reference)
        *handle = reference;
    return gmt_sim_leave(reference ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

GMT_SIM_BODY(cuTexRefDestroy)(CUtexref handle)
{
    gmt_sim_lock();
    if (!gmt_sim_handle_is(handle, GMT_SIM_TEXTURE_REFERENCE))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    gmt_sim_handle_remove(handle);
    free(handle);
    return gmt_sim_leave(CUDA_SUCCESS);
}
