/* A table from a short fixed key to the number of a record, for the tables that only grow: call sites, failures,
 * callers. One key layout for all of them. Not thread-safe: the tracker's lock guards it. */
#ifndef GMT_TRACK_KEY_TABLE_H
#define GMT_TRACK_KEY_TABLE_H

#include <stdint.h>

#include "base/arena.h"

/* The parts of a key; unused ones are 0. */
struct gmt_key {
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;
};

struct gmt_key_node;

struct gmt_key_table {
    struct gmt_key_node *head;
};

/* The record of `key`, or GMT_NONE. */
uint32_t gmt_key_table_find(const struct gmt_key_table *table, struct gmt_key key);

/* Adds a key that is not there. 0 or -GMT_E_NO_MEMORY. */
int gmt_key_table_add(struct gmt_key_table *table, struct gmt_arena *arena, struct gmt_key key, uint32_t record);

#endif
