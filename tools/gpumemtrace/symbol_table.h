/* The functions of one ELF file by address, from whatever symbol tables it and its debug file have. */
#ifndef GMT_TOOLS_SYMBOL_TABLE_H
#define GMT_TOOLS_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>

struct gmt_symbol_entry {
    uint64_t address, size;
    const char *name; /* mangled; lives as long as the Dwfl_Module */
    unsigned rank;    /* less is better among equals */
};

struct gmt_symbol_table {
    struct gmt_symbol_entry *entries; /* by address; malloc */
    size_t count;
};

/* libdw's own search is linear; with the half million symbols of some libraries it takes milliseconds a frame. */
void gmt_symbol_table_fill(struct gmt_symbol_table *table, Dwfl_Module *module);

/* Mangled name of the function that contains `address`, or NULL. */
const char *gmt_symbol_table_find(const struct gmt_symbol_table *table, uint64_t address);

void gmt_symbol_table_drop(struct gmt_symbol_table *table);

#endif
