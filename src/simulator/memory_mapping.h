/* Physical memory at reserved addresses, and who has access to it there.
 */
#ifndef GMT_SIMULATOR_MEMORY_MAPPING_H
#define GMT_SIMULATOR_MEMORY_MAPPING_H

#include "simulator/device_access.h"
#include "simulator/physical_memory.h"

struct gmt_sim_mapping {
    struct gmt_sim_physical *physical;
    struct gmt_sim_access devices;
    CUmemAccess_flags host;
};

/* Whether anything has been given access. */
bool gmt_sim_mapping_accessible(const struct gmt_sim_mapping *mapping);

/* Whether the range shares a byte with a reserved one, mapped or not. Lock held. */
bool gmt_sim_is_reserved(uint64_t address, uint64_t bytes);

#endif
