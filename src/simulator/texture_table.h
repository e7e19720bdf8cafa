/* The numbers by which a context knows its texture and surface objects, and the memory of the device behind them. What
 * must not live here: what an object is.
 */
#ifndef GMT_SIMULATOR_TEXTURE_TABLE_H
#define GMT_SIMULATOR_TEXTURE_TABLE_H

#include "simulator/state.h"

struct gmt_sim_texture_table {
    struct gmt_sim_texture **objects; /* by number less one; NULL: free */
    uint32_t *free_numbers;           /* given back, the last one first */
    uint32_t free_count, numbers, capacity;
    uint32_t pieces; /* of memory; the first is part of what every context costs */
};

/* A number for the object, from 1 on: CUDA_SUCCESS, or CUDA_ERROR_OUT_OF_MEMORY when the device has no memory or the
 * context all objects that it can have. Lock held, for all of these. */
CUresult gmt_sim_texture_table_add(struct gmt_sim_context *context, struct gmt_sim_texture *object,
                                   unsigned long long *number_out);

/* The object of a number; NULL for none. */
struct gmt_sim_texture *gmt_sim_texture_table_at(const struct gmt_sim_context *context, unsigned long long number);

void gmt_sim_texture_table_remove(struct gmt_sim_context *context, unsigned long long number);

/* Forgets all numbers. The memory goes with what the context costs. */
void gmt_sim_texture_table_end(struct gmt_sim_context *context);

#endif
