/* Checked movement of bytes between addresses of the simulated device and of the host.
 */
#ifndef GMT_SIMULATOR_TRANSFER_H
#define GMT_SIMULATOR_TRANSFER_H

#include "simulator/state.h"

/* What an address has to be. */
enum gmt_sim_side {
    GMT_SIM_ON_HOST,   /* any but NULL */
    GMT_SIM_ON_DEVICE, /* inside one block that the device can reach */
    GMT_SIM_ANYWHERE,  /* wholly inside a block or outside of all */
};

/* Rows of bytes: `width` bytes in each of `height` rows, `depth` times. */
struct gmt_sim_rows {
    enum gmt_sim_side side;
    uint64_t address;      /* of the first byte */
    uint64_t pitch, slice; /* bytes from row to row and from layer to layer */
};

/* Whether all rows are where they have to be. Lock held. */
bool gmt_sim_rows_valid(const struct gmt_sim_rows *rows, uint64_t width, uint64_t height, uint64_t depth);

/* One copy, done at once, in the order of the stream. `old`: through a 32-bit entry. Takes the lock. */
CUresult gmt_sim_copy_rows(const struct gmt_sim_rows *to, const struct gmt_sim_rows *from, uint64_t width,
                           uint64_t height, uint64_t depth, CUstream stream, bool old);

#endif
