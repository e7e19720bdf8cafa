/* The doors to a followed function, and a call by a row of walk_rows.h. */
#ifndef GMT_TESTS_WALK_DOORS_H
#define GMT_TESTS_WALK_DOORS_H

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include "walk_rows.h"

#define WALK_UNTOUCHED 0x5a5a5a5a5a5a5a5aull /* what out-parameters hold before a call */

/* What a call is given and what it gives back. */
struct exchange {
    uint64_t address;
    uint64_t address_out;
    uint64_t context;
    uint64_t context_out;
    uint64_t pitch_out;
    void *function_out;
    CUdriverProcAddressQueryResult status_out;
};

/* The exported symbol, dlsym with RTLD_DEFAULT and with the driver's handle, and the two versions of cuGetProcAddress.
 */
#define WALK_DOORS 5
extern const char *const walk_doors[WALK_DOORS];

/* The function that the door gives for a row, or NULL. */
void *walk_through(const char *door, const struct walk_row *row);

/* Calls `function` with the arguments that the row says. */
CUresult walk_call(const struct walk_row *row, void *function, struct exchange *exchange);

#endif
