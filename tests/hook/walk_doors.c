/* See walk_doors.h. */
#include "walk_doors.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define STREAM 0x57e0
#define POOL 0x9001

const char *const walk_doors[WALK_DOORS] = {"direct", "default", "handle", "v1", "v2"};

typedef CUresult six_words(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static uintptr_t argument(char letter, struct exchange *exchange)
{
    switch (letter) {
    case 'o':
        return (uintptr_t)&exchange->address_out;
    case 'p':
        return (uintptr_t)&exchange->pitch_out;
    case 'n':
        return 4096;
    case 'w':
        return 100;
    case 'h':
        return 7;
    case 'a':
        return exchange->address;
    case 's':
        return STREAM;
    case 'm':
        return POOL;
    case 'c':
        return (uintptr_t)&exchange->context_out;
    case 'k':
        return exchange->context;
    case 'y':
        return (uintptr_t) "cuDriverGetVersion";
    case 'f':
        return (uintptr_t)&exchange->function_out;
    case 'v':
        return 12000;
    case 't':
        return (uintptr_t)&exchange->status_out;
    default:
        return 0;
    }
}

CUresult walk_call(const struct walk_row *row, void *function, struct exchange *exchange)
{
    uintptr_t words[6] = {0};
    for (unsigned i = 0; row->arguments[i] != '\0'; i++)
        words[i] = argument(row->arguments[i], exchange);
    exchange->address_out = exchange->context_out = exchange->pitch_out = WALK_UNTOUCHED;
    exchange->function_out = (void *)(uintptr_t)WALK_UNTOUCHED;
    return ((six_words *)function)(words[0], words[1], words[2], words[3], words[4], words[5]);
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

static void *get_v1(const struct walk_row *row)
{
    void *found = NULL;
    CUresult (*get)(const char *, void **, int, cuuint64_t) = dlsym(driver(), "cuGetProcAddress");
    return get(row->symbol, &found, row->version, row->flags) == CUDA_SUCCESS ? found : NULL;
}

static void *get_v2(const struct walk_row *row)
{
    void *found = NULL;
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    CUresult code = cuGetProcAddress_v2(row->symbol, &found, row->version, row->flags, &status);
    return code == CUDA_SUCCESS && status == CU_GET_PROC_ADDRESS_SUCCESS ? found : NULL;
}

void *walk_through(const char *door, const struct walk_row *row)
{
    if (strcmp(door, "direct") == 0)
        return exported(row->name);
    if (strcmp(door, "default") == 0)
        return dlsym(RTLD_DEFAULT, row->name);
    if (strcmp(door, "handle") == 0)
        return dlsym(driver(), row->name);
    return strcmp(door, "v1") == 0 ? get_v1(row) : get_v2(row);
}
