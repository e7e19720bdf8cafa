/* Memory taken inside a library, and memory that a static object of it holds. */
#include "case.h"

/* The runtime's own exit handler is older than this one, and runs after it: as with a static object of a function. */
static void *static_block;

static void end_static(void)
{
    cudaFree(static_block);
}

void open_session(void);
void touch_static(void);

void open_session(void)
{
    void *session;
    MUST(cudaMalloc(&session, 2 * MIB));
}

void touch_static(void)
{
    if (static_block)
        return;
    MUST(cudaMalloc(&static_block, 3 * MIB));
    atexit(end_static);
}
