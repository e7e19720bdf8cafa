/* Ranges of the address space that stand for addresses of the device. What must not live here: what a range is for.
 */
#ifndef GMT_SIMULATOR_ADDRESS_RANGE_H
#define GMT_SIMULATOR_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Maps `bytes` without contents at a multiple of `alignment` (a power of two), with this protection and these flags of
 * mmap beside the usual ones, and where no block is. `hint` is an address to try first, 0 for none. NULL when the
 * address space is full. Lock held. */
void *gmt_sim_range_map(uint64_t bytes, uint64_t alignment, uint64_t hint, int protection, int flags);

/* Shows bytes of a file in a part of a mapped range, or takes them out of sight again; false when the system refuses.
 */
bool gmt_sim_range_show(uint64_t address, uint64_t bytes, int fd, uint64_t offset, int protection);
bool gmt_sim_range_hide(uint64_t address, uint64_t bytes);

/* The same, in a range of its own that starts at a multiple of 2 MiB. */
void *gmt_sim_range_of_file(uint64_t bytes, uint64_t hint, int fd, uint64_t offset);

void gmt_sim_range_unmap(uint64_t address, uint64_t bytes);

/* Whether the system has something mapped at every page of a range. */
bool gmt_sim_range_is_mapped(uint64_t address, uint64_t bytes);

#endif
