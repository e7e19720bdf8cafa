/* Device code as the program hands it over: text, one ELF file, or several in a fat binary.
 */
#ifndef GMT_SIMULATOR_IMAGE_H
#define GMT_SIMULATOR_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A variable that an image defines. */
struct gmt_sim_image_variable {
    uint64_t bytes;
    const void *contents; /* initial bytes inside the image; NULL: zeros */
    bool managed;         /* known of text only */
};

/* Called for one variable; false ends the walk. */
typedef bool gmt_sim_variable_visit(const char *name, const struct gmt_sim_image_variable *variable, void *argument);

/* Whether the bytes look like device code at all: ELF, fat binary (or its wrapper), or text. */
bool gmt_sim_image_valid(const void *image);

/* A copy of a valid image, out of its wrapper, for free(); NULL when host memory is short. */
void *gmt_sim_image_copy(const void *image);

/* What an image says about a kernel; a small kernel's figures where it cannot be read. */
struct gmt_sim_image_kernel {
    int registers;
    uint32_t local_bytes; /* stack of one thread */
};

/* Finds a kernel; false when the image does not define it. What cannot be read (compressed code) is taken to define
 * every name. */
bool gmt_sim_image_find_kernel(const void *image, const char *name, struct gmt_sim_image_kernel *kernel_out);

/* Visits the variables in the device's memory, global and constant; false when a visit has ended the walk. What cannot
 * be read (compressed code) has none. */
bool gmt_sim_image_visit_variables(const void *image, gmt_sim_variable_visit *visit, void *argument);

/* Finds a variable in the text or the ELF files of the image; false when none can be read that defines it. */
bool gmt_sim_image_find_variable(const void *image, const char *name, struct gmt_sim_image_variable *variable_out);

#endif
