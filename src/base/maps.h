/* The mappings of this process, read without allocation. */
#ifndef GMT_BASE_MAPS_H
#define GMT_BASE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the path of the file mapped at `address` (without the kernel's " (deleted)"). False when none is. */
bool gmt_maps_path_at(uintptr_t address, char *path_out, size_t capacity);

/* Whether one mapping holds both addresses. */
bool gmt_maps_same_mapping(uintptr_t one, uintptr_t other);

#endif
