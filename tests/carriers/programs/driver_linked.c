/* Driver functions by link: bound to whoever comes first, the tracer when it is preloaded. */
#include "driver_functions.h"
#include "snippet.h"

void run_snippet(const char *name)
{
    static const struct driver_functions linked = {
#define X(exported, symbol, version, flags, parameters) .exported = exported,
        DRIVER_FUNCTIONS(X)
#undef X
    };
    run_driver_snippet(&linked, name);
}
