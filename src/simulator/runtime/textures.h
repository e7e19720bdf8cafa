/* Texture objects, for the calls that have other structures in other versions of the library.
 */
#ifndef GMT_SIMULATOR_RUNTIME_TEXTURES_H
#define GMT_SIMULATOR_RUNTIME_TEXTURES_H

#include "simulator/runtime/runtime.h"

cudaError_t gmt_rt_texture_create(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view);
cudaError_t gmt_rt_texture_read(struct cudaTextureDesc *texture, cudaTextureObject_t object);

#endif
