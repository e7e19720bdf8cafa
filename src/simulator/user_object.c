/* User objects: the program's own data, counted by references of the program and of graphs, destroyed with the last.
 * The destructor runs on a thread of its own, where driver calls are "not permitted" as in host functions.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "simulator/arrivals.h"
#include "simulator/graph.h"
#include "simulator/handle.h"

struct object {
    void *data;
    CUhostFn destroy;
    uint64_t references;
};

/* References that a graph has to one object. */
struct gmt_sim_user_hold {
    struct gmt_sim_user_hold *next;
    struct object *object;
    uint64_t count;
};

static struct object *object_of(CUuserObject handle)
{
    return gmt_sim_handle_is(handle, GMT_SIM_USER_OBJECT) ? (struct object *)handle : NULL;
}

static void *run_destructor(void *argument)
{
    struct object *object = argument;
    gmt_sim_host_function_enter();
    object->destroy(object->data);
    gmt_sim_host_function_leave();
    free(object);
    return NULL;
}

/* No signal of the program is ever handled on such a thread. */
static void destroy_later(struct object *object)
{
    pthread_t thread;
    sigset_t all_signals, old;
    sigfillset(&all_signals);
    pthread_sigmask(SIG_SETMASK, &all_signals, &old);
    if (pthread_create(&thread, NULL, run_destructor, object) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void drop(struct object *object, uint64_t count)
{
    object->references -= count;
    if (object->references > 0)
        return;
    gmt_sim_handle_remove(object);
    destroy_later(object);
}

static struct gmt_sim_user_hold **find_hold(struct gmt_sim_graph *graph, const struct object *object)
{
    struct gmt_sim_user_hold **link = &graph->holds;
    while (*link && (*link)->object != object)
        link = &(*link)->next;
    return link;
}

static bool hold(struct gmt_sim_graph *graph, struct object *object, uint64_t count)
{
    struct gmt_sim_user_hold **link = find_hold(graph, object);
    if (!*link)
        *link = calloc(1, sizeof **link);
    if (!*link)
        return false;
    (*link)->object = object;
    (*link)->count += count;
    return true;
}

bool gmt_sim_user_holds_copy(const struct gmt_sim_graph *from, struct gmt_sim_graph *to)
{
    for (const struct gmt_sim_user_hold *each = from->holds; each; each = each->next) {
        if (!hold(to, each->object, each->count))
            return false;
        each->object->references += each->count;
    }
    return true;
}

void gmt_sim_user_holds_drop(struct gmt_sim_graph *graph)
{
    while (graph->holds) {
        struct gmt_sim_user_hold *gone = graph->holds;
        graph->holds = gone->next;
        drop(gone->object, gone->count);
        free(gone);
    }
}

GMT_SIM_BODY(cuUserObjectCreate)
(CUuserObject *handle, void *data, CUhostFn destroy, unsigned int references, unsigned int flags)
{
    if (!handle || !destroy || references == 0 || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    struct object *object = gmt_sim_handle_new(sizeof *object, GMT_SIM_USER_OBJECT);
    if (!object)
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    *object = (struct object){data, destroy, references};
    *handle = (CUuserObject)object;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuUserObjectRetain)(CUuserObject handle, unsigned int count)
{
    gmt_sim_lock();
    struct object *object = object_of(handle);
    if (!object || count == 0)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    object->references += count;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuUserObjectRelease)(CUuserObject handle, unsigned int count)
{
    gmt_sim_lock();
    struct object *object = object_of(handle);
    if (!object || count == 0 || count > object->references)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    drop(object, count);
    return gmt_sim_leave(CUDA_SUCCESS);
}

/* With CU_GRAPH_USER_OBJECT_MOVE the caller's references become the graph's. */
GMT_SIM_BODY(cuGraphRetainUserObject)
(CUgraph handle, CUuserObject object_handle, unsigned int count, unsigned int flags)
{
    gmt_sim_lock();
    struct gmt_sim_graph *graph = gmt_sim_graph_of(handle);
    struct object *object = object_of(object_handle);
    if (!graph || !object || count == 0 || (flags & ~(unsigned int)CU_GRAPH_USER_OBJECT_MOVE))
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    if (!hold(graph, object, count))
        return gmt_sim_leave(CUDA_ERROR_OUT_OF_MEMORY);
    if (!(flags & CU_GRAPH_USER_OBJECT_MOVE))
        object->references += count;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuGraphReleaseUserObject)(CUgraph handle, CUuserObject object_handle, unsigned int count)
{
    gmt_sim_lock();
    struct gmt_sim_graph *graph = gmt_sim_graph_of(handle);
    struct object *object = object_of(object_handle);
    struct gmt_sim_user_hold **link = graph && object ? find_hold(graph, object) : NULL;
    if (!link || !*link || count == 0 || count > (*link)->count)
        return gmt_sim_leave(CUDA_ERROR_INVALID_VALUE);
    struct gmt_sim_user_hold *found = *link;
    found->count -= count;
    if (found->count == 0) {
        *link = found->next;
        free(found);
    }
    drop(object, count);
    return gmt_sim_leave(CUDA_SUCCESS);
}
