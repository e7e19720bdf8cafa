/* Live handles in a balanced tree by address. */
#include "simulator/handle.h"

#include <search.h>
#include <stdint.h>
#include <stdlib.h>

struct handle {
    const void *object;
    enum gmt_sim_handle_kind kind;
};

static void *tree;

static int compare(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const struct handle *)left)->object,
              b = (uintptr_t)((const struct handle *)right)->object;
    return a < b ? -1 : a > b;
}

bool gmt_sim_handle_add(const void *object, enum gmt_sim_handle_kind kind)
{
    struct handle *handle = malloc(sizeof *handle);
    if (!handle)
        return false;
    *handle = (struct handle){object, kind};
    if (tsearch(handle, &tree, compare))
        return true;
    free(handle);
    return false;
}

void *gmt_sim_handle_new(size_t bytes, enum gmt_sim_handle_kind kind)
{
    void *object = calloc(1, bytes);
    if (object && gmt_sim_handle_add(object, kind))
        return object;
    free(object);
    return NULL;
}

void gmt_sim_handle_remove(const void *object)
{
    struct handle key = {.object = object};
    void *slot = tfind(&key, &tree, compare);
    if (!slot)
        return;
    struct handle *handle = *(struct handle **)slot;
    tdelete(handle, &tree, compare);
    free(handle);
}

bool gmt_sim_handle_is(const void *object, enum gmt_sim_handle_kind kind)
{
    struct handle key = {.object = object};
    void *slot = tfind(&key, &tree, compare);
    return slot && (*(struct handle **)slot)->kind == kind;
}
