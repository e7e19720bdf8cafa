/* Arrays, mipmapped arrays and the parts of both: levels, and planes of video formats. What must not live here: copies.
 */
#ifndef GMT_SIMULATOR_ARRAY_H
#define GMT_SIMULATOR_ARRAY_H

#include "simulator/state.h"

enum { GMT_SIM_ARRAY_PARTS = 32 }; /* levels or planes at most */

/* The shape of what lies in memory: rows of elements, rows of a layer, layers. Bytes without gaps. */
struct gmt_sim_extent {
    uint64_t row_bytes, rows, layers;
};

struct gmt_sim_array {
    struct gmt_sim_array *next, *before; /* of the same context; parts are in no list */
    struct gmt_sim_context *context;
    struct gmt_sim_array *whole;      /* of a part; NULL: it can be destroyed */
    CUDA_ARRAY3D_DESCRIPTOR_v2 asked; /* as the program described it */
    bool mipmapped;
    struct gmt_sim_extent extent;
    uint64_t offset, bytes; /* inside the whole; bytes with all parts */
    uint64_t address;       /* 0: no memory of its own yet (sparse and deferred) */
    struct gmt_sim_arena *arena;
    struct gmt_sim_span *span;
    void (*release)(struct gmt_sim_array *array); /* gives its memory back; NULL: it has none of its own */
    int part_count;
    struct gmt_sim_array *parts[GMT_SIM_ARRAY_PARTS];
};

/* Lays out what is described, with `levels` (0: an array, else a mipmapped array), and without memory. CUDA_SUCCESS,
 * CUDA_ERROR_INVALID_VALUE for what is no array, CUDA_ERROR_OUT_OF_MEMORY. */
CUresult gmt_sim_array_describe(const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked, unsigned int levels,
                                struct gmt_sim_array **array_out);

/* A mipmapped array of the context in memory that is there already, `memory_bytes` of it; `release` gives that back.
 * Errors as above, and the memory is then still the caller's. Lock held. */
CUresult gmt_sim_array_over(struct gmt_sim_context *context, const CUDA_ARRAY3D_DESCRIPTOR_v2 *asked,
                            unsigned int levels, uint64_t address, uint64_t memory_bytes,
                            void (*release)(struct gmt_sim_array *array), struct gmt_sim_array **array_out);

/* Forgets an array that no handle names. */
void gmt_sim_array_free(struct gmt_sim_array *array);

/* The array, or the mipmapped array, of a handle; NULL for none that is alive. Lock held. */
struct gmt_sim_array *gmt_sim_array_of(CUarray handle);
struct gmt_sim_array *gmt_sim_mipmapped_array_of(CUmipmappedArray handle);

/* The bytes of one element, compressed blocks counting as one; 0 for an unknown format or number of channels. */
uint64_t gmt_sim_format_bytes(CUarray_format format, unsigned int channels);

/* Ends all arrays of a context. Lock held. */
void gmt_sim_arrays_end(struct gmt_sim_context *context);

#endif
