/* See walk_doors.h. */
#include "walk_doors.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define STREAM 0x57e0
#define POOL 0x9001
#define GRAPH 0x9af0
#define EXECUTABLE 0x9af1

const char *const walk_doors[WALK_DOORS] = {"direct", "default", "handle", "v1", "v2"};

/* Enough for the longest list of parameters, and for a handle of 64 bytes that is passed by value. */
typedef CUresult fourteen_words(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static const CUDA_ARRAY_DESCRIPTOR_v1 flat_v1 = {30, 20, CU_AD_FORMAT_FLOAT, 1};
static const CUDA_ARRAY_DESCRIPTOR flat = {30, 20, CU_AD_FORMAT_FLOAT, 1};
static const CUDA_ARRAY3D_DESCRIPTOR_v1 deep_v1 = {16, 8, 8, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
static const CUDA_ARRAY3D_DESCRIPTOR deep = {16, 8, 8, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0};
static const CUDA_EXTERNAL_MEMORY_BUFFER_DESC buffer = {.size = 12288};
static const CUDA_EXTERNAL_MEMORY_HANDLE_DESC external = {.size = 65536};
static const CUmemPoolProps pool = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
static const CUmemAllocationProp physical = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
static const cuuint64_t threshold = 777;
static CUDA_MEM_ALLOC_NODE_PARAMS allocates = {.bytesize = 4096};
static CUgraphNodeParams node = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = {.bytesize = 4096}};

/* Those that are the same in each call. */
static const struct {
    char letter;
    uintptr_t value;
} constants[] = {
    {'n', 4096},
    {'w', 100},
    {'h', 7},
    {'s', STREAM},
    {'m', POOL},
    {'g', GRAPH},
    {'x', EXECUTABLE},
    {'v', 12000},
    {'3', 3},
    {'e', CU_MEMPOOL_ATTR_RELEASE_THRESHOLD},
    {'l', CU_LIMIT_MALLOC_HEAP_SIZE},
    {'q', 1 << 20},
};

static uintptr_t constant(char letter)
{
    for (unsigned i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (constants[i].letter == letter)
            return constants[i].value;
    }
    return 0;
}

static const void *structure(char letter)
{
    switch (letter) {
    case 'A':
        return &flat_v1;
    case 'B':
        return &flat;
    case 'C':
        return &deep_v1;
    case 'D':
        return &deep;
    case 'E':
        return &buffer;
    case 'F':
        return &external;
    case 'P':
        return &pool;
    case 'H':
        return &physical;
    case 'T':
        return &threshold;
    case 'N':
        return &allocates;
    case 'G':
        return &node;
    case 'y':
        return "cuDriverGetVersion";
    default:
        return NULL;
    }
}

static uintptr_t argument(char letter, struct exchange *exchange)
{
    switch (letter) {
    case 'o':
        return (uintptr_t)&exchange->address_out;
    case 'p':
        return (uintptr_t)&exchange->pitch_out;
    case 'u':
        return (uintptr_t)&exchange->bytes_out;
    case 'a':
        return exchange->address;
    case 'r':
        return exchange->address + WALK_MAPPED_AT;
    case 'c':
        return (uintptr_t)&exchange->context_out;
    case 'k':
        return exchange->context;
    case 'f':
        return (uintptr_t)&exchange->function_out;
    case 't':
        return (uintptr_t)&exchange->status_out;
    default:
        return structure(letter) ? (uintptr_t)structure(letter) : constant(letter);
    }
}

CUresult walk_call(const struct walk_row *row, void *function, struct exchange *exchange)
{
    uintptr_t w[14] = {0};
    for (unsigned i = 0; row->arguments[i] != '\0'; i++)
        w[i] = argument(row->arguments[i], exchange);
    exchange->address_out = exchange->context_out = WALK_UNTOUCHED;
    exchange->pitch_out = exchange->bytes_out = WALK_UNTOUCHED;
    exchange->function_out = (void *)(uintptr_t)WALK_UNTOUCHED;
    return ((fourteen_words *)function)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],
                                        w[13]);
}

static void *exported(const char *name)
{
#define GMT_ENTRY(library, row, result, parameters, arguments, rule)                                                   \
    if (strcmp(name, #row) == 0)                                                                                       \
        return (void *)row;
#include "hook/entry_points.def"
#undef GMT_ENTRY
    return NULL;
}

static void *driver(void)
{
    return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
}

static const struct walk_meaning *meaning_of(const char *name)
{
    const struct walk_meaning *meaning = walk_meanings;
    while (strcmp(meaning->exported, name) != 0)
        meaning++;
    return meaning;
}

static void *get_v1(const struct walk_meaning *meaning)
{
    void *found = NULL;
    CUresult (*get)(const char *, void **, int, cuuint64_t) = dlsym(driver(), "cuGetProcAddress");
    return get(meaning->symbol, &found, meaning->version, meaning->per_thread ? 2 : 0) == CUDA_SUCCESS ? found : NULL;
}

static void *get_v2(const struct walk_meaning *meaning)
{
    void *found = NULL;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult code =
        cuGetProcAddress_v2(meaning->symbol, &found, meaning->version, meaning->per_thread ? 2 : 0, &status);
    return code == CUDA_SUCCESS && status == CU_GET_PROC_ADDRESS_SUCCESS ? found : NULL;
}

void *walk_through(const char *door, const char *name)
{
    if (strcmp(door, "direct") == 0)
        return exported(name);
    if (strcmp(door, "default") == 0)
        return dlsym(RTLD_DEFAULT, name);
    if (strcmp(door, "handle") == 0)
        return dlsym(driver(), name);
    return strcmp(door, "v1") == 0 ? get_v1(meaning_of(name)) : get_v2(meaning_of(name));
}
