/* Checked movement of bytes between addresses of the simulated device, of the host, and arrays.
 */
#ifndef GMT_SIMULATOR_TRANSFER_H
#define GMT_SIMULATOR_TRANSFER_H

#include "simulator/array.h"

/* What an address has to be. */
enum gmt_sim_side {
    GMT_SIM_ON_HOST,   /* any but NULL */
    GMT_SIM_ON_DEVICE, /* inside one block that the device can reach */
    GMT_SIM_ANYWHERE,  /* wholly inside a block or outside of all */
    GMT_SIM_IN_ARRAY,  /* no address: a place in an array */
};

/* Rows of bytes: `width` bytes in each of `height` rows, `depth` times. */
struct gmt_sim_rows {
    enum gmt_sim_side side;
    uint64_t address;      /* of the first byte */
    uint64_t pitch, slice; /* bytes from row to row and from layer to layer */
    CUarray array;         /* GMT_SIM_IN_ARRAY: instead of the three above, with the place of the first byte */
    uint64_t x, y, z;      /* x in bytes */
};

struct gmt_sim_copy {
    struct gmt_sim_rows to, from;
    uint64_t width, height, depth;
};

/* Whether all rows are where they have to be. Lock held. */
bool gmt_sim_rows_valid(const struct gmt_sim_rows *rows, uint64_t width, uint64_t height, uint64_t depth);

/* One copy, done at once, in the order of the stream. `old`: through a 32-bit entry. Takes the lock. */
CUresult gmt_sim_copy_in_stream(const struct gmt_sim_copy *copy, CUstream stream, bool old);

/* The same now, whatever else is pending. Lock held. */
CUresult gmt_sim_copy_now(const struct gmt_sim_copy *copy);

/* A copy as the program describes it: CUDA_SUCCESS, or CUDA_ERROR_INVALID_VALUE for types of memory that there are not.
 */
CUresult gmt_sim_copy_read(const CUDA_MEMCPY3D *description, struct gmt_sim_copy *copy_out);

/* The way back. */
CUDA_MEMCPY3D gmt_sim_copy_write(const struct gmt_sim_copy *copy);

#endif
