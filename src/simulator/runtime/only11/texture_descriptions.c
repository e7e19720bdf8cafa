/* Textures with the structure that lacks seamless cubemaps; with them the calls are called _v2. */
#include <stddef.h>
#include <string.h>

#include "simulator/runtime/textures.h"
#include "simulator/runtime/until12/old_name.h"

#define SHORT_BYTES offsetof(struct cudaTextureDesc, seamlessCubemap)
_Static_assert(SHORT_BYTES == 68, "as cudaTextureDesc in 11.8");

GMT_RT_OLD(cudaCreateTextureObject, (cudaTextureObject_t * object, const struct cudaResourceDesc *resource,
                                     const void *texture, const struct cudaResourceViewDesc *view))
{
    struct cudaTextureDesc whole = {0};
    if (texture)
        memcpy(&whole, texture, SHORT_BYTES);
    return gmt_rt_end(gmt_rt_texture_create(object, resource, texture ? &whole : NULL, view));
}

GMT_RT_OLD(cudaCreateTextureObject_v2, (cudaTextureObject_t * object, const struct cudaResourceDesc *resource,
                                        const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view))
{
    return gmt_rt_end(gmt_rt_texture_create(object, resource, texture, view));
}

GMT_RT_OLD(cudaGetTextureObjectTextureDesc, (void *texture, cudaTextureObject_t object))
{
    struct cudaTextureDesc whole;
    cudaError_t error = gmt_rt_texture_read(texture ? &whole : NULL, object);
    if (error == cudaSuccess)
        memcpy(texture, &whole, SHORT_BYTES);
    return gmt_rt_end(error);
}

GMT_RT_OLD(cudaGetTextureObjectTextureDesc_v2, (struct cudaTextureDesc * texture, cudaTextureObject_t object))
{
    return gmt_rt_end(gmt_rt_texture_read(texture, object));
}
