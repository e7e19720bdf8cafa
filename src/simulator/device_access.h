/* Who may read and write a piece of memory: devices, bit by ordinal; the host is a location apart.
 */
#ifndef GMT_SIMULATOR_DEVICE_ACCESS_H
#define GMT_SIMULATOR_DEVICE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "simulator/body.h"

struct gmt_sim_access {
    uint64_t readers, writers;
};

static inline bool gmt_sim_location_is_host(CUmemLocationType type)
{
    return type == CU_MEM_LOCATION_TYPE_HOST || type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
}

static inline bool gmt_sim_access_known(CUmemAccess_flags flags)
{
    return flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
           flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

static inline void gmt_sim_access_set(struct gmt_sim_access *access, int ordinal, CUmemAccess_flags flags)
{
    uint64_t device = 1ull << ordinal;
    access->readers = (access->readers & ~device) | (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE ? device : 0);
    access->writers = (access->writers & ~device) | (flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? device : 0);
}

static inline CUmemAccess_flags gmt_sim_access_of(const struct gmt_sim_access *access, int ordinal)
{
    if (access->writers >> ordinal & 1)
        return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return access->readers >> ordinal & 1 ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

#endif
