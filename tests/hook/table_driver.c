/* A driver in which every followed function exists, does nothing, and counts. Bodies come from the table, but what a
 * name means for cuGetProcAddress is written down here by hand. */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "table_driver.h"

enum row {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) ROW_##name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
    ROW_COUNT
};

static const char *const names[ROW_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) #name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

static struct {
    CUresult code;
    bool nest;
    unsigned calls;
} plans[ROW_COUNT];

static void (*callback)(void);
static int error_number;
static uint64_t next_address = 0x10000000;
static uint64_t next_context = 0xc0de01;

/* True when this call has to go through its own exported name first. */
static bool take_nest(enum row row)
{
    bool nest = plans[row].nest;
    plans[row].nest = false;
    return nest;
}

static CUresult enter(enum row row)
{
    void (*once)(void) = callback;
    callback = NULL;
    plans[row].calls++;
    if (once)
        once();
    if (error_number)
        errno = error_number;
    return plans[row].code;
}

static CUresult look_up(const char *symbol, void **function, int version, cuuint64_t flags,
                        CUdriverProcAddressQueryResult *status_out);

/* What each rule fills. All allocations call their out-parameter p (a pitched one also pitch), all contexts c. */
#define FILL_INIT
#define FILL_LOOKUP(symbol, function) return look_up((symbol), (function), version, flags, status);
#define FILL_ALLOC(kind, address, bytes, request)                                                                      \
    memcpy(p, &next_address, sizeof *p);                                                                               \
    FILL_##kind
#define FILL_DEVICE
#define FILL_PITCHED *pitch = 512;
#define FILL_MANAGED
#define FILL_PINNED
#define FILL_STREAM_ORDERED
#define FILL_FREE(address)
#define FILL_CONTEXT_CREATED(handle, device) *c = (CUcontext)next_context;
#define FILL_CONTEXT_RETAINED(handle) *c = (CUcontext)next_context;
#define FILL_CONTEXT_RELEASED(handle)
#define FILL_CONTEXT_DESTROYED(handle)
#define FILL_PRIMARY_RETAINED(handle, device) *c = (CUcontext)next_context;
#define FILL_PRIMARY_RELEASED(device)
#define FILL_PRIMARY_RESET(device)

/* The older cuGetProcAddress has no parameter of this name; in the newer one it hides this. */
static CUdriverProcAddressQueryResult *const status = NULL;

