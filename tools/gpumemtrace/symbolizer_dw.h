/* Names of code by elfutils' libdw: function, file, line, inlined functions, from the file itself or from separate
 * debug files on this machine. Nothing is ever fetched over the network. */
#ifndef GMT_TOOLS_SYMBOLIZER_DW_H
#define GMT_TOOLS_SYMBOLIZER_DW_H

#include "report/heap.h"
#include "report/symbolize.h"
#include "symbol_search.h"

/* A symbolizer whose strings live in `heap`. Files are opened when first needed, one at a time, where `search` says,
 * which must live as long. */
struct gmt_symbolizer *gmt_symbolizer_dw_open(const struct gmt_symbol_search *search, struct gmt_heap *heap);

void gmt_symbolizer_dw_close(struct gmt_symbolizer *symbolizer);

#endif
