/* Names of code that no file backs, from the map that its just-in-time compiler keeps: /tmp/perf-PID.map, lines of
 * "START SIZE name" with numbers in hex, as perf reads it. Anybody can write to /tmp. */
#ifndef GMT_TOOLS_PERF_MAP_H
#define GMT_TOOLS_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "report/model.h"

/* Names the process's code at `addresses`, which ascend; names_out[i] is left alone where no line covers addresses[i],
 * and is from the last line that does: a compiler appends when it uses an address again. Names live in `heap`.
 * Returns NULL, or a clause about why the map, which is there, was not used or not to its end: it is a link, belongs to
 * neither this user nor root, or is older than the process. Below `sysroot` when that is not NULL; else nothing is
 * looked for when the process ran on another host. */
const char *gmt_perf_map_name(const char *sysroot, const struct gmt_process *process, const uint64_t *addresses,
                              size_t count, const char **names_out, struct gmt_heap *heap);

#endif
