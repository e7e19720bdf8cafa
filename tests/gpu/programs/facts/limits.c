/* Context limits: when their memory is taken and given back. The largest takes about 1 GiB of kernel stack. */
#include "facts.h"

static CUfunction empty;

static void launch(const char *label)
{
    if (empty) {
        SEE(label, cuLaunchKernel, empty, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
        SEE(label, cuCtxSynchronize);
    }
    memory_tell(label);
}

static const struct {
    const char *name;
    CUlimit limit;
    size_t raised;
} limits[] = {
    {"stack", CU_LIMIT_STACK_SIZE, 5 * KIB},
    {"printf_fifo", CU_LIMIT_PRINTF_FIFO_SIZE, 256 * MIB},
    {"malloc_heap", CU_LIMIT_MALLOC_HEAP_SIZE, 256 * MIB},
};

static void ask_limit(int which)
{
    size_t original = 0, value = 0;
    CUmodule module = NULL;
    device_open();
    SEE("empty_kernel", cuModuleLoadData, &module, EMPTY_KERNEL);
    if (module)
        SEE("empty_kernel", cuModuleGetFunction, &empty, module, "empty");
    memory_tell("load");
    launch("first_launch");
    MUST(cuCtxGetLimit, &original, limits[which].limit);
    SEE("raise", cuCtxSetLimit, limits[which].limit, limits[which].raised);
    memory_tell("raise");
    SEE("raised", cuCtxGetLimit, &value, limits[which].limit);
    tell("%s original=%zu asked=%zu now=%zu", limits[which].name, original, limits[which].raised, value);
    launch("raised_launch");
    SEE("lower", cuCtxSetLimit, limits[which].limit, original);
    memory_tell("lower");
    launch("lowered_launch");
}

/* The limit is set before anything else was done in the context. */
static void ask_fresh(int which)
{
    device_open();
    SEE(limits[which].name, cuCtxSetLimit, limits[which].limit, limits[which].raised);
    memory_tell("raise_at_once");
}

static void ask_versions(int unused)
{
    (void)unused;
    int version = 0;
    device_open();
    drv.cuDriverGetVersion(&version);
    tell("cuDriverGetVersion=%d", version);
#define F(name)                                                                                                        \
    if (!driver_find(FUNCTION_NAME(name)))                                                                             \
        tell("missing=%s", FUNCTION_NAME(name));
#define FUNCTION_NAME(name) #name
#include "functions.def"
#undef F
}

const struct part limit_parts[] = {
    {"0.versions", ask_versions, 0},        {"16.stack", ask_limit, 0},
    {"16.printf_fifo", ask_limit, 1},       {"16.malloc_heap", ask_limit, 2},
    {"16.fresh_stack", ask_fresh, 0},       {"16.fresh_printf_fifo", ask_fresh, 1},
    {"16.fresh_malloc_heap", ask_fresh, 2}, {0},
};
