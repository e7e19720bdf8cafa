/* Texture and surface objects: what they were made from.
 */
#ifndef GMT_SIMULATOR_TEXTURE_H
#define GMT_SIMULATOR_TEXTURE_H

#include "simulator/state.h"

/* Ends all texture and surface objects of a context. Lock held. */
void gmt_sim_textures_end(struct gmt_sim_context *context);

#endif
