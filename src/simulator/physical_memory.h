/* Physical memory apart from addresses (cuMemCreate) and multicast objects, which have handles of the same type. Both
 * live until their last reference and their last mapping are gone, and belong to no context.
 */
#ifndef GMT_SIMULATOR_PHYSICAL_MEMORY_H
#define GMT_SIMULATOR_PHYSICAL_MEMORY_H

#include "simulator/shared_file.h"
#include "simulator/state.h"

struct gmt_sim_team;

struct gmt_sim_physical {
    struct gmt_sim_physical *next;
    struct gmt_sim_device *device; /* NULL: the host's, or a multicast object */
    CUmemAllocationProp properties;
    uint64_t bytes;
    struct gmt_sim_shared file;
    uint64_t offset; /* in the file */
    bool own_file;   /* the file holds nothing else, and closes with it */
    bool charged;    /* counts against the device: not where another process made it */
    uint64_t references, mappings;
    struct gmt_sim_team *team; /* of a multicast object */
};

/* A new object with one reference, a copy of `wanted`; NULL when host memory is short. Lock held. */
struct gmt_sim_physical *gmt_sim_physical_add(const struct gmt_sim_physical *wanted);

/* The object of a handle, NULL for one without references. Lock held. */
struct gmt_sim_physical *gmt_sim_physical_of(CUmemGenericAllocationHandle handle);

/* The multicast object that lives in this file, if this process knows it already. Lock held. */
struct gmt_sim_physical *gmt_sim_multicast_in(const struct gmt_sim_shared *file);

/* Ends the object if neither references nor mappings are left. Lock held. */
void gmt_sim_physical_settle(struct gmt_sim_physical *physical);

/* CUDA_SUCCESS, or why the properties cannot be had. Lock held. */
CUresult gmt_sim_physical_check(const CUmemAllocationProp *properties);

#endif
