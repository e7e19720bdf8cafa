/* The doors to a followed function, and a call by a row of walk_rows.h. */
#ifndef GMT_TESTS_WALK_DOORS_H
#define GMT_TESTS_WALK_DOORS_H

#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include "walk_rows.h"

#define WALK_UNTOUCHED 0x5a5a5a5a5a5a5a5aull /* what out-parameters hold before a call */

#define WALK_MAPPED_AT 0x8000 /* behind its handle's number lies where physical memory is mapped */

/* What a call is given and what it gives back. */
struct exchange {
    uint64_t address;
    uint64_t address_out;
    uint64_t context;
    uint64_t context_out;
    uint64_t pitch_out;
    uint64_t bytes_out;
    void *function_out;
    CUdriverProcAddressQueryResult status_out;
};

/* The exported symbol, dlsym with RTLD_DEFAULT and with the driver's handle, and the two versions of cuGetProcAddress.
 */
#define WALK_DOORS 5
extern const char *const walk_doors[WALK_DOORS];

/* The function that the door gives for an exported name, or NULL. */
void *walk_through(const char *door, const char *name);

/* Calls `function` with the arguments that the row says. */
CUresult walk_call(const struct walk_row *row, void *function, struct exchange *exchange);

#endif
