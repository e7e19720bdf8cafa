/* The devices: how many, how large, how much is taken; the lock over all state; cuInit and cuMemGetInfo. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator/arrivals.h"
#include "simulator/call_cost.h"
#include "simulator/context.h"
#include "simulator/held_memory.h"
#include "simulator/memory_pool.h"
#include "simulator/script.h"
#include "simulator/simulator.h"
#include "simulator/state.h"
#include "simulator/waiting.h"

enum { VERSION = 13000 };
#define DEFAULT_CAPACITY (8ull << 30)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static struct gmt_sim_device devices[GMT_SIM_DEVICES_MAX];
static int device_count;

void gmt_sim_lock(void)
{
    pthread_mutex_lock(&lock);
}

void gmt_sim_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void gmt_sim_wait(void)
{
    pthread_cond_wait(&woken, &lock);
}

void gmt_sim_wake(void)
{
    pthread_cond_broadcast(&woken);
}

CUresult gmt_sim_leave(CUresult result)
{
    gmt_sim_cost_end(result);
    gmt_sim_unlock();
    return result;
}

struct gmt_sim_device *gmt_sim_device(int ordinal)
{
    return ordinal >= 0 && ordinal < device_count ? &devices[ordinal] : NULL;
}

int gmt_sim_device_count(void)
{
    return device_count;
}

bool gmt_sim_device_take(struct gmt_sim_device *device, uint64_t bytes)
{
    /* When the device is full a real driver takes back what pools keep without using it (measured). */
    if (bytes > device->capacity - device->used) {
        gmt_sim_pools_reclaim(device);
        gmt_sim_held_settle(device);
    }
    if (bytes > device->capacity - device->used)
        return false;
    device->used += bytes;
    return true;
}

void gmt_sim_device_give(struct gmt_sim_device *device, uint64_t bytes)
{
    device->used -= bytes;
}

/* 8GiB, 8G, 8GB, 512MiB, 1048576: powers of 1024 whatever the unit's spelling. */
bool gmt_sim_size_read(const char *text, uint64_t *bytes_out)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    end += unit != NULL;
    if (shift > 0 && strcmp(end, "iB") != 0 && strcmp(end, "B") != 0 && *end)
        return false;
    if ((shift == 0 && *end) || number == 0 || number > ((1ull << 46) >> shift))
        return false;
    *bytes_out = number << shift;
    return true;
}

static CUresult complain(const char *name, const char *value, const char *wanted)
{
    fprintf(stderr, "gpumemtrace simulator: %s='%s' is not %s\n", name, value, wanted);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult gmt_sim_devices_start(void)
{
    const char *size = getenv("GPUMEMTRACE_SIMULATE"), *count = getenv("GPUMEMTRACE_SIMULATE_DEVICES");
    uint64_t capacity = DEFAULT_CAPACITY;
    int wanted = 1;
    if (device_count > 0)
        return CUDA_SUCCESS;
    if (!gmt_sim_script_valid())
        return CUDA_ERROR_INVALID_VALUE;
    if (size && size[0] && !gmt_sim_size_read(size, &capacity))
        return complain("GPUMEMTRACE_SIMULATE", size, "a size such as 8GiB or 512MiB");
    if (count && count[0]) {
        char *end;
        long number = strtol(count, &end, 10);
        if (*end || number < 1 || number > GMT_SIM_DEVICES_MAX)
            return complain("GPUMEMTRACE_SIMULATE_DEVICES", count, "a number from 1 to 64");
        wanted = (int)number;
    }
    for (int i = 0; i < wanted; i++) {
        devices[i] = (struct gmt_sim_device){.ordinal = i, .capacity = capacity};
        devices[i].default_pool = devices[i].current_pool = gmt_sim_pool_new(&devices[i]);
        devices[i].primary = gmt_sim_context_new(&devices[i], true);
        if (!devices[i].default_pool || !devices[i].primary)
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    device_count = wanted;
    return CUDA_SUCCESS;
}

GMT_SIM_BODY(cuInit)(unsigned int flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    gmt_sim_lock();
    CUresult result = gmt_sim_devices_start();
    if (result == CUDA_SUCCESS)
        gmt_sim_initialised();
    return gmt_sim_leave(result);
}

GMT_SIM_BODY(cuDriverGetVersion)(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = VERSION;
    return CUDA_SUCCESS;
}

static uint64_t free_bytes_of(struct gmt_sim_device *device)
{
    gmt_sim_held_settle(device);
    return device->capacity - device->used;
}

GMT_SIM_BODY(cuMemGetInfo_v2)(size_t *free_bytes, size_t *total_bytes)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (free_bytes)
        *free_bytes = free_bytes_of(context->device);
    if (total_bytes)
        *total_bytes = context->device->capacity;
    return gmt_sim_leave(CUDA_SUCCESS);
}

GMT_SIM_BODY(cuMemGetInfo)(unsigned int *free_bytes, unsigned int *total_bytes)
{
    struct gmt_sim_context *context;
    CUresult result = gmt_sim_enter_old(&context);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t total = context->device->capacity, left = free_bytes_of(context->device);
    if (free_bytes)
        *free_bytes = left > UINT_MAX ? UINT_MAX : (unsigned int)left;
    if (total_bytes)
        *total_bytes = total > UINT_MAX ? UINT_MAX : (unsigned int)total;
    return gmt_sim_leave(CUDA_SUCCESS);
}

uint64_t gpumemtrace_simulator_used_bytes(int ordinal)
{
    gmt_sim_lock();
    struct gmt_sim_device *device = gmt_sim_device(ordinal);
    uint64_t used = device ? device->capacity - free_bytes_of(device) : 0;
    gmt_sim_unlock();
    return used;
}
