/* Interned call stacks. */
#include "track/stack_table.h"

#include <string.h>

#include "base/uthash_setup.h"

struct gmt_pcs_node {
    UT_hash_handle hh;
    uint32_t stack;
    uint32_t bytes; /* of this node */
    uintptr_t pcs[];
};

struct gmt_frames_node {
    UT_hash_handle hh; /* the key is the frames themselves, in the trace file */
    uint32_t stack;
};

static uint32_t flags_of(const struct gmt_unwound *unwound)
{
    return (unwound->cut ? GMT_STACK_CUT : 0) | (unwound->incomplete ? GMT_STACK_INCOMPLETE : 0);
}

static void forget_pcs(struct gmt_stack_table *table, struct gmt_arena *arena)
{
    struct gmt_pcs_node *node = NULL;
    struct gmt_pcs_node *next = NULL;
    HASH_ITER(hh, table->by_pcs, node, next)
    {
        HASH_DEL(table->by_pcs, node);
        gmt_arena_give(arena, node, node->bytes);
    }
}

static uint32_t find_by_pcs(struct gmt_stack_table *table, struct gmt_arena *arena, const struct gmt_unwound *unwound,
                            unsigned hash, uint32_t epoch)
{
    if (table->epoch != epoch) {
        forget_pcs(table, arena);
        table->epoch = epoch;
    }
    struct gmt_pcs_node *node = NULL;
    HASH_FIND_BYHASHVALUE(hh, table->by_pcs, unwound->pcs, unwound->depth * sizeof(uintptr_t), hash, node);
    return node ? node->stack : GMT_NONE;
}

static void add_pcs(struct gmt_stack_table *table, struct gmt_arena *arena, const struct gmt_unwound *unwound,
                    unsigned hash, uint32_t stack)
{
    size_t key_bytes = unwound->depth * sizeof(uintptr_t);
    size_t bytes = sizeof(struct gmt_pcs_node) + key_bytes;
    struct gmt_pcs_node *node = gmt_arena_take(arena, bytes);
    if (!node)
        return; /* only slower: the next time goes through the frames again */
    bool hash_refused = false;
    node->stack = stack;
    node->bytes = (uint32_t)bytes;
    memcpy(node->pcs, unwound->pcs, key_bytes);
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, table->by_pcs, node->pcs, key_bytes, hash, node);
    if (hash_refused)
        gmt_arena_give(arena, node, bytes);
}

static uint32_t find_by_frames(struct gmt_stack_table *table, const struct gmt_frame_record *frames, uint32_t depth,
                               unsigned hash)
{
    struct gmt_frames_node *node = NULL;
    HASH_FIND_BYHASHVALUE(hh, table->by_frames, frames, depth * sizeof *frames, hash, node);
    return node ? node->stack : GMT_NONE;
}

static uint32_t add_frames(struct gmt_stack_table *table, const struct gmt_module_context *context,
                           const struct gmt_frame_record *frames, uint32_t depth, unsigned hash, uint32_t flags)
{
    struct gmt_trace *trace = context->trace;
    struct gmt_arena *arena = context->arena;
    uint32_t first = gmt_trace_append(trace, GMT_SECTION_FRAMES, depth);
    uint32_t stack = first == GMT_NONE ? GMT_NONE : gmt_trace_append(trace, GMT_SECTION_STACKS, 1);
    if (stack == GMT_NONE) {
        gmt_trace_trouble(trace, GMT_TROUBLE_SITES_FULL);
        return GMT_NONE;
    }
    struct gmt_frame_record *stored = GMT_RECORDS(trace, FRAMES) + first;
    memcpy(stored, frames, depth * sizeof *frames);
    GMT_RECORDS(trace, STACKS)[stack] = (struct gmt_stack_record){.first_frame = first, .depth = depth, .flags = flags};
    if (flags & GMT_STACK_CUT)
        gmt_trace_trouble(trace, GMT_TROUBLE_STACKS_CUT);
    struct gmt_frames_node *node = gmt_arena_take(arena, sizeof *node);
    if (node) {
        bool hash_refused = false;
        node->stack = stack;
        HASH_ADD_KEYPTR_BYHASHVALUE(hh, table->by_frames, stored, depth * sizeof *frames, hash, node);
        if (hash_refused)
            gmt_arena_give(arena, node, sizeof *node);
    }
    return stack;
}

uint32_t gmt_stack_table_intern(struct gmt_stack_table *table, const struct gmt_module_context *context,
                                const struct gmt_unwound *unwound, uint32_t epoch)
{
    /* A cut stack and a whole one with the same frames are different. Nodes with unequal hashes never match, so it is
     * enough to tell the hashes apart. */
    uint32_t flags = flags_of(unwound);
    unsigned pcs_hash = (unsigned)unwound->hash ^ flags;
    if (gmt_lock_take(context->lock) != 0)
        return GMT_NONE;
    uint32_t stack = find_by_pcs(table, context->arena, unwound, pcs_hash, epoch);
    gmt_lock_give(context->lock);
    if (stack != GMT_NONE)
        return stack;

    struct gmt_frame_record frames[GMT_UNWIND_DEPTH_MAX];
    gmt_modules_resolve(context, unwound->pcs, unwound->depth, frames);
    unsigned frames_hash = (unsigned)gmt_hash_words((const uint64_t *)frames, unwound->depth * 2) ^ flags;
    if (gmt_lock_take(context->lock) != 0)
        return GMT_NONE;
    stack = find_by_frames(table, frames, unwound->depth, frames_hash);
    if (stack == GMT_NONE)
        stack = add_frames(table, context, frames, unwound->depth, frames_hash, flags);
    /* Another thread may have added the same counters meanwhile: a second node would only hide the first. */
    if (stack != GMT_NONE && find_by_pcs(table, context->arena, unwound, pcs_hash, epoch) == GMT_NONE)
        add_pcs(table, context->arena, unwound, pcs_hash, stack);
    gmt_lock_give(context->lock);
    return stack;
}
