/* Objects: what is counted and listed, and is no leak; and what was taken over from others. */
#include "report/model.h"

#include <stdlib.h>
#include <string.h>

#include "report/kinds.h"
#include "report/model_build.h"

static void add_state(struct gmt_object *object, const struct gmt_remains *remains, struct gmt_heap *heap)
{
    if (!object->states)
        object->states = gmt_heap_take(heap, GMT_REMAINS_STATE_COUNT, sizeof *object->states);
    object->states[object->state_count++] = remains;
    if (gmt_remains_is_ended(remains->state))
        object->ended_count += remains->count;
    else if (remains->state != GMT_REMAINS_LATE)
        object->bytes += remains->bytes;
}

/* What the variables of modules take is told with the modules. */
static void add_variables(struct gmt_process *process, struct gmt_object *const *object_of_site)
{
    bool any = false;
    for (unsigned i = 0; i < process->site_count && !any; i++)
        any = gmt_kind_facts(process->sites[i].kind)->family == GMT_FAMILY_VARIABLE && process->sites[i].live_count;
    uint64_t blocks = any ? process->view->counts[GMT_SECTION_BLOCKS] : 0;
    for (uint64_t i = 0; i < blocks; i++) {
        uint32_t number = process->remains_of_block[i];
        const struct gmt_remains *remains = number == GMT_NONE ? NULL : &process->remains[number];
        if (!remains || gmt_remains_is_ended(remains->state) ||
            gmt_kind_facts(remains->site->kind)->family != GMT_FAMILY_VARIABLE)
            continue;
        const struct gmt_block_record *block = gmt_trace_view_block(process->view, i);
        const struct gmt_block_record *owner = gmt_trace_view_block_numbered(process->view, block->owner);
        const struct gmt_site *module = owner ? gmt_model_site(process, owner->site) : NULL;
        struct gmt_object *object = module ? object_of_site[module - process->sites] : NULL;
        if (object)
            object->variable_bytes += block->bytes;
    }
}

static int more_objects(const void *a, const void *b)
{
    const struct gmt_object *x = a, *y = b;
    uint64_t left_x = x->live_count + x->ended_count, left_y = y->live_count + y->ended_count;
    if (left_x != left_y)
        return left_x < left_y ? 1 : -1;
    return x->site->id < y->site->id ? -1 : x->site->id > y->site->id;
}

static void add_imports(struct gmt_process *process, struct gmt_heap *heap)
{
    process->imports = gmt_heap_take(heap, process->site_count, sizeof *process->imports);
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (gmt_kind_space(site->kind) == GMT_SPACE_IMPORTED)
            process->imports[process->import_count++] = (struct gmt_import){
                .site = site,
                .opened = site->total_count,
                .closed = site->total_count > site->kept_count ? site->total_count - site->kept_count : 0,
                .live_count = site->live_count,
                .live_bytes = site->live_bytes,
            };
    }
}

void gmt_model_objects(struct gmt_process *process, struct gmt_heap *heap)
{
    struct gmt_object **object_of_site = gmt_heap_take(heap, process->site_count, sizeof(struct gmt_object *));
    process->objects = gmt_heap_take(heap, process->site_count, sizeof *process->objects);
    for (unsigned i = 0; i < process->site_count; i++) {
        const struct gmt_site *site = &process->sites[i];
        if (!gmt_kind_is_object(site->kind))
            continue;
        struct gmt_object *object = &process->objects[process->object_count++];
        object_of_site[i] = object;
        object->site = site;
        object->created = site->total_count;
        object->destroyed = site->total_count > site->kept_count ? site->total_count - site->kept_count : 0;
        object->live_count = site->live_count;
    }
    for (unsigned i = 0; i < process->remains_count; i++) {
        struct gmt_object *object = object_of_site[process->remains[i].site - process->sites];
        if (object)
            add_state(object, &process->remains[i], heap);
    }
    add_variables(process, object_of_site);
    if (process->object_count)
        qsort(process->objects, process->object_count, sizeof *process->objects, more_objects);
    add_imports(process, heap);
}

/* The runtime loads modules when the program starts, and later on behalf of whatever call needs one. */
bool gmt_object_is_implicit(const struct gmt_object *object)
{
    enum gmt_kind kind = object->site->kind;
    const struct gmt_stack *stack = object->site->stack;
    if ((kind != GMT_KIND_MODULE && kind != GMT_KIND_LIBRARY) || !stack)
        return false;
    unsigned inner = 0;
    while (inner < stack->count && stack->frames[inner].belongs_to == GMT_FRAME_TRACER)
        inner++;
    return inner < stack->count && stack->frames[inner].belongs_to == GMT_FRAME_CUDA &&
           strncmp(object->site->api, "cudaLibraryLoad", strlen("cudaLibraryLoad")) != 0;
}

void gmt_model_count_objects(struct gmt_process *process)
{
    for (unsigned i = 0; i < process->object_count; i++) {
        const struct gmt_object *object = &process->objects[i];
        if (!gmt_object_is_implicit(object))
            process->kind_left[object->site->kind] += object->live_count;
    }
}
