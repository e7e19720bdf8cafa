/* Names as their language writes them. */
#ifndef GMT_TOOLS_DEMANGLED_H
#define GMT_TOOLS_DEMANGLED_H

#include "report/heap.h"

/* A C++ or Rust name without parameters, in `heap`; any other name unchanged. */
const char *gmt_demangled(const char *name, struct gmt_heap *heap);

#endif
