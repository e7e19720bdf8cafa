#include "demangled.h"

#include <libiberty/demangle.h>
#include <stdlib.h>

const char *gmt_demangled(const char *name, struct gmt_heap *heap)
{
    char *plain = name[0] == '_' ? cplus_demangle(name, DMGL_AUTO | DMGL_ANSI) : NULL;
    const char *copy = gmt_heap_copy(heap, plain ? plain : name);
    free(plain);
    return copy;
}
