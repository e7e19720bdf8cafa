/* The private folder of one run: its processes' trace files. */
#ifndef GMT_TOOLS_RUN_FOLDER_H
#define GMT_TOOLS_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "report/sentence.h"

#define GMT_RUN_FOLDER_BYTES 4096

/* Creates a new folder, mode 0700, in GPUMEMTRACE_DIR, else /dev/shm, else TMPDIR, else /tmp. False with a sentence
 * when none of them takes it. */
bool gmt_run_folder_create(char *path_out, size_t capacity, struct gmt_sentence *why_out);

/* Removes the run's trace files and library links, and the folder when nothing else is in it. Follows no link and
 * touches no folder of another user. A process that still runs keeps writing to its file, which then goes with it. */
void gmt_run_folder_remove(const char *path);

#endif
