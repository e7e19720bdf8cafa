/* Bytes of arrays as their descriptors ask for them: elements times their size, without what the driver adds to lay
 * them out. A NULL descriptor is 0 bytes. */
#ifndef GMT_HOOK_ARRAY_BYTES_H
#define GMT_HOOK_ARRAY_BYTES_H

#include "hook/wrappers.h"

/* Width times height; UINT64_MAX when a program asks for more than that. */
static inline uint64_t gmt_area(uint64_t width, uint64_t height)
{
    uint64_t area;
    return __builtin_mul_overflow(width, height, &area) ? UINT64_MAX : area;
}

uint64_t gmt_array_bytes(const CUDA_ARRAY_DESCRIPTOR *array);
uint64_t gmt_array_v1_bytes(const CUDA_ARRAY_DESCRIPTOR_v1 *array);
uint64_t gmt_array_3d_v1_bytes(const CUDA_ARRAY3D_DESCRIPTOR_v1 *array);

/* `levels` of a mipmapped array; 1 for an array. Each level has half the extents of the one before, but for the number
 * of its layers. */
uint64_t gmt_array_3d_bytes(const CUDA_ARRAY3D_DESCRIPTOR *array, unsigned levels);

#endif
