/* Code in real ELF files, and what it must be called: for the tests of the command's symbolizer. The files are those
 * that symbols/CMakeLists.txt builds. */
#ifndef GMT_TESTS_SYMBOLS_FIXTURE_H
#define GMT_TESTS_SYMBOLS_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/model.h"
#include "symbol_search.h"

/* The folder of the files, and the heap of everything. Set by symbols_begin. */
extern const char *symbols_folder;
extern struct gmt_heap symbols_heap;

void symbols_begin(const char *folder);

/* Loads the library, calls its function, and fills the module as the tracer records it. Returns the offset of the call;
 * 0 when the library was not built. */
uint64_t symbols_record(const char *library, const char *function, struct gmt_module *module);

struct symbols_expected {
    const char *function, *file;
    uint32_t line;
    bool inlined;
};

/* What chain_inlined of chain.c is made of. */
extern const struct symbols_expected symbols_chain[3];

/* Names the code with a new symbolizer and compares. Returns the module's trouble. */
const char *symbols_expect(const struct gmt_symbol_search *search, const struct gmt_module *module, uint64_t offset,
                           const struct symbols_expected *expected, size_t count, bool lines_only);

#endif
