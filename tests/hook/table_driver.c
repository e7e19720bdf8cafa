/* A driver in which every followed function exists, does nothing, and counts. Bodies come from the table, but what a
 * name means for cuGetProcAddress is written down by hand, in meanings.def. */
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
static uint64_t current_context = 0xc0de00;
static CUdevice current_device;
static uint64_t captured_stream;
static uint64_t captured_graph;

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

/* What a function of each rule fills on success, as the name of a macro that takes its arguments: what is taken or told
 * comes first among them. What is to be found by a member of a structure is filled on the way. */
#define NOTHING(...)
#define HANDLE(out, ...) memcpy((out), &next_address, sizeof *(out));
#define PITCHED_BLOCK(out, pitch, ...)                                                                                 \
    HANDLE(out)                                                                                                        \
    *(pitch) = 512;
#define CONTEXT(out, ...) *(out) = (CUcontext)next_context;
#define VARIABLE_PLACE(out, bytes, ...)                                                                                \
    if (out)                                                                                                           \
        HANDLE(out)                                                                                                    \
    if (bytes)                                                                                                         \
        *(bytes) = 48;
#define LOOKED_UP(symbol, function, version, flags, ...)                                                               \
    return look_up((symbol), (function), (version), (flags), status);

#define FILL_INIT NOTHING
#define FILL_LOOKUP(symbol, function) LOOKED_UP
#define FILL_WATCH NOTHING
#define FILL_ALLOC(kind, address, bytes, request) FILL_##kind
#define FILL_DEVICE HANDLE
#define FILL_PITCHED PITCHED_BLOCK
#define FILL_MANAGED HANDLE
#define FILL_PINNED HANDLE
#define FILL_ARRAY HANDLE
#define FILL_MIPMAP HANDLE
#define FILL_RESERVATION HANDLE
#define FILL_MULTICAST HANDLE
#define FILL_EXTERNAL_MEMORY HANDLE
#define FILL_MAPPED_BUFFER HANDLE
#define FILL_ALLOC_ASYNC(address, bytes, pool, stream) HANDLE
#define FILL_ONCE(kind, address, bytes) HANDLE
#define FILL_OBJECT(kind, handle) HANDLE
#define FILL_REFERENCE(kind, address, bytes) HANDLE
#define FILL_REGISTER(address, bytes) NOTHING
#define FILL_EXPORT(family, address) NOTHING
#define FILL_FREE(family, address) NOTHING
#define FILL_FREE_ASYNC(address, stream) NOTHING
#define FILL_ALLOC_PHYSICAL(handle, bytes, properties) HANDLE
#define FILL_RETAIN(handle, address) HANDLE
#define FILL_MAP(address, bytes, handle) NOTHING
#define FILL_UNMAP(address, bytes) NOTHING
#define FILL_ACCESS(address, bytes) NOTHING
#define FILL_VARIABLE(kind, address, bytes, family, owner) VARIABLE_PLACE
#define FILL_POOL(handle, properties) HANDLE
#define FILL_POOL_OF(handle, device) HANDLE
#define FILL_POOL_SET(handle, attribute, value) NOTHING
#define FILL_POOL_TRIMMED(handle) NOTHING
#define FILL_GRAPHS_TRIMMED(device) NOTHING
#define FILL_LIMIT(limit, value) NOTHING
#define FILL_GRAPH_ALLOCATES(graph, address, bytes)                                                                    \
    (address) = next_address;                                                                                          \
    NOTHING
#define FILL_GRAPH_FREES(graph, address) NOTHING
#define FILL_GRAPH_NODE(graph, parameters)                                                                             \
    if ((parameters)->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)                                                            \
        (parameters)->alloc.dptr = next_address;                                                                       \
    NOTHING
#define FILL_GRAPH_JOINED(parent, child) NOTHING
#define FILL_GRAPH_CLONED(clone, graph) HANDLE
#define FILL_INSTANTIATED(executable, graph) HANDLE
#define FILL_GRAPH_LAUNCHED(executable) NOTHING
#define FILL_CAPTURE_BEGUN(stream, graph) NOTHING
#define FILL_CAPTURE_ENDED(graph)                                                                                      \
    HANDLE(graph)                                                                                                      \
    NOTHING
#define FILL_CONTEXT_CREATED(handle, device) CONTEXT
#define FILL_CONTEXT_RETAINED(handle) CONTEXT
#define FILL_CONTEXT_RELEASED(handle) NOTHING
#define FILL_CONTEXT_DESTROYED(handle) NOTHING
#define FILL_PRIMARY_RETAINED(handle, device) CONTEXT
#define FILL_PRIMARY_RELEASED(device) NOTHING
#define FILL_PRIMARY_RESET(device) NOTHING
#define FILL(how, arguments) how arguments

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
        FILL(FILL_##rule, arguments)                                                                                   \
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

/* Queries that the hooks make, each of which leaves something in errno; cuDeviceGetDefaultMemPool is a row as well. */
#define SPOIL_ERRNO errno = 33

CUresult cuCtxGetCurrent(CUcontext *context)
{
    SPOIL_ERRNO;
    *context = (CUcontext)current_context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    SPOIL_ERRNO;
    *device = current_device;
    return current_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    SPOIL_ERRNO;
    *value = 1000 + (size_t)limit;
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    SPOIL_ERRNO;
    size_t range = address == next_address && attribute == CU_POINTER_ATTRIBUTE_RANGE_SIZE ? 8192 : 0;
    memcpy(data, &range, sizeof range);
    return range ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *state, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count)
{
    bool recorded = captured_graph && (uintptr_t)stream == captured_stream;
    (void)dependencies, (void)count;
    SPOIL_ERRNO;
    *state = recorded ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    *id = recorded;
    *graph = (CUgraph)(recorded ? captured_graph : 0);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    SPOIL_ERRNO;
    cuuint64_t figure = 100 * (uint64_t)attribute + (uintptr_t)pool % 10;
    memcpy(value, &figure, sizeof figure);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    SPOIL_ERRNO;
    cuuint64_t figure = 7000 + (uint64_t)attribute + 10 * (uint64_t)device;
    memcpy(value, &figure, sizeof figure);
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
    SPOIL_ERRNO;
    *free_bytes = 1048576;
    *total_bytes = 1073741824;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    SPOIL_ERRNO;
    (void)device;
    strncpy(name, "Table device", (size_t)bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    SPOIL_ERRNO;
    (void)device;
    *bytes = 1073741824;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    SPOIL_ERRNO;
    (void)device;
    memset(uuid, 9, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    SPOIL_ERRNO;
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
#define GMT_MEANING(symbol, version, per_thread, exported) {symbol, version, per_thread, #exported},
#include "meanings.def"
#undef GMT_MEANING
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

void table_driver_set_current(uint64_t handle, int device)
{
    current_context = handle;
    current_device = device;
}

void table_driver_set_capture(uint64_t stream, uint64_t graph)
{
    captured_stream = stream;
    captured_graph = graph;
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
