/* Names and sentences of the driver's error codes.
 */
#ifndef GMT_SIMULATOR_ERROR_TEXT_H
#define GMT_SIMULATOR_ERROR_TEXT_H

/* The code of a name such as CUDA_ERROR_OUT_OF_MEMORY, or -1. */
int gmt_sim_error_code(const char *name);

#endif
