/* Textures with the structure that has seamless cubemaps. */
#include "simulator/runtime/textures.h"

GMT_RT_API cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                   const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
    return gmt_rt_end(gmt_rt_texture_create(object, resource, texture, view));
}

GMT_RT_API cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{
    return gmt_rt_end(gmt_rt_texture_read(texture, object));
}
