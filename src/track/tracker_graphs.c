/* Memory of graphs. An allocation node has its address from the start, and memory from a launch on until a free node or
 * an ordinary free gives it back. So a plan is kept of what each graph and each executable graph does to memory, in the
 * order of its nodes; a launch carries the plan out. Graphs without such nodes, nearly all, have no plan. */
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
    struct gmt_graph_plan *next;
    uint64_t handle; /* of a graph or an executable graph: the driver has both in one heap */
    struct gmt_graph_step *first;
    struct gmt_graph_step **end;
};

static struct gmt_graph_plan *find_plan(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_graph_plan *plan = tracker->plans;
    while (plan && plan->handle != handle)
        plan = plan->next;
    return plan;
}

static struct gmt_graph_plan *plan_of(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_graph_plan *plan = find_plan(tracker, handle);
    if (plan)
        return plan;
    plan = gmt_arena_take(&tracker->arena, sizeof *plan);
    if (!plan) {
        gmt_trace_trouble(&tracker->trace, GMT_TROUBLE_NO_MEMORY);
        return NULL;
    }
    *plan = (struct gmt_graph_plan){.next = tracker->plans, .handle = handle, .first = NULL};
    plan->end = &plan->first;
    __atomic_store_n(&tracker->plans, plan, __ATOMIC_RELEASE);
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
    return __atomic_load_n(&tracker->plans, __ATOMIC_ACQUIRE) != NULL;
}

void gmt_tracker_graph_gone(struct gmt_tracker *tracker, uint64_t handle)
{
    struct gmt_graph_plan **link = &tracker->plans;
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    struct gmt_graph_plan *plan = *link;
    if (!plan)
        return;
    *link = plan->next;
    for (struct gmt_graph_step *step = plan->first, *next; step; step = next) {
        next = step->next;
        gmt_arena_give(&tracker->arena, step, sizeof *step);
    }
    gmt_arena_give(&tracker->arena, plan, sizeof *plan);
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
