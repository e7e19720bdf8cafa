/* Device code as text (PTX): the variables that it defines.
 */
#ifndef GMT_SIMULATOR_TEXT_IMAGE_H
#define GMT_SIMULATOR_TEXT_IMAGE_H

#include "simulator/image.h"

/* As gmt_sim_image_visit_variables. Contents are zeros, whatever the text says. */
bool gmt_sim_text_visit_variables(const char *text, gmt_sim_variable_visit *visit, void *argument);

#endif
