/* Who this process is: what a report says about it, read from the kernel without allocation. */
#ifndef GMT_TRACK_PROCESS_IDENTITY_H
#define GMT_TRACK_PROCESS_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "track/trace.h"

#define GMT_PATH_BYTES 4096

/* Field 22 of /proc/self/stat: clock ticks after boot at which the process started. 0 when it cannot be read. */
uint64_t gmt_process_start_ticks(void);

/* Path of the main program, from the mapped files and not /proc/self/exe, which is the loader when the program was
 * started through it. Empty when unknown. */
void gmt_process_executable(char *path_out, size_t capacity);

/* Fills the process part of the header: pid, host, program, arguments, folder, rank, start. */
void gmt_process_identify(struct gmt_trace *trace);

#endif
