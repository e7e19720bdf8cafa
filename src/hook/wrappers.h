/* Prototypes of the wrappers, from the table. The exported ones are declared by cuda.h too, so that a row whose
 * prototype differs from the toolkit's does not compile. */
#ifndef GMT_HOOK_WRAPPERS_H
#define GMT_HOOK_WRAPPERS_H

/* cuda.h renames functions to their newest variant by macros; with this it declares every exported variant by its own
 * name. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <stdint.h>

#define GMT_EXPORT __attribute__((visibility("default")))

#define GMT_ENTRY(library, name, result, parameters, arguments, rule)                                                  \
    GMT_EXPORT result name parameters;                                                                                 \
    result gmt_handed_out_##name parameters;                                                                           \
    result gmt_missing_##name parameters;
#include "hook/entry_points.def"
#undef GMT_ENTRY

#endif
