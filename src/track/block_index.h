/* Live blocks and objects by family and address: uthash in 64 parts, so that no single rehash moves more than a 64th of
 * a large table. Not thread-safe: the tracker's lock guards it. */
#ifndef GMT_TRACK_BLOCK_INDEX_H
#define GMT_TRACK_BLOCK_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "track/trace_file.h"

#define GMT_BLOCK_INDEX_PARTS 64

struct gmt_block_node;

struct gmt_block_index {
    struct gmt_block_node *parts[GMT_BLOCK_INDEX_PARTS];
};

/* False when the arena has no room even for the empty index. */
bool gmt_block_index_init(struct gmt_block_index *index, struct gmt_arena *arena);

/* Adds `address`, which must not be 0 and not be there in its family. Returns its node, NULL without memory. */
struct gmt_block_node *gmt_block_index_add(struct gmt_block_index *index, struct gmt_arena *arena,
                                           enum gmt_family family, uint64_t address, uint32_t record);

/* The node of `address`, or NULL. */
struct gmt_block_node *gmt_block_index_find(struct gmt_block_index *index, enum gmt_family family, uint64_t address);

/* The record that a node stands for. */
uint32_t gmt_block_node_record(const struct gmt_block_node *node);

/* The address that it was added with. */
uint64_t gmt_block_node_address(const struct gmt_block_node *node);

/* Drops every node of `family` that stands for `record`; a walk over the whole index. How many there were. */
uint32_t gmt_block_index_drop_record(struct gmt_block_index *index, struct gmt_arena *arena, enum gmt_family family,
                                     uint32_t record);

/* Takes a node out; it stays allocated, to be put back or dropped. */
void gmt_block_index_take(struct gmt_block_index *index, struct gmt_arena *arena, struct gmt_block_node *node);

/* Puts a taken node back. False without memory (the node is dropped). */
bool gmt_block_index_put(struct gmt_block_index *index, struct gmt_arena *arena, struct gmt_block_node *node);

/* Gives a taken node's memory back. */
void gmt_block_node_drop(struct gmt_arena *arena, struct gmt_block_node *node);

#endif
