/* uthash keyed by four numbers. */
#include "track/key_table.h"

#include "base/errors.h"
#include "base/uthash_setup.h"
#include "track/trace_file.h"

struct gmt_key_node {
    UT_hash_handle hh;
    struct gmt_key key;
    uint32_t record;
};

static unsigned hash_of(struct gmt_key key)
{
    uint64_t words[2] = {(uint64_t)key.a << 32 | key.b, (uint64_t)key.c << 32 | key.d};
    return (unsigned)gmt_hash_words(words, 2);
}

uint32_t gmt_key_table_find(const struct gmt_key_table *table, struct gmt_key key)
{
    struct gmt_key_node *node = NULL;
    HASH_FIND_BYHASHVALUE(hh, table->head, &key, sizeof key, hash_of(key), node);
    return node ? node->record : GMT_NONE;
}

int gmt_key_table_add(struct gmt_key_table *table, struct gmt_arena *arena, struct gmt_key key, uint32_t record)
{
    struct gmt_key_node *node = gmt_arena_take(arena, sizeof *node);
    bool hash_refused = !node;
    if (node) {
        node->key = key;
        node->record = record;
        HASH_ADD_BYHASHVALUE(hh, table->head, key, sizeof key, hash_of(key), node);
        if (hash_refused)
            gmt_arena_give(arena, node, sizeof *node);
    }
    return hash_refused ? -GMT_E_NO_MEMORY : 0;
}