/* The body is static, so that its address here is the real one; the exported name can be another library's. */
#define GMT_ENTRY(library, name, result, parameters, arguments, rule)                                                  \
    static result body_##name parameters                                                                               \
    {                                                                                                                  \
        if (take_nest(ROW_##name))                                                                                     \
            return name arguments;                                                                                     \
        CUresult code = enter(ROW_##name);                                                                             \
        if (code != CUDA_SUCCESS)                                                                                      \
            return code;                                                                                               \
        FILL_##rule;                                                                                                   \
        return CUDA_SUCCESS;                                                                                           \
    }                                                                                                                  \
    result name parameters __attribute__((alias("body_" #name)));
#include "hook/entry_points.def"
#undef GMT_ENTRY

static void *const functions[ROW_COUNT] = {
#define GMT_ENTRY(library, name, result, parameters, arguments, rule) (void *)body_##name,
#include "hook/entry_points.def"
#undef GMT_ENTRY
};

/* Queries that the hooks make. */
CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = (CUcontext)0xc0de00;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = 1048576;
    *total_bytes = 1073741824;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    (void)device;
    strncpy(name, "Table device", (size_t)bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = 1073741824;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    (void)device;
    memset(uuid, 9, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    *version = 13000;
    return CUDA_SUCCESS;
}

/* From which version on a name means which exported function; flag 2 asks for the per-thread-stream twin. */
static const struct {
    const char *symbol;
    int version;
    bool per_thread;
    const char *exported;
} meanings[] = {
    {"cuInit", 2000, false, "cuInit"},
    {"cuGetProcAddress", 11030, false, "cuGetProcAddress"},
    {"cuGetProcAddress", 12000, false, "cuGetProcAddress_v2"},
    {"cuMemAlloc", 2000, false, "cuMemAlloc"},
    {"cuMemAlloc", 3020, false, "cuMemAlloc_v2"},
    {"cuMemAllocPitch", 2000, false, "cuMemAllocPitch"},
    {"cuMemAllocPitch", 3020, false, "cuMemAllocPitch_v2"},
    {"cuMemAllocManaged", 6000, false, "cuMemAllocManaged"},
    {"cuMemFree", 2000, false, "cuMemFree"},
    {"cuMemFree", 3020, false, "cuMemFree_v2"},
    {"cuMemAllocHost", 2000, false, "cuMemAllocHost"},
    {"cuMemAllocHost", 3020, false, "cuMemAllocHost_v2"},
    {"cuMemHostAlloc", 2020, false, "cuMemHostAlloc"},
    {"cuMemFreeHost", 2000, false, "cuMemFreeHost"},
    {"cuMemAllocAsync", 11020, false, "cuMemAllocAsync"},
    {"cuMemAllocAsync", 11020, true, "cuMemAllocAsync_ptsz"},
    {"cuMemAllocFromPoolAsync", 11020, false, "cuMemAllocFromPoolAsync"},
    {"cuMemAllocFromPoolAsync", 11020, true, "cuMemAllocFromPoolAsync_ptsz"},
    {"cuMemFreeAsync", 11020, false, "cuMemFreeAsync"},
    {"cuMemFreeAsync", 11020, true, "cuMemFreeAsync_ptsz"},
    {"cuCtxCreate", 2000, false, "cuCtxCreate"},
    {"cuCtxCreate", 3020, false, "cuCtxCreate_v2"},
    {"cuCtxCreate", 11040, false, "cuCtxCreate_v3"},
    {"cuCtxCreate", 12050, false, "cuCtxCreate_v4"},
    {"cuCtxAttach", 2000, false, "cuCtxAttach"},
    {"cuCtxDetach", 2000, false, "cuCtxDetach"},
    {"cuCtxDestroy", 2000, false, "cuCtxDestroy"},
    {"cuCtxDestroy", 4000, false, "cuCtxDestroy_v2"},
    {"cuDevicePrimaryCtxRetain", 7000, false, "cuDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxRelease", 7000, false, "cuDevicePrimaryCtxRelease"},
    {"cuDevicePrimaryCtxRelease", 11000, false, "cuDevicePrimaryCtxRelease_v2"},
    {"cuDevicePrimaryCtxReset", 7000, false, "cuDevicePrimaryCtxReset"},
    {"cuDevicePrimaryCtxReset", 11000, false, "cuDevicePrimaryCtxReset_v2"},
};

static int row_of(const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

/* As the real one: a name that is known, but newer than `version`, is no error; its pointer is NULL, its status 2. */
static CUresult look_up(const char *symbol, void **function, int version, cuuint64_t flags,
                        CUdriverProcAddressQueryResult *status_out)
{
    bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
    bool known = false;
    *function = strcmp(symbol, "cuDriverGetVersion") == 0 ? (void *)0xd01 : NULL; /* a pointer that is no row */
    for (unsigned i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(meanings[i].symbol, symbol) != 0)
            continue;
        known = true;
        if (meanings[i].version <= version && meanings[i].per_thread <= per_thread)
            *function = functions[row_of(meanings[i].exported)];
    }
    if (status_out)
        *status_out = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                      : known   ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
}

void table_driver_plan(const char *name, int code)
{
    plans[row_of(name)].code = (CUresult)code;
}

void table_driver_nest(const char *name)
{
    plans[row_of(name)].nest = true;
}

void table_driver_call_back(void (*once)(void))
{
    callback = once;
}

void table_driver_set_errno(int number)
{
    error_number = number;
}

void table_driver_set_address(uint64_t address)
{
    next_address = address;
}

void table_driver_set_context(uint64_t handle)
{
    next_context = handle;
}

unsigned table_driver_calls(const char *name)
{
    int row = row_of(name);
    return row < 0 ? 0 : plans[row].calls;
}

void *table_driver_function(const char *name)
{
    int row = row_of(name);
    return row < 0 ? NULL : functions[row];
}
