/* Address ranges: which reservations have something mapped inside. */
#ifndef GMT_REPORT_MODEL_RANGES_H
#define GMT_REPORT_MODEL_RANGES_H

#include "report/model.h"

struct gmt_mapped_starts {
    uint64_t *addresses; /* ascending */
    uint64_t count;
};

/* Where live mappings of the process start. After the sites. */
struct gmt_mapped_starts gmt_mapped_starts_of(const struct gmt_process *process, struct gmt_heap *heap);

/* True when one starts in [address, address + bytes). */
bool gmt_mapped_starts_in(const struct gmt_mapped_starts *starts, uint64_t address, uint64_t bytes);

#endif
