/* Fat binaries as nvcc's start-up code registers them, before main; they are loaded when first needed. */
#include "simulator/runtime/registration.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct gmt_rt_binary {
    const void *image;
    struct gmt_rt_symbol *symbols;
    CUlibrary library;
    bool loaded;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *tree; /* of symbols by host address; a managed variable is in it twice once it is placed */

struct node {
    const void *host;
    struct gmt_rt_symbol *symbol;
};

static int compare(const void *left, const void *right)
{
    uintptr_t a = (uintptr_t)((const struct node *)left)->host, b = (uintptr_t)((const struct node *)right)->host;
    return a < b ? -1 : a > b;
}

/* Lock held. The newest registration of an address wins: a library may have been unloaded and another be there now. */
static void enter(const void *host, struct gmt_rt_symbol *symbol)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    *node = (struct node){host, symbol};
    void *slot = tsearch(node, &tree, compare);
    if (!slot || *(struct node **)slot != node) {
        if (slot)
            (*(struct node **)slot)->symbol = symbol;
        free(node);
    }
}

static void leave(const void *host, const struct gmt_rt_symbol *symbol)
{
    struct node key = {.host = host};
    void *slot = tfind(&key, &tree, compare);
    struct node *node = slot ? *(struct node **)slot : NULL;
    if (!node || node->symbol != symbol)
        return;
    tdelete(&key, &tree, compare);
    free(node);
}

struct gmt_rt_symbol *gmt_rt_symbol_find(const void *host)
{
    struct node key = {.host = host};
    pthread_mutex_lock(&lock);
    void *slot = tfind(&key, &tree, compare);
    struct gmt_rt_symbol *symbol = slot ? (*(struct node **)slot)->symbol : NULL;
    pthread_mutex_unlock(&lock);
    return symbol;
}

static void add_symbol(void **handle, struct gmt_rt_symbol wanted, const char *name)
{
    struct gmt_rt_binary *binary = (struct gmt_rt_binary *)handle;
    struct gmt_rt_symbol *symbol = malloc(sizeof *symbol);
    wanted.name = strdup(name);
    if (!binary || !symbol || !wanted.name) {
        free(symbol);
        free(wanted.name);
        return;
    }
    *symbol = wanted;
    symbol->binary = binary;
    pthread_mutex_lock(&lock);
    symbol->next = binary->symbols;
    binary->symbols = symbol;
    enter(symbol->host, symbol);
    pthread_mutex_unlock(&lock);
}

/* Lock held. */
static cudaError_t place_managed(struct gmt_rt_binary *binary, struct gmt_rt_symbol *symbol)
{
    CUdeviceptr address;
    CUresult result = gmt_rt_legacy.cuLibraryGetManaged(&address, NULL, binary->library, symbol->name);
    if (result != CUDA_SUCCESS)
        return gmt_rt_error(result);
    *symbol->managed_address = (void *)address;
    enter((void *)address, symbol);
    return cudaSuccess;
}

cudaError_t gmt_rt_binary_load(struct gmt_rt_binary *binary, CUlibrary *library_out)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&lock);
    if (!binary->loaded) {
        CUresult result =
            gmt_rt_legacy.cuLibraryLoadData(&binary->library, binary->image, NULL, NULL, 0, NULL, NULL, 0);
        error = gmt_rt_error(result);
        binary->loaded = error == cudaSuccess;
        for (struct gmt_rt_symbol *i = binary->symbols; i && error == cudaSuccess; i = i->next) {
            if (i->is_variable && gmt_rt_declare_variable)
                gmt_rt_declare_variable(binary->library, i->name, i->bytes, i->managed);
            if (i->managed)
                error = place_managed(binary, i);
        }
    }
    *library_out = binary->library;
    pthread_mutex_unlock(&lock);
    return error;
}

GMT_RT_EXPORT void **__cudaRegisterFatBinary(void *image)
{
    struct gmt_rt_binary *binary = calloc(1, sizeof *binary);
    if (binary)
        binary->image = image;
    return (void **)binary;
}

/* Nothing to do: a binary is loaded when one of its symbols is first used. */
GMT_RT_EXPORT void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

GMT_RT_EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                          int thread_limit, uint3 *thread, uint3 *block, dim3 *block_dim,
                                          dim3 *grid_dim, int *warp_size)
{
    (void)device;
    (void)thread_limit;
    (void)thread;
    (void)block;
    (void)block_dim;
    (void)grid_dim;
    (void)warp_size;
    add_symbol(handle, (struct gmt_rt_symbol){.host = host}, name);
}

GMT_RT_EXPORT void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                                     size_t bytes, int constant, int global)
{
    (void)device;
    (void)external;
    (void)constant;
    (void)global;
    add_symbol(handle, (struct gmt_rt_symbol){.host = host, .is_variable = true, .bytes = bytes}, name);
}

GMT_RT_EXPORT void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
                                            size_t bytes, int constant, int global)
{
    (void)device;
    (void)external;
    (void)constant;
    (void)global;
    struct gmt_rt_symbol symbol = {
        .host = host, .is_variable = true, .managed = true, .bytes = bytes, .managed_address = host};
    add_symbol(handle, symbol, name);
}

GMT_RT_EXPORT char __cudaInitModule(void **handle)
{
    CUlibrary library;
    return handle && gmt_rt_begin() == cudaSuccess &&
           gmt_rt_binary_load((struct gmt_rt_binary *)handle, &library) == cudaSuccess;
}

GMT_RT_EXPORT void __cudaUnregisterFatBinary(void **handle)
{
    struct gmt_rt_binary *binary = (struct gmt_rt_binary *)handle;
    if (!binary)
        return;
    pthread_mutex_lock(&lock);
    bool loaded = binary->loaded;
    while (binary->symbols) {
        struct gmt_rt_symbol *symbol = binary->symbols;
        binary->symbols = symbol->next;
        leave(symbol->host, symbol);
        if (symbol->managed && loaded)
            leave(*symbol->managed_address, symbol);
        free(symbol->name);
        free(symbol);
    }
    pthread_mutex_unlock(&lock);
    if (loaded && gmt_rt_start() == cudaSuccess)
        gmt_rt_legacy.cuLibraryUnload(binary->library);
    free(binary);
}
