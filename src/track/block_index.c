/* The uthash index over block records. */
#include "track/block_index.h"

#include "base/assert.h"
#include "base/uthash_setup.h"

struct key {
    uint64_t address;
    uint32_t family;
} __attribute__((packed));

struct gmt_block_node {
    UT_hash_handle hh;
    struct key key;
    uint32_t record;
};

static uint64_t hash_of(const struct key *key)
{
    return gmt_hash_u64(key->address ^ (uint64_t)key->family << 56);
}

static struct gmt_block_node **part_of(struct gmt_block_index *index, uint64_t hash)
{
    return &index->parts[hash >> 58];
}

/* uthash takes the bucket from the low bits of a 32-bit value: give it the middle of the product, the top picks the
 * part. */
static unsigned bucket_hash(uint64_t hash)
{
    return (unsigned)(hash >> 26);
}

static bool link_node(struct gmt_block_node **part, struct gmt_arena *arena, struct gmt_block_node *node,
                      unsigned bucket)
{
    bool hash_refused = false;
    HASH_ADD_BYHASHVALUE(hh, *part, key, sizeof node->key, bucket, node);
    if (!hash_refused || !*part)
        return !hash_refused;
    /* No room for a larger bucket array: longer chains are better than a lost block. */
    (*part)->hh.tbl->noexpand = 1;
    hash_refused = false;
    HASH_ADD_BYHASHVALUE(hh, *part, key, sizeof node->key, bucket, node);
    return !hash_refused;
}

/* uthash frees a table with its last element and makes it anew for the next one. An element that is never looked up
 * (address 0) in each part spares the loop that allocates and frees one block that work. */
bool gmt_block_index_init(struct gmt_block_index *index, struct gmt_arena *arena)
{
    for (unsigned i = 0; i < GMT_BLOCK_INDEX_PARTS; i++) {
        index->parts[i] = NULL;
        struct gmt_block_node *keeper = gmt_arena_take(arena, sizeof *keeper);
        if (!keeper)
            return false;
        keeper->key = (struct key){0, 0};
        keeper->record = 0;
        if (!link_node(&index->parts[i], arena, keeper, 0))
            return false;
    }
    return true;
}

struct gmt_block_node *gmt_block_index_add(struct gmt_block_index *index, struct gmt_arena *arena,
                                           enum gmt_family family, uint64_t address, uint32_t record)
{
    GMT_ASSERT(address != 0);
    struct gmt_block_node *node = gmt_arena_take(arena, sizeof *node);
    if (!node)
        return NULL;
    node->key = (struct key){address, family};
    node->record = record;
    return gmt_block_index_put(index, arena, node) ? node : NULL;
}

struct gmt_block_node *gmt_block_index_find(struct gmt_block_index *index, enum gmt_family family, uint64_t address)
{
    struct key key = {address, family};
    uint64_t hash = hash_of(&key);
    struct gmt_block_node *node = NULL;
    if (address != 0)
        HASH_FIND_BYHASHVALUE(hh, *part_of(index, hash), &key, sizeof key, bucket_hash(hash), node);
    return node;
}

uint32_t gmt_block_node_record(const struct gmt_block_node *node)
{
    return node->record;
}

uint64_t gmt_block_node_address(const struct gmt_block_node *node)
{
    return node->key.address;
}

uint32_t gmt_block_index_drop_record(struct gmt_block_index *index, struct gmt_arena *arena, enum gmt_family family,
                                     uint32_t record)
{
    uint32_t dropped = 0;
    for (unsigned i = 0; i < GMT_BLOCK_INDEX_PARTS; i++) {
        struct gmt_block_node *node, *next;
        HASH_ITER(hh, index->parts[i], node, next)
        {
            if (node->key.address == 0 || node->key.family != family || node->record != record)
                continue;
            gmt_block_index_take(index, arena, node);
            gmt_block_node_drop(arena, node);
            dropped++;
        }
    }
    return dropped;
}

void gmt_block_index_take(struct gmt_block_index *index, struct gmt_arena *arena, struct gmt_block_node *node)
{
    struct gmt_block_node **part = part_of(index, hash_of(&node->key));
    HASH_DEL(*part, node);
}

bool gmt_block_index_put(struct gmt_block_index *index, struct gmt_arena *arena, struct gmt_block_node *node)
{
    uint64_t hash = hash_of(&node->key);
    if (link_node(part_of(index, hash), arena, node, bucket_hash(hash)))
        return true;
    gmt_block_node_drop(arena, node);
    return false;
}

void gmt_block_node_drop(struct gmt_arena *arena, struct gmt_block_node *node)
{
    gmt_arena_give(arena, node, sizeof *node);
}
