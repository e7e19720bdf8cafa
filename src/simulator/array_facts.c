/* What arrays tell about themselves, and the way to their parts. */
#include <string.h>

#include "simulator/array.h"
#include "simulator/assumed_answers.h"
#include "simulator/measured_answers.h"

#define SPARSE_TILE (64ull << 10) /* bytes of a tile, on every GPU that has sparse arrays */

/* Takes the lock and gives the array of a handle, or returns why not, without the lock. */
static CUresult enter_array(CUarray handle, bool asked, struct gmt_sim_array **array_out)
{
    gmt_sim_lock();
    *array_out = gmt_sim_array_of(handle);
    if (!*array_out)
        return gmt_sim_leave(GMT_SIM_ARRAY_UNKNOWN);
    return asked ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

static CUresult enter_mipmapped(CUmipmappedArray handle, bool asked, struct gmt_sim_array **array_out)
{
    gmt_sim_lock();
    *array_out = gmt_sim_mipmapped_array_of(handle);
    if (!*array_out)
        return gmt_sim_leave(GMT_SIM_ARRAY_UNKNOWN);
    return asked ? CUDA_SUCCESS : gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
}

GMT_SIM_BODY(cuArray3DGetDescriptor_v2)(CUDA_ARRAY3D_DESCRIPTOR_v2 *description, CUarray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, description, &array);
    if (result != CUDA_SUCCESS)
        return result;
    *description = array->asked;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuArrayGetDescriptor_v2)(CUDA_ARRAY_DESCRIPTOR_v2 *description, CUarray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, description, &array);
    if (result != CUDA_SUCCESS)
        return result;
    *description = (CUDA_ARRAY_DESCRIPTOR_v2){array->asked.Width, array->asked.Height, array->asked.Format,
                                              array->asked.NumChannels};
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* The 32-bit entries. */
GMT_SIM_BODY(cuArray3DGetDescriptor)(CUDA_ARRAY3D_DESCRIPTOR_v1 *description, CUarray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, description, &array);
    if (result != CUDA_SUCCESS)
        return result;
    const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked = &array->asked;
    *description = (CUDA_ARRAY3D_DESCRIPTOR_v1){(unsigned int)asked->Width, (unsigned int)asked->Height,
                                                (unsigned int)asked->Depth, asked->Format,
                                                asked->NumChannels,         asked->Flags};
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuArrayGetDescriptor)(CUDA_ARRAY_DESCRIPTOR_v1 *description, CUarray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, description, &array);
    if (result != CUDA_SUCCESS)
        return result;
    *description = (CUDA_ARRAY_DESCRIPTOR_v1){(unsigned int)array->asked.Width, (unsigned int)array->asked.Height,
                                              array->asked.Format, array->asked.NumChannels};
    return gmt_sim_leave(CUDA_SUCCESS);
}

static CUresult part(CUarray *handle, const struct gmt_sim_array *whole, unsigned int index)
{
    if (index >= (unsigned int)whole->part_count)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = (CUarray)whole->parts[index];
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuArrayGetPlane)(CUarray *plane, CUarray handle, unsigned int index)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, plane, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(part(plane, array, index)) : result;
}

GMT_SIM_BODY(cuMipmappedArrayGetLevel)(CUarray *level, CUmipmappedArray handle, unsigned int index)
{
    struct gmt_sim_array *array;
    CUresult result = enter_mipmapped(handle, level, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(part(level, array, index)) : result;
}

/* Only of arrays whose memory is mapped later. */
static CUresult requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *needs, const struct gmt_sim_array *array, CUdevice device)
{
    if (!gmt_sim_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!(array->asked.Flags & CUDA_ARRAY3D_DEFERRED_MAPPING))
        return CUDA_ERROR_INVALID_VALUE;
    memset(needs, 0, sizeof *needs);
    needs->alignment = GMT_SIM_ARRAY_ALIGNMENT;
    needs->size = (array->bytes + GMT_SIM_ARRAY_ALIGNMENT - 1) / GMT_SIM_ARRAY_ALIGNMENT * GMT_SIM_ARRAY_ALIGNMENT;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuArrayGetMemoryRequirements)(CUDA_ARRAY_MEMORY_REQUIREMENTS *needs, CUarray handle, CUdevice device)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, needs, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(requirements(needs, array, device)) : result;
}

GMT_SIM_BODY(cuMipmappedArrayGetMemoryRequirements)
(CUDA_ARRAY_MEMORY_REQUIREMENTS *needs, CUmipmappedArray handle, CUdevice device)
{
    struct gmt_sim_array *array;
    CUresult result = enter_mipmapped(handle, needs, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(requirements(needs, array, device)) : result;
}

/* Tiles are as square as their 64 KiB allow. Levels smaller than a tile share one tail. */
static CUresult sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *properties, const struct gmt_sim_array *array)
{
    const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked = &array->asked;
    if (!(asked->Flags & CUDA_ARRAY3D_SPARSE))
        return CUDA_ERROR_INVALID_VALUE;
    bool volume = asked->Depth > 0 && !(asked->Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP));
    unsigned int extent[3] = {1, 1, 1};
    unsigned int used = volume ? 3 : 2, next = 0;
    for (uint64_t left = SPARSE_TILE / gmt_sim_format_bytes(asked->Format, asked->NumChannels); left > 1; left /= 2)
        extent[next++ % used] *= 2;
    memset(properties, 0, sizeof *properties);
    properties->tileExtent.width = extent[0];
    properties->tileExtent.height = extent[1];
    properties->tileExtent.depth = extent[2];
    properties->miptailFirstLevel = (unsigned int)array->part_count;
    for (int i = array->part_count; i-- > 0;) {
        const CUDA_ARRAY3D_DESCRIPTOR_v2 *level = &array->parts[i]->asked;
        if (level->Width >= extent[0] && level->Height >= extent[1] && (!volume || level->Depth >= extent[2]))
            break;
        properties->miptailFirstLevel = (unsigned int)i;
        properties->miptailSize = SPARSE_TILE;
    }
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuArrayGetSparseProperties)(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_array(handle, properties, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(sparse_properties(properties, array)) : result;
}

GMT_SIM_BODY(cuMipmappedArrayGetSparseProperties)(CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUmipmappedArray handle)
{
    struct gmt_sim_array *array;
    CUresult result = enter_mipmapped(handle, properties, &array);
    return result == CUDA_SUCCESS ? gmt_sim_leave(sparse_properties(properties, array)) : result;
}
