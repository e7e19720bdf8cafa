/* Memory of graphs. An allocation node has its address from the start, and memory from a launch on until a free node or
 * an ordinary free gives it back. So a plan is kept of what each graph and each executable graph does to memory, in the
 * order of its nodes; a launch carries the plan out. Graphs without such nodes, nearly all, have no plan. */
#include "base/uthash_setup.h"
#include "track/tracker_state.h"

struct gmt_graph_step {
    struct gmt_graph_step *next;
    bool frees;
    uint64_t address;
    uint64_t bytes;
    uint32_t stack; /* of the call that added the node */
    uint16_t entry;
};

struct gmt_graph_plan {
    UT_hash_handle hh;
    uint64_t handle; /* of a graph or an executable graph: the driver has both in one heap */
    struct gmt_graph_step *first;
    struct gmt_graph_step **end;
};

static unsigned hash_of(uint64_t handle)
{
    return (unsigned)(gmt_hash_u64(handle) >> 32);
}

static struct gmt_graph_plan *find_plan(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_graph_plan *plan = NULL;
    HASH_FIND_BYHASHVALUE(hh, tracker->plans, &handle, sizeof handle, hash_of(handle), plan);
    return plan;
}

static struct gmt_graph_plan *plan_of(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_graph_plan *plan = find_plan(tracker, handle);
    if (plan)
        return plan;
    struct gmt_arena *arena = &tracker->arena;
    plan = gmt_arena_take(arena, sizeof *plan);
    bool hash_refused = !plan;
    if (plan) {
        *plan = (struct gmt_graph_plan){.handle = handle, .first = NULL};
        plan->end = &plan->first;
        HASH_ADD_BYHASHVALUE(hh, tracker->plans, handle, sizeof handle, hash_of(handle), plan);
        if (hash_refused)
            gmt_arena_give(arena, plan, sizeof *plan);
    }
    if (hash_refused) {
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return NULL;
    }
    __atomic_store_n(&tracker->plan_count, tracker->plan_count + 1, __ATOMIC_RELEASE);
    return plan;
}

static void append(struct gmt_tracker *tracker, struct gmt_graph_plan *plan, const struct gmt_graph_step *step)
{
    if (!plan)
        return; /* counted */
    struct gmt_graph_step *copy = gmt_arena_take(&tracker->arena, sizeof *copy);
    if (!copy) {
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return;
    }
    *copy = *step;
    copy->next = NULL;
    *plan->end = copy;
    plan->end = &copy->next;
}

void gmt_tracker_graph_begun(struct gmt_tracker *tracker, uint64_t graph)
{
    if (!gmt_tracker_graphs_have_memory(tracker) || !gmt_tracker_enter(tracker))
        return;
    gmt_tracker_graph_gone(tracker, graph);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_graph_allocates(struct gmt_tracker *tracker, uint64_t graph, const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_graph_step step = {
        .address = event->address, .bytes = event->bytes, .stack = event->stack, .entry = event->entry};
    append(tracker, plan_of(tracker, graph), &step);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_graph_frees(struct gmt_tracker *tracker, uint64_t graph, uint64_t address)
{
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_graph_step step = {.frees = true, .address = address};
    append(tracker, plan_of(tracker, graph), &step);
    gmt_tracker_leave(tracker);
}

static void copy_steps(struct gmt_tracker *tracker, uint64_t from, uint64_t to)
{
    const struct gmt_graph_plan *source = find_plan(tracker, from);
    struct gmt_graph_plan *plan = source && source->first ? plan_of(tracker, to) : NULL;
    for (const struct gmt_graph_step *step = plan ? source->first : NULL; step; step = step->next)
        append(tracker, plan, step);
}

void gmt_tracker_graph_joined(struct gmt_tracker *tracker, uint64_t parent, uint64_t child)
{
    if (!gmt_tracker_graphs_have_memory(tracker) || parent == child || !gmt_tracker_enter(tracker))
        return;
    copy_steps(tracker, child, parent);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_graph_moved(struct gmt_tracker *tracker, uint64_t parent, uint64_t child,
                             const struct gmt_event *event)
{
    gmt_tracker_graph_joined(tracker, parent, child);
    if (!gmt_tracker_enter(tracker))
        return;
    struct gmt_block_node *graph = gmt_block_index_find(&tracker->blocks, GMT_FAMILY_GRAPH, child);
    if (graph)
        gmt_tracker_remove_block(tracker, graph, event);
    gmt_tracker_leave(tracker);
}

void gmt_tracker_graph_instantiated(struct gmt_tracker *tracker, uint64_t executable, uint64_t graph)
{
    gmt_tracker_graph_joined(tracker, executable, graph);
}

bool gmt_tracker_graphs_have_memory(const struct gmt_tracker *tracker)
{
    return __atomic_load_n(&tracker->plan_count, __ATOMIC_ACQUIRE) > 0;
}

void gmt_tracker_graph_gone(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_arena *arena = &tracker->arena;
    struct gmt_graph_plan *plan = find_plan(tracker, handle);
    if (!plan)
        return;
    HASH_DEL(tracker->plans, plan);
    __atomic_store_n(&tracker->plan_count, tracker->plan_count - 1, __ATOMIC_RELEASE);
    for (struct gmt_graph_step *step = plan->first, *next; step; step = next) {
        next = step->next;
        gmt_arena_give(arena, step, sizeof *step);
    }
    gmt_arena_give(arena, plan, sizeof *plan);
}

void gmt_tracker_graph_launched(struct gmt_tracker *tracker, uint64_t executable, const struct gmt_event *event)
{
    if (!gmt_tracker_enter(tracker))
        return;
    const struct gmt_graph_plan *plan = find_plan(tracker, executable);
    for (const struct gmt_graph_step *step = plan ? plan->first : NULL; step; step = step->next) {
        struct gmt_block_node *live = gmt_block_index_find(&tracker->blocks, GMT_FAMILY_ADDRESS, step->address);
        if (step->frees) {
            if (live)
                gmt_tracker_remove_block(tracker, live, event);
        } else if (!live) { /* else freed and taken anew by the launch itself (auto-free) */
            struct gmt_event allocation = *event;
            allocation.entry = step->entry;
            allocation.kind = GMT_KIND_GRAPH_MEMORY;
            allocation.address = step->address;
            allocation.bytes = step->bytes;
            allocation.stack = step->stack;
            gmt_tracker_add_block(tracker, &allocation);
        }
    }
    gmt_tracker_leave(tracker);
}
