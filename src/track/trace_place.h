/* Where trace files are made: private to the user, never through a link, never over something that exists. */
#ifndef GMT_TRACK_TRACE_PLACE_H
#define GMT_TRACK_TRACE_PLACE_H

#include <stddef.h>

/* Creates an empty trace file, 0600, in the first usable of: `wanted_folder` (when not empty), $GPUMEMTRACE_DIR,
 * /dev/shm/gpumemtrace-UID, $TMPDIR/gpumemtrace-UID, /tmp/gpumemtrace-UID. Its name is host, pid, start time and 8
 * bytes of AT_RANDOM, so that containers, recycled pids and exec never collide. Writes its absolute path to `path_out`
 * and returns a descriptor that the caller closes, or -errno of the last folder tried. */
int gmt_trace_place_create(const char *wanted_folder, char *path_out, size_t capacity);

#endif
